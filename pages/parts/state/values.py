"""The values of a page. A value has a title, a default, a form in a link and a form in a widget.

A page's values are the fields of its state (`page_states`). Fields that are declared by `unlinked` are only in the
session. All other fields are in the session and in the page's link.

A state may contain another one, as Compare contains the settings of each side (`inner`). The names of the inner values
begin with the name of the field: `left_alphabet` is the value `alphabet` of the field `left`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from bpe_core import Settings
from bpe_core.kinds import Kind, Pair, PairsAtSteps, Several, Text, Tokens, WholeNumber, choice
from bpe_core.settings import SETTINGS, Setting
from bpe_core.tokenizer.letters import letters

V = TypeVar("V")
S = TypeVar("S")
LARGEST = 1_000_000  # the largest vocabulary size, step and count in a link; the step 1,000,000 means the last step
LETTER_CHARACTERS = 12  # the most characters of one letter: the one letter that is a family's emoji has seven


class PartlyReadError(ValueError):
    """An error: only a part of a value in a link can be used. `value`: the part that can be used."""

    def __init__(self, message: str, value: object) -> None:
        """Set the part that can be used. `message`: the end of a sentence, as in "only its first line is shown"."""
        super().__init__(message)
        self.value = value


@dataclass(frozen=True)
class Value(Generic[V]):
    """One value in a page's link.

    - `title`: the value's name on the screen.
    - `read`: the function that returns the value for a text in a link. If the text cannot be read, the function raises
      `ValueError` with the end of a sentence, such as "it is not a name".
    - `write`: the function that returns the text in a link for a value.
    - `most`: for a value that is a text, the largest number of characters, both in a link and in the widget.
    - `by`: the name of another field on which the default depends; see `fits`.
    - `fits`: a mapping from the values of the field `by` to defaults. An example: from the key of a text to the
      vocabulary size that suits the text. If a key is missing, such as the key of your own text, the page computes the
      value, and the link always has the value. `fits` is None if the default depends on no other field.
    - `name`: the value's name in links; "" if the field's name is used.
    - `form`: the function that converts the value into the form that the widget has; None if the forms are equal.
    - `from_form`: the function that converts that form back into the value; None if the forms are equal.
    - `check`: the function that raises `ValueError` for a value that no widget gives; None if there is no such value.
    - `private`: whether the value has words that the visitor typed, or parts of their text. Links have it, and no
      address does: see `links.address`.
    """

    default: V
    title: str
    read: Callable[[str], V]
    write: Callable[[V], str] = str
    most: int | None = None
    fits: Mapping[str, V] | None = None
    by: str = "corpus"
    name: str = ""
    form: Callable[[V], object] | None = None
    from_form: Callable[[Any], V] | None = None
    check: Callable[[V], object] | None = None
    private: bool = False

    def to_widget(self, value: V) -> object:
        """Return a value in the form of its widget."""
        return self.form(value) if self.form else value

    def from_browser(self, sent: object) -> V:
        """Return the value for what a browser sent. If no widget of the value can have sent it, return the default.

        >>> of_kind(Several(choice("nfc", "nfd")), (), "Forms").from_browser(["nfc", 5])
        ('nfc',)
        """
        form = self.to_widget(self.default)
        if isinstance(sent, list):
            sent = [each for each in sent if isinstance(each, str)]
        if sent is None or (form is not None and not isinstance(sent, type(form))):
            return self.default
        try:
            found: V = self.from_form(sent) if self.from_form else cast(V, sent)
            if self.check:
                self.check(found)
        except ValueError:
            return self.default
        return found


def value(
    default: V, title: str, read: Callable[[str], V], write: Callable[[V], str] = str, *,
    most: int | None = None, name: str = "", private: bool = False,
) -> V:  # fmt: skip
    """Declare a field that is in the page's link. For the parameters see `Value`. `read` also checks the value."""
    row = Value(default, title, read, write, most=most, name=name, check=cast(Any, read), private=private)
    return _declared(row)


def text(most: int, title: str, default: str = "", *, fits: Mapping[str, str] | None = None, name: str = "") -> str:
    """Declare a field for a text of up to `most` characters."""
    return _declared(replace(of_kind(Text(most), default, title), fits=fits, name=name))


def number(default: int, least: int, most: int, title: str, *, fits: Mapping[str, int] | None = None) -> int:
    """Declare a field for a whole number from `least` to `most`."""
    return _declared(replace(of_kind(WholeNumber(least, most), default, title), fits=fits))


def one_of(
    default: V, keys: Iterable[str], title: str, *,
    fits: Mapping[str, V] | None = None, by: str = "corpus", name: str = "",
) -> V:  # fmt: skip
    """Declare a field for a choice of one key. `keys`: the keys to choose from. The default may be no key, None."""
    row = cast("Value[V]", of_kind(choice(*keys), cast(str, default), title))
    return _declared(replace(row, fits=fits, by=by, name=name))


def yes_or_no(default: bool, title: str) -> bool:
    """Declare a field for a value that is true or false. A link has the word "yes" or "no" for it."""
    return _declared(Value(default, title, _yes_or_no, lambda chosen: "yes" if chosen else "no"))


def keys(
    default: tuple[str, ...],
    title: str,
    read: Callable[[str], Iterable[str]],
    write: Callable[[tuple[str, ...]], str] = " ".join,
    check: Callable[[tuple[str, ...]], object] | None = None,
) -> tuple[str, ...]:
    """Declare a field for a choice of several keys. The menu's form of the value is a list.

    `check`: a function that raises `ValueError` for keys that cannot be chosen.
    """
    return _declared(
        Value(default, title, lambda given: tuple(read(given)), write, form=list, from_form=tuple, check=check)
    )


def setting(
    name: str, default: V, read: Callable[[str], V] | None = None, *,
    fits: Mapping[str, V] | None = None, by: str = "corpus",
) -> V:  # fmt: skip
    """Declare a field for a setting of a training, with the page's default.

    `read`: a function that reads and checks the value. A page needs it only for values that `Settings` refuses, such as
    an opened tokenizer's key.
    """
    row = replace(cast("Value[V]", _of_setting(SETTINGS[name], default)), fits=fits, by=by)
    return _declared(replace(row, read=read, check=cast(Any, read)) if read else row)


def unlinked(default: V, stays: bool = True) -> V:
    """Declare a field that is in the session but in no link.

    `stays`: whether `state.show` leaves the field as it is.
    """
    return field(default=default, metadata={"stays": stays})


def inner(default: V, without: Collection[str] = ()) -> V:
    """Declare a field that contains another state. `without`: the fields of that state that are no values of the page.

    The default's own values are the defaults of the inner values.
    """
    return field(default=default, metadata={"without": without})


def _declared(row: Value[V]) -> V:
    return field(default=row.default, metadata={"value": row})


def of_kind(kind: Kind[V], default: V, title: str) -> Value[V]:
    """Return the declaration of a value. `kind`: the kind of value, such as a whole number, as for a setting.

    In its widget, a value of tokens is a line of text, and a value of several keys is a list.
    """
    forms: dict[str, Any] = {}
    if isinstance(kind, Tokens):
        forms = {"form": kind.write, "from_form": replace(kind, most=None).read}
    elif isinstance(kind, Several):
        forms = {"form": list, "from_form": tuple}
    is_typed = isinstance(kind, (Text, Tokens))  # a typed text may be longer than a text in a link
    most = getattr(kind, "most", None) if is_typed else None
    check, private = None if is_typed else kind.check, isinstance(kind, (Text, Tokens, PairsAtSteps))
    return Value(default, title, kind.read, kind.write, most=most, check=check, private=private, **forms)


# The limits of settings in a link, by kind: the largest number, and the most characters of a text.
_LARGEST_OF: dict[type, int] = {WholeNumber: LARGEST, Text: 300, Tokens: 300}
MOST_PAIRS = 100  # chosen pairs in a link: for each, training searches the whole text


def _of_setting(row: Setting, default: object) -> Value[object]:
    """Return the declaration of a setting's value. A kind without a limit gets the limit in `_LARGEST_OF`."""
    kind: Any = row.kind
    most = _LARGEST_OF.get(type(kind))
    found = of_kind(replace(kind, most=most) if most and kind.most is None else kind, default, row.title)
    return replace(found, read=_first_pairs) if isinstance(kind, PairsAtSteps) else found


def _first_pairs(given: str) -> dict[int, Pair]:
    """Return the chosen pairs of a link by step. After `MOST_PAIRS` pairs the rest cannot be used."""
    pairs = PairsAtSteps().read(given)
    if len(pairs) <= MOST_PAIRS:
        return pairs
    raise PartlyReadError(f"only its first {MOST_PAIRS} pairs are used", dict(sorted(pairs.items())[:MOST_PAIRS]))


def _rows(page: type[object]) -> dict[str, Value[object]]:
    """Return the declaration of each value in a page's link, by name. `page`: the class of the page's state."""
    found: dict[str, Value[object]] = {}
    for each in fields(cast(Any, page)):
        if "without" in each.metadata:
            for name, row in rows(type(each.default)).items():
                if name not in each.metadata["without"]:
                    title = f"{each.name.capitalize()}: {row.title[0].lower()}{row.title[1:]}"
                    found[f"{each.name}_{name}"] = replace(row, default=getattr(each.default, name), title=title)
        elif "value" in each.metadata:
            found[each.name] = each.metadata["value"]
        elif each.name in SETTINGS and issubclass(page, Settings):
            default = each.default_factory() if callable(each.default_factory) else each.default
            found[each.name] = _of_setting(SETTINGS[each.name], default)
    return found


def _getters(page: type[object]) -> dict[str, attrgetter[Any]]:
    """Return the function that takes a value out of a page's state, for each value by its name.

    The values are those in the page's link, and those that are declared by `unlinked`.
    """
    inner = {each.name for each in fields(cast(Any, page)) if "without" in each.metadata}
    others = [each.name for each in fields(cast(Any, page)) if "stays" in each.metadata]
    found = {name: attrgetter(name) for name in (*rows(page), *others)}
    for outer in inner:
        found |= {name: attrgetter(name.replace("_", ".", 1)) for name in found if name.startswith(f"{outer}_")}
    return found


rows = cast("Callable[[type[object]], dict[str, Value[object]]]", cache(_rows))
getters = cast("Callable[[type[object]], dict[str, attrgetter[Any]]]", cache(_getters))


def changed(now: S, values: Mapping[str, object]) -> S:
    """Return a state with other values. `values`: the values by name.

    >>> from pages.parts.state.compare_state import Compare
    >>> changed(Compare(), {"left_min_count": 2, "step": 7}).left.min_count
    2
    """
    new: dict[str, object] = {}
    for name, each in values.items():
        outer, _, inside = name.partition("_")
        if hasattr(now, name):
            new[name] = each
        else:
            new[outer] = replace(cast(Any, new.get(outer, getattr(now, outer))), **{inside: each})
    return cast(S, replace(cast(Any, now), **new)) if new else now


# --- readers: each returns the value of a text in a link, or raises `ValueError` ---


def spelt(letters: str, most: int) -> Callable[[str], str]:
    """Return a function that reads a text of at most `most` letters. Each letter of the text has to be in `letters`.

    >>> spelt("01", 8)("0110")
    '0110'
    """

    def read(given: str) -> str:
        if len(given) > most or set(given) - set(letters):
            raise ValueError("it cannot be read")
        return given

    return read


def _yes_or_no(given: str) -> bool:
    return choice("yes", "no").read(given) == "yes"


def key(given: str) -> str:
    """Return a key, such as the key of a view. Whether the key exists is not known here.

    >>> key("held-out")
    'held-out'
    """
    if not given.replace("-", "").isalnum() or not given.isascii() or len(given) > 30:
        raise ValueError("it is not a name")
    return given


def letter(given: str) -> str:
    """Return one letter; "" for none. A letter, as a reader sees it, may have several characters.

    >>> letter("e\u0301") == "e\u0301"
    True
    """
    if len(given) > LETTER_CHARACTERS or len(letters(given)) > 1:
        raise ValueError("it is not one letter")
    return given


def amount(given: str) -> str:
    """Return an amount of money as it was typed; "" for none. If the text is not a number, the view says so.

    >>> amount("2,50 €")
    '2,50 €'
    """
    if len(given) > 20:
        raise ValueError("it is not an amount such as 2.50")
    return given
