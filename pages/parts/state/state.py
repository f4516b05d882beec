"""The states of the pages, in the session and in the URL. No other file reads or writes the session or the URL.

On the first visit the URL is read, and each value is checked; from then on the session is read, and its values are
written into the URL.

    read(Train) → Train(step=3, …)          at the start of a run, and of every fragment's run
    save(replace(now, step=4))              at once: Streamlit may end the run when Streamlit is called next
    change(Train, later, 4)                 in a callback, before the run: `later` takes a state and returns a new state

A widget has its value under `key(Train, "step")`. Streamlit goes through all keys of the session several times at
every key press. So only the values of the open page and the values that all pages share have keys of their own; the
values of the other pages are in one dictionary, `OTHERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx

from pages.parts.state import links
from pages.parts.state.links import OWN
from pages.parts.state.page_states import PageState, WithText
from pages.parts.state.values import PartlyReadError, Value, rows, session_keys, unlinked_keys

S = TypeVar("S", bound=PageState)
Result = TypeVar("Result")
P = ParamSpec("P")
OTHERS = "other pages"  # the key of the values of the pages that are not open, by their session keys
LATEST = "latest"  # the key of the results that `latest` caches, by their names
GENERATIONS = "generations"  # the key of a dictionary: session key of a value → how often the page itself set the value
READ = "states as read"  # the key of the last `_Reading` of each page, by the page's name
TEXT_MISSING = "The link's text was too long for a link: paste it, or open its file."


class _Reading(NamedTuple):
    """A reading of a page's values.

    `forms`: the values by field name, each in the form of its widget. `state`: the same values as a state. `run`: the
    run of the page's script in which the reading is valid.
    """

    forms: dict[str, Any]
    state: Any
    run: object


def _this_run() -> object:
    """Return an object that identifies the current run of a page's script; None outside a run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context and context.cursors


def key(page: type[PageState], name: str) -> str:
    """Return the session key of a value. The value's widget has the same key."""
    return _numbered(session_keys(page)[name], recall(GENERATIONS, {}))


def _keys(page: type[PageState]) -> dict[str, str]:
    """Return the session key of each value in the page's link, by field name."""
    numbers, session_key = recall(GENERATIONS, {}), session_keys(page)
    return {name: _numbered(session_key[name], numbers) for name in rows(page)}


def _numbered(session_key: str, numbers: Mapping[str, int]) -> str:
    return f"{session_key} {numbers[session_key]}" if session_key in numbers else session_key


def read(page: type[S]) -> S:
    """Return the state of a page. The page need not be open.

    A widget's value changes only between two runs of the page's script. So a run reads the values of a page once. It
    reads them again only after the state of another page was saved.
    """
    last = _last(page)
    if last.run is not None and last.run is _this_run():
        found: S = last.state
        return found
    others, numbers = recall(OTHERS, {}), recall(GENERATIONS, {})
    forms = {}
    for name, session_key in session_keys(page).items():
        if session_key in numbers:
            session_key = _numbered(session_key, numbers)
        value = st.session_state.get(session_key)
        forms[name] = others.get(session_key) if value is None else value
    unlinked = {session_key: recall(session_key, {}) for session_key in set(unlinked_keys(page).values())}
    for name, session_key in unlinked_keys(page).items():
        forms[name] = unlinked[session_key].get(name)
    state: S = last.state
    if state is None or forms != last.forms:
        state = _converted(page, forms, last.forms, last.state)
    remember(READ, recall(READ, {}) | {page.PAGE: _Reading(forms, state, _this_run())})
    return state


def _last(page: type[PageState]) -> _Reading:
    """Return the reading that a page's last `read` or `save` made. Before the first, return an empty reading."""
    found: _Reading = recall(READ, {}).get(page.PAGE, _Reading({}, None, None))
    return found


def _converted(page: type[S], forms: Mapping[str, Any], last_forms: Mapping[str, Any], last: S | None) -> S:
    """Return the state whose values have, in their widgets, the forms `forms`. A form of None gives the default.

    If a value has the same form in `last_forms`, take the value from the state `last`.
    """
    found, values = rows(page), {}
    for name, value in forms.items():
        if last is not None and value == last_forms.get(name):
            values[name] = getattr(last, name)
        elif value is not None:
            row = found.get(name)
            values[name] = row.from_browser(value) if row else value
    return page(**values)


def save(now: S, more: Mapping[str, Any] = MappingProxyType({})) -> S:
    """Write a page's state into the session, and return the state. Either all values are written or none.

    `more`: further session values to set together with the state, by key.

    In every message the browser sends the values that all widgets last showed. When the page itself sets a value, a
    message that is already under way still has the old value. Streamlit would take the old value for the visitor's
    choice. So a widget whose value the page may set (`Value.set_here`) gets a new key each time this function sets the
    value.
    """
    page = type(now)
    if _last(page).state is None:
        read(page)
    last_forms, last, _ = _last(page)
    found, keys, numbers = rows(page), session_keys(page), recall(GENERATIONS, {})
    new, forms = dict(more), dict(last_forms)
    for each in fields(cast(Any, page)):
        name, value = each.name, getattr(now, each.name)
        if value == getattr(last, name):
            continue
        if unlinked := unlinked_keys(page).get(name):
            forms[name] = value
            new[unlinked] = {**new.get(unlinked, recall(unlinked, {})), name: value}
            continue
        row, session_key = found.get(name), keys[name]
        if row and row.set_here:
            new[_numbered(session_key, numbers)] = None
            numbers = numbers | {session_key: numbers.get(session_key, 0) + 1}
        forms[name] = new[_numbered(session_key, numbers)] = row.to_widget(value) if row else value
    if numbers:
        new[GENERATIONS] = numbers
    if forms != last_forms:
        # Pages share values, so the states of the other pages have to be read again.
        stale = {name: each._replace(run=None) for name, each in recall(READ, {}).items()}
        new[READ] = stale | {page.PAGE: _Reading(forms, now, _this_run())}
    write(new)
    return now


def change(page: type[S], later: Callable[Concatenate[S, P], S], *arguments: P.args, **more: P.kwargs) -> None:
    """Call `later` with the page's state and `arguments`, and save the state that `later` returns. For callbacks."""
    save(later(read(page), *arguments, **more))


def put(page: type[PageState], **values: Any) -> None:
    """Set some values of a page. For callbacks."""
    save(replace(read(page), **values))


def recall(name: str, default: Any = None) -> Any:
    """Return the value that a widget or `remember` has set under a session key; `default` if there is no value."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Set the value under a session key; None removes it."""
    if value is not None:
        st.session_state[name] = value
    elif name in st.session_state:
        del st.session_state[name]


def write(values: Mapping[str, Any]) -> None:
    """Set values by session key; None removes a value. All are set even if a newer run of the script ends this run.

    Streamlit ends a run by an exception, which it raises when the run next calls Streamlit. Setting a value
    is such a call. So this function catches the exception, and raises it again after the last value is set.
    """
    overtaken: RerunException | None = None
    for name, value in values.items():
        while True:
            try:
                remember(name, value)
                break
            except RerunException as newer:  # raised once for each newer run, before the value is set
                overtaken = newer
    if overtaken:
        raise overtaken


def last_open_page() -> type[PageState] | None:
    """Return the page that was open in the last run; None on the first visit."""
    found: type[PageState] | None = recall("open page")
    return found


def open_page(page: type[S]) -> S:
    """Open a page and return its state.

    On the first visit that is the state in the link. Later it is the state in which the page was left.
    """
    first_visit = not recall("opened")
    _leave_others(page)
    _assign(page, rows(page))
    if first_visit:
        remember("opened", True)
        remember("remarks", list(_read_link(page)))
    return read(page)


def keep(page: type[PageState]) -> None:
    """Keep the page's `live` values even if the open view draws no widget for them. Call this before it is drawn."""
    _assign(page, [name for name, row in rows(page).items() if row.live])


def _assign(page: type[PageState], names: Iterable[str]) -> None:
    """Assign values to themselves, which keeps them: Streamlit drops a value that a run neither draws nor assigns."""
    found, forms, keys = rows(page), _forms(page), _keys(page)
    for name in names:
        if not found[name].shared or forms[name] is not None:
            st.session_state[keys[name]] = forms[name]


def _forms(page: type[PageState]) -> dict[str, Any]:
    """Return the values that a page's link may have, by field name, each in the form of its widget.

    A value that all pages share is None until the visitor chooses it.
    """
    now = read(page)
    forms = _last(page).forms
    return {name: _form(row, getattr(now, name), forms[name]) for name, row in rows(page).items()}


def _form(row: Value, value: Any, form: Any) -> Any:
    """Return a value in the form of its widget; None for a shared value that the visitor has not chosen.

    `form`: the form in the session. A forged message may have sent a form that no widget sends. The value is then the
    default, and this returns the default's form.
    """
    return form if value != row.default or (row.shared and form is None) else row.first_form


def _leave_others(page: type[PageState]) -> None:
    """If another page was open, move that page's values into the dictionary `OTHERS`, and take `page`'s values out."""
    before = last_open_page()
    if before is page:
        return
    new: dict[str, Any] = {}
    others = dict(recall(OTHERS, {}))
    left, opened = set(_keys(before).values()) if before else set(), set(_keys(page).values())
    for session_key in left - opened:
        # Streamlit drops a value that only the server has set. But the last `publish` wrote the value into `others`.
        others[session_key] = recall(session_key, others.get(session_key))
        new[session_key] = None
    for session_key in opened & others.keys():
        # If another page has set the value in the meantime, that newer value takes precedence.
        new[session_key] = recall(session_key, others.pop(session_key))
    # Dropping the cached results (`LATEST`) frees the runs and texts that nothing else needs.
    write(new | {OTHERS: others, LATEST: None, "open page": page})


def _read_link(page: type[PageState]) -> Iterator[str]:
    """Set the page's values from the link. Yield a sentence for each value that cannot be used."""
    given = {links.current_name(page, name): (name, value) for name, value in st.query_params.to_dict().items()}
    named = links.named(page)
    not_in_link = {name: row.default for linked, (name, row) in named.items() if linked not in given}
    remember(f"{page.PAGE}.fitted", (None, not_in_link))
    values = {}
    for linked, (written, value) in given.items():
        if linked not in named:
            yield f"The link's “{written[:40]}” is not known here and was left out."
            continue
        name, row = named[linked]
        try:
            values[name] = row.read(value)
        except PartlyReadError as error:
            values[name] = error.value
            yield f"The link's “{row.title}” was shortened: {error}."
        except ValueError as error:
            yield f"The link's “{row.title}” was left out: {error}."
    if issubclass(page, WithText):
        if values.get("text"):
            values["corpus"] = OWN
        elif values.get("corpus") == OWN:
            del values["corpus"]
            yield TEXT_MISSING
    found, keys = rows(page), _keys(page)
    write({READ: None} | {keys[name]: found[name].to_widget(value) for name, value in values.items()})


def fit_to_corpus(now: S, fitting: Mapping[str, Any], by: str = "corpus") -> S:
    """Set the values that suit the corpus; return the state. `fitting`: the values that suit the corpus, by name.

    If another corpus was chosen, set all these values. If only the text of the corpus changed, or on the first visit,
    leave the values that the visitor or the link set. `by`: the field that the values have to suit; by default the
    corpus.
    """
    page, chosen = type(now), getattr(now, by, "")
    fitted_key, defaults = f"{page.PAGE}.fitted", {name: rows(page)[name].default for name in fitting}
    before, fitted = recall(fitted_key, (None, defaults))
    another = before not in (None, chosen)
    new = {
        name: value
        for name, value in fitting.items()
        if another or (name in fitted and getattr(now, name) == fitted[name])
    }
    remember(fitted_key, (chosen, new))
    return save(replace(now, **new))


def remarks(now: PageState) -> list[str]:
    """Return sentences about what the page could not do. The sentences are dropped as soon as a value changes."""
    if recall("remarks") and recall("published") not in (None, links.written(now)):
        remember("remarks", [])
    found: list[str] = recall("remarks")
    return found


def text_missing(now: PageState) -> bool:
    """Return whether the link lacks its text because the text was too long for a link."""
    return TEXT_MISSING in remarks(now)


def remark(now: S, why: str = "", **values: Any) -> S:
    """Set some values of a page; add `why` to its remarks, sentences about what it could not do. Return the state.

    Any other change of a value drops the remarks; this one keeps them. `why`: a sentence; "" for none.
    """
    sentences = remarks(now)
    later = save(replace(now, **values))
    if why:
        sentences.append(why)
    if sentences:
        remember("published", links.written(later))
    return later


def publish(page: type[PageState]) -> None:
    """Write the page's values into the URL, and write the values that the page does not share into `OTHERS`.

    In `OTHERS` the values remain when the visitor leaves the page.
    """
    forms, found, keys = _forms(page), rows(page), _keys(page)
    own = {keys[name]: form for name, form in forms.items() if not found[name].shared}
    remember(OTHERS, recall(OTHERS, {}) | own)
    link = links.written(read(page))
    # `query_params` may be old: the browser may have sent them before the last published link arrived there.
    if link != st.query_params.to_dict() or link != recall("published", link):
        st.query_params.from_dict(link)
    remember("published", link)


def latest(name: str, of: tuple[Any, ...], make: Callable[[], Result]) -> Result:
    """Return the result of `make`. The result is cached under `name` until `of` changes or the page is left."""
    results = recall(LATEST, {})
    if results.get(name, (None,))[0] != of:
        results = results | {name: (of, make())}
        remember(LATEST, results)
    found: Result = results[name][1]
    return found


def show(wanted: PageState) -> None:
    """Set all values of a page to the values in `wanted`, except fields declared with `stays` (`values.unlinked`).

    A value that pages share and that equals this page's default counts as not chosen by the visitor.
    """
    page = type(wanted)
    stay = [each.name for each in fields(cast(Any, page)) if each.metadata.get("stays")]
    now = read(page)
    save(replace(wanted, **{name: getattr(now, name) for name in stay}))
    for name, row in rows(page).items():
        if row.shared and getattr(wanted, name) == row.default:
            write({READ: None, key(page, name): None})
