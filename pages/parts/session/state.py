"""What a page remembers: session values and the URL. The only file that touches them.

What travels in a link is the table `links.PARAMS`. On the first visit the URL is read, and each value is checked; from
then on the session leads and the URL follows.

Streamlit goes through all keys of the session several times at every key that is pressed. So only the values of the
page that is open, and what all pages share, have keys of their own; those of the other pages lie in one dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages.parts.session.former_names import current_name
from pages.parts.session.links import OWN, PARAMS, SET, too_long
from pages.parts.session.readers import of_kind
from pages.parts.session.titles import titled

OTHERS = "other pages"  # the key of their values
LATEST = "latest"  # the key of what the open page last made
GENERATIONS = "generations"  # the key of how often values were set beside their widgets
TEXT_MISSING = "The link's text was too long for a link: paste it, or open its file."


def key(page: str, name: str) -> str:
    """The session key of a value, which is also its widget's key."""
    param = PARAMS[page].get(name)
    known = f"shared.{name}" if param and param.shared else f"{page}.{name}"
    number = recall(GENERATIONS, {}).get(known) if name in SET else None
    return f"{known} {number}" if number else known


def get(page: str, name: str) -> Any:
    """The value now, also of a page that is not open."""
    known = key(page, name)
    value = recall(known)
    if value is None:
        value = recall(OTHERS, {}).get(known)
    return PARAMS[page][name].default if value is None else value


def put(page: str, name: str, value: Any) -> None:
    """Set a value; only before its widget is drawn, or from a callback."""
    st.session_state[key(page, name)] = value


def renew(page: str, name: str, value: Any) -> None:
    """Set a value that a widget shows, one of `links.SET`, under a key of its own.

    With every message the browser sends all values as it last showed them. Under the same key, one that it sent before
    it had the new value would be taken for what a person chose.
    """
    if get(page, name) != value:
        known = key(page, name)
        remember(known, None)
        numbers = recall(GENERATIONS, {})
        first = known.partition(" ")[0]
        remember(GENERATIONS, numbers | {first: numbers.get(first, 0) + 1})
        put(page, name, value)


def recall(name: str, default: Any = None) -> Any:
    """What the session remembers under a key that need not exist: a widget's value, or what `remember` was given."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Remember something for the session; None forgets it."""
    if value is None:
        st.session_state.pop(name, None)
    else:
        st.session_state[name] = value


def keep(page: str) -> None:
    """Keep the values whose widgets only some views draw; before any of them is drawn."""
    for name, param in PARAMS[page].items():
        if param.live:
            put(page, name, get(page, name))


def open_page(page: str) -> None:
    """Make every value of this page exist, as it was when the page was left; on the first visit, as in the link."""
    first_visit = not recall("opened")
    _leave_others(page)
    for name, param in PARAMS[page].items():
        # assigning a widget's value to itself keeps it while its widget is not drawn
        put(page, name, of_kind(recall(key(page, name), None if param.shared else param.default), param.default))
    if first_visit:
        remember("opened", True)
        remember("remarks", list(_read_link(page)))


def _leave_others(page: str) -> None:
    """Where another page was open before, put its values away and take out this one's."""
    before = recall("open page")
    if before == page:
        return
    others = recall(OTHERS, {})
    for known in {key(before, name) for name in PARAMS.get(before, {})} - {key(page, name) for name in PARAMS[page]}:
        others[known] = recall(known, others.get(known))  # Streamlit drops those that only the server has set
        remember(known, None)
    for known in {key(page, name) for name in PARAMS[page]} & others.keys():
        remember(known, recall(known, others.pop(known)))  # what was set from another page comes first
    remember(OTHERS, others)
    remember(LATEST, None)  # runs and texts, which nothing else may need any more
    remember("open page", page)


def _read_link(page: str) -> Iterable[str]:
    """Take over the link's values; yields a sentence for each that is not usable."""
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
    """Set the values that go with the corpus: all of them where another corpus is chosen.

    While only its text changes, or on a link's first visit, those that a person set stay.
    """
    chosen, defaults = get(page, "corpus"), {name: PARAMS[page][name].default for name in values}
    before, fitted = recall(key(page, "fitted"), (None, defaults))
    another = before not in (None, chosen)
    fitting = {name: values[name] for name in values if another or (name in fitted and get(page, name) == fitted[name])}
    for name, value in fitting.items():
        renew(page, name, value)
    put(page, "fitted", (chosen, fitting))


def remarks(page: str) -> list[str]:
    """What the page could not do as asked; gone after the next change."""
    if recall("remarks") and recall("published") not in (None, link(page)):
        remember("remarks", [])
    return recall("remarks")


def text_missing(page: str) -> bool:
    """Whether the link came without its text, which was too long for it."""
    return TEXT_MISSING in remarks(page)


def give_up(page: str, name: str, why: str, value: Any = None) -> None:
    """Set a value to another, its default if none is given, and say why when the page is drawn again."""
    known = remarks(page)
    put(page, name, PARAMS[page][name].default if value is None else value)
    known.append(why)
    remember("published", link(page))


def publish(page: str) -> None:
    """Write the page's values into the URL, those that differ from the first ones, and keep all for when it is left."""
    own = {key(page, name): get(page, name) for name, param in PARAMS[page].items() if not param.shared}
    remember(OTHERS, recall(OTHERS, {}) | own)
    link_now = link(page)
    if link_now != st.query_params.to_dict():
        st.query_params.from_dict(link_now)
    remember("published", link_now)


def link(page: str) -> dict[str, str]:
    """The page's values as they stand in the URL."""
    return written(page, {name: get(page, name) for name in PARAMS[page]})


def written(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Values of a page as they stand in a link: those that are not the default, and fit."""
    corpus, missing = values.get("corpus"), too_long(values)
    told = corpus and ("corpus" if corpus == OWN and "text" not in missing else "text")  # by the other one of the two
    return {
        name: PARAMS[page][name].write(value)
        for name, value in values.items()
        if name != told and name not in missing and value != PARAMS[page][name].first(corpus)
    }


def left_out(page: str) -> str:
    """What a link to the page cannot carry, as a sentence; "" where it carries all."""
    names = too_long({name: get(page, name) for name in PARAMS[page]})
    return f"Too long for a link. Send {' and '.join(map(titled, names))} separately." if names else ""


def latest(name: str, of: tuple, make: Callable[[], Any]) -> Any:
    """What was last made of these things, kept until it is wanted of others, or the page is left."""
    known = recall(LATEST, {})
    if known.get(name, (None,))[0] != of:
        known = known | {name: (of, make())}
        remember(LATEST, known)
    return known[name][1]


def show(page: str, values: Mapping[str, Any]) -> None:
    """Set the page to these values, and all others to what they are at first."""
    for name, param in PARAMS[page].items():
        change = renew if name in SET else put
        change(page, name, values.get(name, None if param.shared else param.default))
