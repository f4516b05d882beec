"""The view of a conversation's requests: what is sent, what a server can keep, and where it can keep no more."""

from __future__ import annotations

import streamlit as st
from markupsafe import Markup

from bpe_core.chat import rendering
from bpe_core.chat.conversation import ChatRequest, Requests, requests_of
from bpe_core.chat.templates import ChatError
from bpe_core.counting.prices import money, price_of, why_no_price
from bpe_core.pictures.paper import html
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.written_ids import read_ids
from pages.parts.chat import chat_inputs, chat_turns, shown_turns
from pages.parts.chat.chat_template import Choice
from pages.parts.state import chat_values, state
from pages.parts.state.chat_state import Chat
from pages.parts.ui import controls, elements, sentences
from pages.parts.ui.terms import lesson_about
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

BEFORE, AFTER = 8, 24  # tokens before and after the first that differs
MOST_TYPED = 200_000  # characters of typed ids
MOST_TOGETHER = 10_000_000  # characters of all requests: four seconds of a processor
SOURCES = {
    "ids": "as you typed its ids",
    "template": "encoded as the template writes it right after it was generated, with its thinking",
    "text": "encoded from its thinking and its text, since the template leaves out a part of it",
}
KEY = Markup(
    '<p class="note"><i class="key kept"></i> kept, at most <i class="key new"></i> computed anew. Servers keep whole '
    "blocks of tokens, for a while: so “at most”.</p>"
)
_ROW = Markup(
    '<div class="sent{}"><p><strong>Request {}</strong> {}</p><div class="bar" aria-hidden="true">'
    '<i style="width: {:.2f}%"></i><i class="new" style="width: {:.2f}%"></i></div></div>'
)
_TOKENS = Markup('<p class="title apart">{}</p><div class="tokens">{}</div>')


def requests_view(choice: Choice, chosen: PageVocabulary) -> None:
    """Draw a bar for each request, and where the chosen request departs from what a server has."""
    _, template = chat_turns.rendered(choice.template, chosen)
    now, chat = shown_turns.read(), chat_inputs.chat()
    generated = _generated(now)
    _check_size(chat)
    asked = (template.source, *chat_turns.given(now), now.generated, chosen.name, id(chosen.tokenizer))
    found = state.latest("requests", asked, lambda: requests_of(chosen.tokenizer, template, chat, generated))
    st.html(elements.finding(found.summary))
    if found.about_the_date:
        st.html(elements.note(found.about_the_date))
    if len(found.all) < 2:
        st.html(elements.note("A second request follows an answer: paste a conversation, or add turns."))
        return
    bars = st.container()  # above the slider: the picture first
    number = _chosen_request(found)
    most = max(request.sent for request in found.all)
    drawn = (_row(request, at, most, at == number) for at, request in enumerate(found.all))
    bars.html(html.scroll_region(KEY + html.joined(drawn), "the requests", "requests"))
    if now.turns == chat_values.EXAMPLE_TURNS:
        st.html(elements.note("An example: paste a conversation to see its requests."))
    if number:
        _break(found, number, chosen)
    _prices(found)
    st.html(lesson_about("A lesson: why does the third answer cost more?", "requests"))


def _check_size(chat: rendering.Chat) -> None:
    """Raise `ChatError` if the requests are so long that other visitors would wait."""
    sizes = [len(turn.content) for turn in chat.turns]
    answered = [at for at, turn in enumerate(chat.turns) if turn.role == "assistant"]
    together = sum(sum(sizes[:at]) for at in answered)
    if together > MOST_TOGETHER:
        raise ChatError(
            f"The requests of this conversation have {together:,} characters together; the page compares "
            f"{MOST_TOGETHER:,}. The command compares all: mergescope chat qwen turns.json --requests."
        )


def _chosen_request(found: Requests) -> int:
    """Draw the slider over the requests; return the index of the request. It opens on the one that loses most."""
    now = state.read(Chat)
    size, worst = len(found.all), found.worst or len(found.all) - 1
    shown = now.chat_request if 1 <= now.chat_request <= size else worst + 1
    key = f"chat.request of {size} {worst}"
    st.slider("Request", 1, size, shown, key=key, on_change=_choose, args=(key,))
    return shown - 1


def _choose(key: str) -> None:
    number = state.sent(key)
    state.put(Chat, chat_request=number if isinstance(number, int) else 0)


def _row(request: ChatRequest, at: int, most: int, is_open: bool) -> Markup:
    unit = 100 / max(most, 1)
    kept = f"{request.sent:,} sent · {request.kept:,} kept · {request.computed:,} anew"
    figures = f"{kept} · {request.lost:,} lost" if request.lost else kept
    return _ROW.format(" open" if is_open else "", at + 1, figures, unit * request.kept, unit * request.computed)


def _break(found: Requests, number: int, chosen: PageVocabulary) -> None:
    """Draw the tokens where a request departs from what a server has, and how the answer before is known."""
    request, before = found.all[number], found.all[number - 1]
    had = before.input.ids + (before.answer.ids if before.answer else ())
    if request.broken is None:
        st.html(elements.note(f"Request {number + 1} begins with all {len(had):,} tokens that a server has."))
    else:
        at, why = request.broken.at, found.why(number)
        why = f"{why[0].upper()}{why[1:]}."
        st.html(elements.note(f"The first token that differs is token {at + 1:,}. {why}"))
        st.html(
            _around("A server has", had, at, chosen)
            + _around(f"Request {number + 1} sends", request.input.ids, at, chosen)
        )
    if before.answer:
        _answer_ids(before.answer.turn, SOURCES[before.answer.source], len(before.answer.ids), chosen.example_ids)


def _around(title: str, ids: tuple[int, ...], at: int, chosen: PageVocabulary) -> Markup:
    start = max(at - BEFORE, 0)
    part = ids[start : at + AFTER]
    tokens = [chosen.tokenizer.vocabulary.drawn_bytes(token_id) for token_id in part]
    marks = [("alarm", "the first that differs") if start + n == at else ("", "") for n in range(len(part))]
    return _TOKENS.format(title, html.text_tokens(tokens, part, chosen.glyph, marks=marks))


def _answer_ids(turn: int, source: str, size: int, example: str) -> None:
    """Draw how an answer's tokens are known, and a box for the ids that the model generated."""
    st.html(elements.note(f"The answer, turn {turn + 1}, is {counted(size, 'token')}, {source}."))
    with st.expander(f"The ids that the model generated for turn {turn + 1}"):
        key = f"chat.generated {turn} {state.read(Chat).chat_changes}"
        typed = dict(state.read(Chat).generated).get(turn, "")
        st.text_area("Ids", typed, key=key, height=80, placeholder=example, on_change=_typed, args=(turn, key))


def _typed(turn: int, key: str) -> None:
    typed, known = state.sent(key), dict(state.read(Chat).generated)
    known.pop(turn, None)
    if isinstance(typed, str) and typed.strip():
        known[turn] = typed[:MOST_TYPED]
    state.put(Chat, generated=tuple(known.items()))


def _generated(now: Chat) -> dict[int, list[int]]:
    """Return the typed ids of answers, by the index of the turn; `ChatError` if they cannot be read."""
    found = {}
    for turn, typed in now.generated:
        try:
            found[turn] = read_ids(typed)
        except ValueError as error:
            raise ChatError(f"The ids of turn {turn + 1}: {sentences.problem(error)}") from None
    return found


def _prices(found: Requests) -> None:
    """Draw two lines for prices, and what the requests cost at them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        new = controls.line(Chat, "new_price", "New input, price per million", placeholder="price in $", width=220)
        kept = controls.line(Chat, "kept_price", "Kept input, price per million", placeholder="price in $", width=220)
    if not new.strip():
        return
    if why := why_no_price(new) or why_no_price(kept):
        st.html(elements.problem(why))
        return
    prices = [price_of(text) for text in (new, kept if kept.strip() else new)]
    at_new, at_kept = (price or 0.0 for price in prices)
    whole = found.sent * at_new / 1e6
    with_kept = ((found.sent - found.kept) * at_new + found.kept * at_kept) / 1e6
    best, worst = (money(new, f"{amount:,.6f}") for amount in (with_kept, whole))
    st.html(elements.note(f"The input of these requests costs {best} at best; if nothing is kept, {worst}."))
