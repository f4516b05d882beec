"""The values of the pages, in the session and in the URL. No other file reads or writes these.

`links.PARAMS` is the table of the values in a link. On the first visit the URL is read, and each value is checked; from
then on the session is read, and its values are written into the URL.

Streamlit goes through all keys of the session several times for every key that a visitor presses. So only the values of
the open page and the values that all pages share have keys in the session; a single dictionary has the values of the
other pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages.parts.session.former_names import current_name
from pages.parts.session.links import OWN, PARAMS, SET, too_long
from pages.parts.session.readers import of_kind
from pages.parts.session.titles import titled

OTHERS = "other pages"  # the key of the values of the pages that are not open
LATEST = "latest"  # the key of the results that `latest` remembers
GENERATIONS = "generations"  # the key of how often `renew` set each value
TEXT_MISSING = "The link's text was too long for a link: paste it, or open its file."


def key(page: str, name: str) -> str:
    """Return the session key of a value, which is also the key of its widget."""
    param = PARAMS[page].get(name)
    known = f"shared.{name}" if param and param.shared else f"{page}.{name}"
    number = recall(GENERATIONS, {}).get(known) if name in SET else None
    return f"{known} {number}" if number else known


def get(page: str, name: str) -> Any:
    """Return a value of any page, open or not; its default if it is not set."""
    known = key(page, name)
    value = recall(known)
    if value is None:
        value = recall(OTHERS, {}).get(known)
    return PARAMS[page][name].default if value is None else value


def put(page: str, name: str, value: Any) -> None:
    """Set a value. Call this before its widget is drawn, or from a callback."""
    st.session_state[key(page, name)] = value


def renew(page: str, name: str, value: Any) -> None:
    """Set a value of `links.SET`, and give its widget a new key.

    With every message the browser sends the values of all widgets as it last showed them. With the old key, Streamlit
    would take a value that was sent before the new one arrived for the visitor's choice.
    """
    if get(page, name) != value:
        known = key(page, name)
        remember(known, None)
        numbers = recall(GENERATIONS, {})
        first = known.partition(" ")[0]
        remember(GENERATIONS, numbers | {first: numbers.get(first, 0) + 1})
        put(page, name, value)


def recall(name: str, default: Any = None) -> Any:
    """Return a value of the session, of a widget or given to `remember`; `default` if there is none."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Set a value of the session; None removes it."""
    if value is None:
        st.session_state.pop(name, None)
    else:
        st.session_state[name] = value


def keep(page: str) -> None:
    """Keep the values whose widgets only some views draw. Call this before the views are drawn."""
    for name, param in PARAMS[page].items():
        if param.live:
            put(page, name, get(page, name))


def open_page(page: str) -> None:
    """Set every value of a page: to what it was when the page was left, or on the first visit, to the link's."""
    first_visit = not recall("opened")
    _leave_others(page)
    for name, param in PARAMS[page].items():
        # Streamlit drops the value of a widget that is not drawn, unless it is assigned
        put(page, name, of_kind(recall(key(page, name), None if param.shared else param.default), param.default))
    if first_visit:
        remember("opened", True)
        remember("remarks", list(_read_link(page)))


def _leave_others(page: str) -> None:
    """If another page was open, move its values into the dictionary `OTHERS`, and this page's out of it."""
    before = recall("open page")
    if before == page:
        return
    others = recall(OTHERS, {})
    for known in {key(before, name) for name in PARAMS.get(before, {})} - {key(page, name) for name in PARAMS[page]}:
        others[known] = recall(known, others.get(known))  # Streamlit drops values that only the server has set
        remember(known, None)
    for known in {key(page, name) for name in PARAMS[page]} & others.keys():
        remember(known, recall(known, others.pop(known)))  # a value that another page set wins
    remember(OTHERS, others)
    remember(LATEST, None)  # frees runs and texts that nothing else needs
    remember("open page", page)


def _read_link(page: str) -> Iterable[str]:
    """Set the page's values to those of the link; yield a sentence for each that cannot be used."""
    given = {current_name(page, name): (name, value) for name, value in st.query_params.to_dict().items()}
    free = {name: param.default for name, param in PARAMS[page].items() if name not in given}
    put(page, "fitted", (None, free))
    for name, (written, value) in given.items():
        param = PARAMS[page].get(name)
        if param is None:
            yield f"The link's “{written[:40]}” is not known here and was left out."
            continue
        try:
            put(page, name, param.read(value))
        except ValueError as error:
            yield f"The link's “{titled(name)}” was left out: {error}."
    if "corpus" not in PARAMS[page]:
        return
    if recall(key(page, "text")):
        put(page, "corpus", OWN)
    elif recall(key(page, "corpus")) == OWN:
        put(page, "corpus", None)
        yield TEXT_MISSING


def fit_to_corpus(page: str, values: Mapping[str, Any]) -> None:
    """Set values that suit the corpus: all of them if another corpus was chosen.

    If only the text of the corpus changed, or on the first visit of a link, the values that a visitor set stay.
    """
    chosen, defaults = get(page, "corpus"), {name: PARAMS[page][name].default for name in values}
    before, fitted = recall(key(page, "fitted"), (None, defaults))
    another = before not in (None, chosen)
    fitting = {name: values[name] for name in values if another or (name in fitted and get(page, name) == fitted[name])}
    for name, value in fitting.items():
        renew(page, name, value)
    put(page, "fitted", (chosen, fitting))


def remarks(page: str) -> list[str]:
    """Return sentences about what the page could not do; they go when a value changes."""
    if recall("remarks") and recall("published") not in (None, link(page)):
        remember("remarks", [])
    return recall("remarks")


def text_missing(page: str) -> bool:
    """Return whether the link has no text because the text was too long for it."""
    return TEXT_MISSING in remarks(page)


def give_up(page: str, name: str, why: str, value: Any = None) -> None:
    """Set a value to `value` or its default, and add `why` to the remarks of the next run."""
    known = remarks(page)
    put(page, name, PARAMS[page][name].default if value is None else value)
    known.append(why)
    remember("published", link(page))


def publish(page: str) -> None:
    """Write the page's values into the URL, and remember them for when the page is left."""
    own = {key(page, name): get(page, name) for name, param in PARAMS[page].items() if not param.shared}
    remember(OTHERS, recall(OTHERS, {}) | own)
    link_now = link(page)
    if link_now != st.query_params.to_dict():
        st.query_params.from_dict(link_now)
    remember("published", link_now)


def link(page: str) -> dict[str, str]:
    """Return the page's values as its link has them."""
    return written(page, {name: get(page, name) for name in PARAMS[page]})


def written(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Return values of a page as a link has them: those that fit into it and are not the default."""
    corpus, missing = values.get("corpus"), too_long(values)
    implied = corpus and ("corpus" if corpus == OWN and "text" not in missing else "text")  # one implies the other
    return {
        name: PARAMS[page][name].write(value)
        for name, value in values.items()
        if name != implied and name not in missing and value != PARAMS[page][name].first(corpus)
    }


def left_out(page: str) -> str:
    """Return a sentence about the values that do not fit into a link to the page; "" if all do."""
    names = too_long({name: get(page, name) for name in PARAMS[page]})
    return f"Too long for a link. Send {' and '.join(map(titled, names))} separately." if names else ""


def latest(name: str, of: tuple, make: Callable[[], Any]) -> Any:
    """Return what `make` gives, cached under `name` until `of` changes or the page is left."""
    known = recall(LATEST, {})
    if known.get(name, (None,))[0] != of:
        known = known | {name: (of, make())}
        remember(LATEST, known)
    return known[name][1]


def show(page: str, values: Mapping[str, Any]) -> None:
    """Set these values of a page, and all its other values to their defaults."""
    for name, param in PARAMS[page].items():
        change = renew if name in SET else put
        change(page, name, values.get(name, None if param.shared else param.default))
