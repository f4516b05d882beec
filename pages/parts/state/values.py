"""The values of a page. A value has a title, a default, a form in a link and a form in a widget.

A page's values are the fields of its state (`page_states`). Fields that are declared by `unlinked` are only in the
session. All other fields are in the session and in the page's link.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any

from bpe_core import Settings
from bpe_core.kinds import Kind, PairsAtSteps, Several, Text, Tokens, WholeNumber, choice
from bpe_core.published import PUBLISHED
from bpe_core.settings import SETTINGS, Setting
from bpe_core.tokenizer.letters import letters

LARGEST = 1_000_000  # the largest vocabulary size, step and count in a link; the step 1,000,000 means the last step
LETTER_CHARACTERS = 12  # the most characters of one letter: the one letter that is a family's emoji has seven
DEFAULT_PATTERN = r"\w+|[^\w\s]+"


class PartlyReadError(ValueError):
    """An error: only a part of a value in a link can be used. `value`: the part that can be used."""

    def __init__(self, message: str, value: Any) -> None:
        """Set the part that can be used. `message`: the end of a sentence, as in "only its first line is shown"."""
        super().__init__(message)
        self.value = value


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Value:
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
    - `live`: whether the value says what the film or a view shows, such as the step or the open view. No training
      depends on the value. `state.keep` keeps it while no widget shows it.
    - `shared`: whether all pages have the same value. Until a visitor chooses it, the session has None, and each page
      uses its own default.
    - `set_here`: whether the page itself may set the value, as when another text is chosen or a button is clicked. The
      value's widget then gets a new key: see `state.save`.
    - `name`: the value's name in links; "" if the field's name is used.
    - `to_widget`: the function that converts the value into the form that the widget and the session have.
    - `from_widget`: the function that converts that form back into the value.
    - `check`: the function that raises `ValueError` for a value that no widget gives.
    - `first_form`: the default in its widget's form.
    """

    default: Any
    title: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    most: int | None = None
    fits: Mapping[str, Any] | None = None
    by: str = "corpus"
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

    def from_browser(self, sent: Any) -> Any:
        """Return the value for what a browser sent. If no widget of the value can have sent it, return the default.

        >>> of_kind(Several(choice("nfc", "nfd")), (), "Forms").from_browser(["nfc", 5])
        ('nfc',)
        """
        form = self.first_form
        if isinstance(sent, list):
            sent = [each for each in sent if isinstance(each, str)]
        if sent is None or (form is not None and not isinstance(sent, type(form))):
            return self.default
        try:
            found = self.from_widget(sent)
            self.check(found)
        except ValueError:
            return self.default
        return found


def value(default: Any, title: str, read: Callable[[str], Any], write: Callable[[Any], str] = str, **more: Any) -> Any:
    """Declare a field that is in the page's link. `more`: further fields of `Value`, by name."""
    return _declared(Value(default, title, read, write, **{"check": read, **more}))


def text(most: int, title: str, default: str = "", **more: Any) -> Any:
    """Declare a field for a text of up to `most` characters."""
    return _declared(of_kind(Text(most), default, title, **more))


def number(default: int, least: int, most: int, title: str, **more: Any) -> Any:
    """Declare a field for a whole number from `least` to `most`."""
    return _declared(of_kind(WholeNumber(least, most), default, title, **more))


def one_of(default: str | None, keys: Iterable[str], title: str, **more: Any) -> Any:
    """Declare a field for a choice of one key. `keys`: the keys to choose from."""
    return _declared(of_kind(choice(*keys), default, title, **more))


def yes_or_no(default: bool, title: str, **more: Any) -> Any:
    """Declare a field for a value that is true or false. A link has the word "yes" or "no" for it."""
    return _declared(Value(default, title, _yes_or_no, lambda chosen: "yes" if chosen else "no", **more))


def keys(
    default: tuple[str, ...],
    title: str,
    read: Callable[[str], Iterable[str]],
    write: Callable[[Any], str] = " ".join,
    check: Callable[[str], Any] = _same,
) -> Any:
    """Declare a field for a choice of several keys. The menu's form of the value is a list.

    `check`: a function that raises `ValueError` for a text that is no key.
    """

    def checked(chosen: tuple[str, ...]) -> list[Any]:
        return [check(each) for each in chosen]

    forms: dict[str, Any] = {"to_widget": list, "from_widget": tuple, "check": checked}
    return value(default, title, lambda given: tuple(read(given)), write, **forms)


def setting(name: str, default: Any, side: str = "", read: Callable[[str], Any] | None = None, **more: Any) -> Any:
    """Declare a field for a setting of a training, with the page's default.

    `side`: the side of a comparison that has the setting; "" on a page with one training. `read`: a function that reads
    and checks the value. A page needs it only for values that `Settings` refuses, such as an opened tokenizer's key.
    """
    row = _of_setting(SETTINGS[name], default, side, **more)
    return _declared(replace(row, read=read, check=read) if read else row)


def unlinked(default: Any, shared: bool = False, stays: bool = True, widget: bool = False) -> Any:
    """Declare a field that is in the session but in no link.

    `shared`: whether all pages have the same value. `stays`: whether `state.show` leaves the field as it is. `widget`:
    whether the field has a widget, and so a session key of its own.
    """
    return field(default=default, metadata={"shared": shared, "stays": stays, "widget": widget})


def _declared(row: Value) -> Any:
    return field(default=row.default, metadata={"value": row})


def of_kind(kind: Kind[Any], default: Any, title: str, **more: Any) -> Value:
    """Return the declaration of a value. `kind`: the kind of value, such as a whole number, as for a setting.

    In its widget, a value of tokens or pairs is a line of text, and a value of several keys is a list.
    """
    forms: dict[str, Any] = {}
    if isinstance(kind, (Tokens, PairsAtSteps)):
        forms = {"to_widget": kind.write, "from_widget": replace(kind, most=None).read}
    elif isinstance(kind, Several):
        forms = {"to_widget": list, "from_widget": tuple}
    if not isinstance(kind, (Text, Tokens)):  # a typed text may be longer than a text in a link
        forms["check"] = kind.check
    most = kind.most if isinstance(kind, (Text, Tokens)) else None
    return Value(default, title, kind.read, kind.write, **{"most": most, **forms, **more})


# The limits of settings in a link, by kind: the largest number, the most characters of a text, and the most pairs.
_LARGEST_OF: dict[type, int] = {WholeNumber: LARGEST, Text: 300, Tokens: 300, PairsAtSteps: 100}


def _of_setting(row: Setting, default: Any, side: str = "", **more: Any) -> Value:
    """Return the declaration of a setting's value. A kind without a limit gets the limit in `_LARGEST_OF`."""
    kind: Any = row.kind
    most = _LARGEST_OF.get(type(kind))
    title = f"{side.capitalize()}: {row.title[0].lower()}{row.title[1:]}" if side else row.title
    return of_kind(replace(kind, most=most) if most and kind.most is None else kind, default, title, **more)


def prescribed(start: str) -> dict[str, Any]:
    """Return the settings, by name, that starting from a published tokenizer prescribes, in place of the visitor's.

    `start`: a key of `STARTS`.

    >>> prescribed("qwen")["pretokenizer"], prescribed("none")
    ('qwen', {})
    """
    row = PUBLISHED.get(start)
    own = {"alphabet": "bytes", "word_marker": "none"}
    return {} if row is None else {"pretokenizer": row.pretokenizer, "normalizers": row.normalizers, **own}


@dataclass(frozen=True)
class ChosenSettings(Settings):
    """The settings as a visitor chose them. Nothing is checked before `checked` is called.

    >>> ChosenSettings(vocab_size=3).checked()
    Traceback (most recent call last):
        ...
    bpe_core.settings.SettingsError: vocab_size 3 is below the 256 base symbols
    """

    vocab_size: int = setting("vocab_size", 1000, set_here=True)
    pattern: str = setting("pattern", DEFAULT_PATTERN)

    def __post_init__(self) -> None:
        """Check nothing: a visitor may choose settings that no training can use."""

    def checked(self) -> Settings:
        """Return the settings to train with; raise `SettingsError` or `PatternError` if no training can use them."""
        values = {name: getattr(self, name) for name in SETTINGS} | prescribed(self.start)
        return Settings(**(values if values["pretokenizer"] == "custom" else values | {"pattern": ""}))


@dataclass(frozen=True)
class GrownSettings(Settings):
    """The settings of a training that starts from a tokenizer that the visitor opened.

    `opened`: the tokenizer's key in the session. `title`: the tokenizer's title. `content`: a key of the contents of
    the tokenizer's files, so that settings with two different files of the same name are not equal.
    """

    opened: str = ""
    title: str = ""
    content: Hashable = None

    @property
    def starts_from(self) -> str:
        """What training starts from, in a few words."""
        return f"the tokens of {self.title}"


def chosen_as(settings: Settings) -> dict[str, Any]:
    """Return the values, by name, that a page has when these settings are chosen on it."""
    values = {name: getattr(settings, name) for name in SETTINGS}
    start = {"start": settings.opened} if isinstance(settings, GrownSettings) else {}
    return values | start | {"pattern": settings.pattern or DEFAULT_PATTERN}


def _rows(page: type[Any]) -> dict[str, Value]:
    """Return the declaration of each value in a page's link, by field name. `page`: the class of the page's state."""
    found = {each.name: _row(each) for each in fields(page)}
    return {name: row for name, row in found.items() if row is not None}


def _session_keys(page: type[Any]) -> dict[str, str]:
    """Return the session keys of the values that a link or a widget has, by field name. `page`: the state's class."""
    keys = {each.name: f"{page.PAGE}.{each.name}" for each in fields(page) if each.metadata.get("widget")}
    for name, row in rows(page).items():
        keys[name] = f"{'shared' if row.shared else page.PAGE}.{row.name or name}"
    return keys


def _unlinked_keys(page: type[Any]) -> dict[str, str]:
    """Return, for each field that no link and no widget has, the session key of the dictionary that has its value.

    The session keys are by field name.
    """
    others = [each for each in fields(page) if each.name not in session_keys(page)]
    return {each.name: f"{'shared' if each.metadata['shared'] else page.PAGE} unlinked" for each in others}


def _row(declared: Field[Any]) -> Value | None:
    row: Value | None = declared.metadata.get("value")
    if row is None and "setting" in declared.metadata:
        default = getattr(Settings(), declared.name)
        row = _of_setting(declared.metadata["setting"], default)
    return row


rows: Callable[[Any], dict[str, Value]] = cache(_rows)
session_keys: Callable[[Any], dict[str, str]] = cache(_session_keys)
unlinked_keys: Callable[[Any], dict[str, str]] = cache(_unlinked_keys)


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
