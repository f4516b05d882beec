"""The states of the pages, in the visitor's session. How they come from an address and get there: `address_bar`.

    read(Train) → Train(step=3, …)          at the start of a run, and of every fragment's run
    save(replace(now, step=4))              at once
    change(Train, later, 4)                 in a callback, before the run: `later` takes a state and returns a new state

A widget is a drawing of a value, and never the place of the value. It gets the value from the state, and its callback
puts a new value there:

    st.selectbox("Alphabet", keys, **widget(Train, "alphabet"))

In every message the browser sends the values that all widgets last showed. When the server sets a value, a message that
is already under way still has the old value, and Streamlit would take the old value for the visitor's choice. So
whenever anything but a value's own widget changes the value, the widget gets a new key, which that message lacks.

Streamlit's session has one object of ours, a `Session`, besides the values of widgets. A newer run of a visitor ends
the older one, but only when the older one calls Streamlit. Changing the `Session` is no such call, so each change is
made as a whole or not at all. Until its next call of Streamlit, the older run goes on in a thread of its own, and has
older values than the newer run. So `save` begins with such a call, and the older run ends there. Callbacks save without
such a call: what they save is what the visitor did, and always counts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import partial
from time import time
from types import MappingProxyType
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypedDict, TypeVar, cast

import streamlit as st

from bpe_core.text.alphabet import without_surrogates
from pages.parts.server.inside_streamlit import get_script_run_ctx
from pages.parts.state import links
from pages.parts.state.page_states import PageState, Shared, shared_names
from pages.parts.state.values import changed, getters, rows

S = TypeVar("S", bound=PageState)
T = TypeVar("T")
Result = TypeVar("Result")
P = ParamSpec("P")
_KEY = "session"
OWN_UNTIL_CHOSEN = {"corpus", "tokenizer"}  # shared values that are "" until they are chosen
ATTEMPTS = 100  # to read Streamlit's session while a newer run changes it
_thread = threading.local()  # the session of the visitor whose run a thread is in: one thread serves one visitor


@dataclass
class Session:
    """What the app remembers of one visitor.

    `states`: the state of each page that was read, by the page's name. `shared`: the values that all pages share.
    `generations`: how often something else than its own widget changed a value; see `widget`. `titles`: the form and
    the title under which a menu last showed a value; see `entitle`. `open_page`: the page that was open in the last
    run. `arrived`: whether the open page has yet to publish its first link. `opened`: the pages that were
    open so far. `remarks`: see `remarks`. `published`: the link that was last published. `fitted`: see
    `fit_to_corpus`. `results`: what `latest` caches. `others`: what each `SessionSlot` has, by its name. `lock`: held
    during a change, since two runs of a visitor may go on in two threads. `began`: when the session began, in
    milliseconds; it tells the answers of a tab apart that were given to an earlier session.
    """

    states: dict[str, PageState] = field(default_factory=dict)
    shared: Shared = field(default_factory=Shared)
    generations: dict[str, int] = field(default_factory=dict)
    titles: dict[str, tuple[object, object]] = field(default_factory=dict)
    open_page: type[PageState] | None = None
    arrived: bool = False
    opened: set[type[PageState]] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    published: dict[str, str] | None = None
    fitted: dict[str, tuple[str | None, Mapping[str, object]]] = field(default_factory=dict)
    results: dict[str, tuple[object, object]] = field(default_factory=dict)
    others: dict[str, object] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    began: int = field(default_factory=lambda: round(time() * 1000))

    def read(self, page: type[S]) -> S:
        """Return the state of a page."""
        if page.PAGE not in self.states:
            self.states[page.PAGE] = self._with_shared(page())
        return cast(S, self.states[page.PAGE])

    def store(self, now: PageState, different: Iterable[str]) -> None:
        """Store the state of a page. `different`: the names of the values that the page has changed."""
        self.states[now.PAGE] = now
        if shared := {name: getattr(now, name) for name in {*different} & {*shared_names(type(now))}}:
            self.share(shared)

    def share(self, values: Mapping[str, object]) -> None:
        """Set values that all pages share."""
        self.shared = changed(self.shared, values)
        self.states = {page: self._with_shared(state) for page, state in [*self.states.items()]}

    def _with_shared(self, now: S) -> S:
        """Return a state with the values that all pages share. What is not chosen yet is as the page begins."""
        values = {name: getattr(self.shared, name) for name in shared_names(type(now))}
        for name in OWN_UNTIL_CHOSEN & values.keys():
            values[name] = values[name] or rows(type(now))[name].default
        return changed(now, values)


def session() -> Session:
    """Return the visitor's session.

    A thread looks for it once, and then remembers it.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or getattr(_thread, "context", None) is not context:
        found = sent(_KEY)
        if not isinstance(found, Session):
            found = st.session_state[_KEY] = Session()
        _thread.context, _thread.session = context, found
    return cast(Session, _thread.session)


def end_if_overtaken() -> None:
    """End this run if a newer run of the visitor has begun. For runs, and not for callbacks."""
    st.session_state.get(_KEY)  # any call of Streamlit does that


def sent(key: str) -> object:
    """Return what the browser last sent for a widget or a component; None if it sent nothing. For callbacks and runs.

    A newer run may not end a callback: its change would be lost. So this function reads Streamlit's session by
    `to_dict`. Any other call of Streamlit ends the callback if a newer run has begun. `key`: the key of the widget.
    """
    for _ in range(ATTEMPTS):
        with suppress(RuntimeError, KeyError):  # a newer run, in its thread, changed the session meanwhile
            return st.session_state.to_dict().get(key)
    return st.session_state.to_dict().get(key)


_IN_MENU = ContextVar("in a menu", default=False)


@contextmanager
def in_menu() -> Iterator[None]:
    """Say that the widgets inside are in a menu, which is closed at first.

    A browser makes such a widget when the menu is opened, from what the last run said about it. A run that does not set
    the widget says only the default of the widget, and the browser would show that, and send it.
    """
    token = _IN_MENU.set(True)
    try:
        yield
    finally:
        _IN_MENU.reset(token)


def set_widget(key: str, form: object) -> None:
    """Let the widget with this key show `form`. Call this before the widget is drawn: Streamlit refuses it later.

    After another page was open, the session may still have the value of that page's widget with this key. The widget
    of this page would begin with its own default all the same. A text is shown without its lone surrogates, which
    Streamlit cannot send.
    """
    if isinstance(form, str):
        form = without_surrogates(form, "\ufffd")
    if session().arrived or _IN_MENU.get() or st.session_state.get(key) != form:
        st.session_state[key] = form


class SessionSlot(Generic[T]):
    """A place in the session for something that belongs to no page's state.

    >>> slot = SessionSlot("the last training", 0)
    >>> slot.put(5)
    >>> slot.get()
    5
    """

    def __init__(self, name: str, default: T) -> None:
        """Name the slot. Two slots may not have the same name. `default`: what the slot has before the first `put`."""
        self.name, self.default = name, default

    def get(self) -> T:
        """Return what the slot has."""
        return cast(T, session().others.get(self.name, self.default))

    def put(self, value: T) -> None:
        """Set what the slot has."""
        session().others[self.name] = value


class WidgetPart(NamedTuple):
    """One of several widgets of a value.

    `form`: what the widget shows. `name`: a part of the widget's key; "" for the widget with the value's own key.
    """

    form: object
    name: str = ""


class WidgetArguments(TypedDict):
    """The arguments of a Streamlit widget that draws a value."""

    key: str
    on_change: Callable[[], None]


def key(page: type[PageState], name: str) -> str:
    """Return the key of a value's widget. It has a number, which rises when the server sets the value."""
    base = _base_key(page, name)
    number = session().generations.get(base)
    return f"{base} {number}" if number else base


def _base_key(page: type[PageState], name: str) -> str:
    row = rows(page).get(name)
    return f"{'shared' if name in shared_names(page) else page.PAGE}.{(row and row.name) or name}"


def widget(
    page: type[S], name: str, then: Callable[[S], S] | None = None, whole: bool = False, part: WidgetPart | None = None
) -> WidgetArguments:
    """Return the arguments that make a widget draw a value of the page. Call this right before the widget is drawn.

    `then`: a function that is called with the page's state after the widget has changed it, and returns the state to
    save. `whole`: whether a change reruns the whole page, even from within a fragment. `part`: what sets this widget
    apart, if the value has several widgets.
    """
    own_key = drawn_key = key(page, name)
    form = _form(page, name)
    if part:
        form, drawn_key = part.form, f"{part.name} of {own_key}" if part.name else own_key
    set_widget(drawn_key, form)
    return {"key": drawn_key, "on_change": partial(_receive, page, name, own_key, drawn_key, then, whole)}


def entitle(page: type[PageState], name: str, titles: Mapping[Any, str]) -> None:
    """Give the menu of a value another key if the value's title has changed: a browser would show the old title.

    Call this before `widget`, in a run. `titles`: the title of each form of the value.
    """
    end_if_overtaken()  # the newer run may have drawn the menu already
    here, base, form = session(), _base_key(page, name), _form(page, name)
    before = here.titles.get(base, (None, None))
    here.titles[base] = now = form, titles.get(form)
    if before[0] == now[0] and before[1] != now[1]:
        _renew(here, base)


def _form(page: type[PageState], name: str) -> object:
    """Return a value of the page in the form that its widget shows."""
    row, value = rows(page).get(name), getters(page)[name](read(page))
    return row.to_widget(value) if row else value


def _renew(here: Session, base: str) -> None:
    """Give the widgets of a value another key, so that they show the value anew: see the head of this file."""
    here.generations[base] = here.generations.get(base, 0) + 1


def _receive(
    page: type[S], name: str, own_key: str, drawn_key: str, then: Callable[[S], S] | None, whole: bool
) -> None:
    """Save the value that the browser sent for a widget. If the server has set the value since, ignore the message.

    `own_key`: the value's key when the widget was drawn. `drawn_key`: the widget's key.
    """
    if own_key == key(page, name):
        row, form = rows(page).get(name), sent(drawn_key)
        # A value with a widget and without a link says whether a menu is open.
        value = row.from_browser(form) if row else bool(form)
        with session().lock:
            now = _save(changed(read(page), {name: value}), by=name)
        if then:
            _save(then(now))
    if whole:
        st.rerun()


def read(page: type[S]) -> S:
    """Return the state of a page. The page need not be open."""
    return session().read(page)


def save(now: S) -> S:
    """Set the state of a page, and return it. For runs: if a newer run has begun, this one ends here."""
    with session().lock:  # a newer run cannot save between the two lines
        end_if_overtaken()
        return _save(now)


def _save(now: S, by: str = "") -> S:
    """Set the state of a page, and return it. `by`: the value whose own widget made the change; "" for none.

    Each changed value gets a new widget, except `by`: see the head of this file.
    """
    here = session()
    with here.lock:
        before = read(type(now))
        different = [name for name, value_of in getters(type(now)).items() if value_of(now) != value_of(before)]
        for name in different:
            if name != by:
                _renew(here, _base_key(type(now), name))
        if different:
            here.store(now, different)
    return now


def change(page: type[S], later: Callable[Concatenate[S, P], S], *arguments: P.args, **more: P.kwargs) -> None:
    """Call `later` with the page's state and `arguments`, and save the state that `later` returns. For callbacks."""
    _save(later(read(page), *arguments, **more))


def put(page: type[PageState], **values: object) -> None:
    """Set some values of a page. For callbacks."""
    with session().lock:
        _save(changed(read(page), values))


def fit_to_corpus(now: S, fitting: Mapping[str, object], by: str = "corpus") -> S:
    """Set the values that suit the corpus; return the state. `fitting`: the values that suit the corpus, by name.

    If another corpus was chosen, set all these values. If only the text of the corpus changed, or on the first visit,
    leave the values that the visitor or the link set. `by`: the field that the values have to suit; by default the
    corpus.
    """
    page, chosen, here = type(now), getattr(now, by, ""), session()
    defaults = {name: rows(page)[name].default for name in fitting}
    before, fitted = here.fitted.get(page.PAGE, (None, defaults))
    another = before not in (None, chosen)
    new = {
        name: value
        for name, value in fitting.items()
        if another or (name in fitted and getattr(now, name) == fitted[name])
    }
    after = save(changed(now, new))
    here.fitted[page.PAGE] = chosen, new
    return after


def remarks(now: PageState) -> list[str]:
    """Return sentences about what the page could not do. The sentences are dropped as soon as a value changes."""
    here = session()
    if here.remarks and here.published not in (None, links.written(now)):
        here.remarks = []
    return here.remarks


def remark(now: S, why: str = "", values: Mapping[str, object] = MappingProxyType({})) -> S:
    """Set some values of a page; add `why` to its remarks, sentences about what it could not do. Return the state.

    Any other change of a value drops the remarks; this one keeps them. `why`: a sentence; "" for none.
    """
    sentences = [*remarks(now), *filter(None, [why])]
    later = save(changed(now, values))
    if sentences:
        here = session()
        here.remarks, here.published = sentences, links.written(later)
    return later


def latest(name: str, of: tuple[object, ...], make: Callable[[], Result]) -> Result:
    """Return the result of `make`. The result is cached under `name` until `of` changes or the page is left.

    Outside of a visitor's run, as in the route of resources, nothing is cached.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return make()
    results = session().results
    known = results.get(name)
    if known is None or known[0] != of:
        known = results[name] = of, make()
    return cast(Result, known[1])


def show(wanted: PageState) -> None:
    """Set all values of a page to the values in `wanted`, except fields declared with `stays` (`values.unlinked`).

    A text or a tokenizer that the page begins with counts as not chosen by the visitor.
    """
    page, now = type(wanted), read(type(wanted))
    stay = {each.name: getattr(now, each.name) for each in fields(cast(Any, page)) if each.metadata.get("stays")}
    if "version" in stay:  # a film adopts the step that is wanted
        stay["version"] += 1
    _save(changed(wanted, stay))
    names = OWN_UNTIL_CHOSEN.intersection(shared_names(page))
    if own := {name: "" for name in names if getattr(wanted, name) == rows(page)[name].default}:
        session().share(own)
