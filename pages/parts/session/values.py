"""The values of a page: what each is called, its default, and how a link, the session and a widget have it.

A page's values are the fields of its state (`page_states`). A field that is declared by `value` or `setting` is in the
page's link. A field that is declared by `unlinked` is only in the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any

from bpe_core import Settings
from bpe_core.kinds import Kind, PairsAtSteps, Several, Text, Tokens, WholeNumber, choice
from bpe_core.settings import SETTINGS, Setting

LARGEST = 1_000_000  # vocabulary, step, count; as a step, the last one
DEFAULT_PATTERN = r"\w+|[^\w\s]+"


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Value:
    """One value in a page's link.

    `title`: its name on the screen. `read`: returns the value that a text of a link stands for, or raises `ValueError`
    with the end of a sentence, "it is not a name". `write`: returns the text. `most`: how many characters a text may
    have, in a link and so where it is typed. `fits`: for a value that goes with the corpus, its default on each
    example; on another text the default follows from that. `live`: the value belongs to the part of the page that
    follows the step; no training depends on it. `shared`: the value holds on every page; the session has None until it
    is chosen. `set_here`: the page too sets the value, for another text or by a button. `name`: its name in links, if
    that is not the field's. `to_widget`, `from_widget`: a widget, and so the session, has the value in this form.
    `check`: raises `ValueError` for a value that no widget gives. `first_form`: the default as a widget has it.
    """

    default: Any
    title: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    most: int | None = None
    fits: Mapping[str, Any] | None = None
    live: bool = False
    shared: bool = False
    set_here: bool = False
    name: str = ""
    to_widget: Callable[[Any], Any] = _same
    from_widget: Callable[[Any], Any] = _same
    check: Callable[[Any], Any] = _same
    first_form: Any = field(init=False)

    def __post_init__(self) -> None:
        """Convert the default once."""
        object.__setattr__(self, "first_form", self.to_widget(self.default))

    def from_browser(self, held: Any) -> Any:
        """Return the value that the session has in a widget's form; the default if no widget can have sent it.

        >>> of_kind(Several(choice("nfc", "nfd")), (), "Forms").from_browser(["nfc", 5])
        ('nfc',)
        """
        form = self.first_form
        if isinstance(held, list):
            held = [each for each in held if isinstance(each, str)]
        if held is None or (form is not None and not isinstance(held, type(form))):
            return self.default
        try:
            found = self.from_widget(held)
            self.check(found)
        except ValueError:
            return self.default
        return found


def value(default: Any, title: str, read: Callable[[str], Any], write: Callable[[Any], str] = str, **more: Any) -> Any:
    """Declare a field of a page's state that is in the link; `more`: the other fields of `Value`."""
    return _declared(Value(default, title, read, write, **{"check": read, **more}))


def text(most: int, title: str, default: str = "", **more: Any) -> Any:
    """Declare a text of up to `most` characters."""
    return _declared(of_kind(Text(most), default, title, **more))


def number(default: int, least: int, most: int, title: str, **more: Any) -> Any:
    """Declare a whole number in a range."""
    return _declared(of_kind(WholeNumber(least, most), default, title, **more))


def one_of(default: str | None, keys: Iterable[str], title: str, **more: Any) -> Any:
    """Declare one of some keys."""
    return _declared(of_kind(choice(*keys), default, title, **more))


def keys(
    default: tuple[str, ...],
    title: str,
    read: Callable[[str], Iterable[str]],
    write: Callable[[Any], str] = " ".join,
    check: Callable[[str], Any] = _same,
) -> Any:
    """Declare several keys; their menu has them as a list. `check`: raises `ValueError` for what is no key."""

    def checked(held: tuple[str, ...]) -> list[Any]:
        return [check(each) for each in held]

    forms: dict[str, Any] = {"to_widget": list, "from_widget": tuple, "check": checked}
    return value(default, title, lambda given: tuple(read(given)), write, **forms)


def setting(name: str, default: Any, side: str = "", **more: Any) -> Any:
    """Declare a setting of a training, with a default of the page. `side`: of a comparison; "" for none."""
    return _declared(_of_setting(SETTINGS[name], default, side, **more))


def unlinked(default: Any, shared: bool = False, stays: bool = True) -> Any:
    """Declare a field that the session has, and no link.

    `shared`: it holds on every page. `stays`: it outlives that a whole state is shown (`state.show`).
    """
    return field(default=default, metadata={"shared": shared, "stays": stays})


def _declared(row: Value) -> Any:
    return field(default=row.default, metadata={"value": row})


def of_kind(kind: Kind[Any], default: Any, title: str, **more: Any) -> Value:
    """Return the row of a value of this kind. A widget has tokens and pairs as a line, and several keys as a list."""
    forms: dict[str, Any] = {}
    if isinstance(kind, (Tokens, PairsAtSteps)):
        forms = {"to_widget": kind.write, "from_widget": replace(kind, most=None).read}
    elif isinstance(kind, Several):
        forms = {"to_widget": list, "from_widget": tuple}
    if not isinstance(kind, (Text, Tokens)):  # a text may be longer than a link can carry
        forms["check"] = kind.check
    most = kind.most if isinstance(kind, (Text, Tokens)) else None
    return Value(default, title, kind.read, kind.write, **{"most": most, **forms, **more})


# The largest value of a setting in a link, by its kind: a number, the characters of a text, how many pairs.
_LARGEST_OF: dict[type, int] = {WholeNumber: LARGEST, Text: 300, Tokens: 300, PairsAtSteps: 100}


def _of_setting(row: Setting, default: Any, side: str = "", **more: Any) -> Value:
    """Return the row of a setting; its kind gets a limit unless it has one."""
    kind: Any = row.kind
    most = _LARGEST_OF.get(type(kind))
    title = f"{side.capitalize()}: {row.title[0].lower()}{row.title[1:]}" if side else row.title
    return of_kind(replace(kind, most=most) if most and kind.most is None else kind, default, title, **more)


@dataclass(frozen=True)
class ChosenSettings(Settings):
    """The settings as a visitor chose them. Nothing is checked until `checked`.

    >>> ChosenSettings(vocab_size=3).checked()
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size 3 is below the 256 base symbols
    """

    vocab_size: int = setting("vocab_size", 1000, set_here=True)
    pattern: str = setting("pattern", DEFAULT_PATTERN)

    def __post_init__(self) -> None:
        """Check nothing: what a visitor chose is kept, also if no training can use it."""

    def checked(self) -> Settings:
        """Return the settings to train with; raise `SettingsError` or `PatternError` if no training can use them."""
        values = {name: getattr(self, name) for name in SETTINGS}
        return Settings(**(values if self.pretokenizer == "custom" else values | {"pattern": ""}))


def chosen_as(settings: Settings) -> dict[str, Any]:
    """Return the values, by name, of a page on which these settings are chosen."""
    values = {name: getattr(settings, name) for name in SETTINGS}
    return values | {"pattern": settings.pattern or DEFAULT_PATTERN}


def _rows(page: type[Any]) -> dict[str, Value]:
    """Return the values in a page's link, by name. `page`: the class of its state."""
    found = {each.name: _row(each) for each in fields(page)}
    return {name: row for name, row in found.items() if row is not None}


def _session_keys(page: type[Any]) -> dict[str, str]:
    """Return the session key of every field of a page's state, by name. `page`: the class of the state."""
    found = {}
    for each in fields(page):
        row = _row(each)
        shared = row.shared if row else each.metadata.get("shared")
        found[each.name] = f"{'shared' if shared else page.PAGE}.{(row and row.name) or each.name}"
    return found


def _row(declared: Field[Any]) -> Value | None:
    row: Value | None = declared.metadata.get("value")
    if row is None and "setting" in declared.metadata:
        default = getattr(Settings(), declared.name)
        row = _of_setting(declared.metadata["setting"], default)
    return row


rows: Callable[[Any], dict[str, Value]] = cache(_rows)
session_keys: Callable[[Any], dict[str, str]] = cache(_session_keys)


# --- readers of values that only pages have ---


def spelt(letters: str, most: int) -> Callable[[str], str]:
    """Return a reader of texts of these letters.

    >>> spelt("01", 8)("0110")
    '0110'
    """

    def read(given: str) -> str:
        if len(given) > most or set(given) - set(letters):
            raise ValueError("it cannot be read")
        return given

    return read


def key(given: str) -> str:
    """Return a key of a table that is not known here, such as a page's view.

    >>> key("held-out")
    'held-out'
    """
    if not given.replace("-", "").isalnum() or not given.isascii() or len(given) > 30:
        raise ValueError("it is not a name")
    return given


def amount(given: str) -> str:
    """Return an amount of money as it was written, "" for none; the view says when it is not a number.

    >>> amount("2,50 €")
    '2,50 €'
    """
    if len(given) > 20:
        raise ValueError("it is not an amount such as 2.50")
    return given
