"""The view of a chat: its turns, and the tokens that a model is given of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe_core.chat.model_input import ModelInput, bos_of, not_said, with_bos
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import ChatError, Turn, read_turns, write_turns
from bpe_core.display import html
from bpe_core.display.in_words import counted
from bpe_core.published import PUBLISHED
from pages.parts.playground.chat_choice import SHOWS_ONE, Choice, problem, template_choice
from pages.parts.session import chats, links, state
from pages.parts.session.page_states import Playground
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements, sentences
from pages.parts.widgets import controls
from pages.parts.widgets.text_tokens import Request
from pages.parts.widgets.tokenizer_choice import explained

CHAT = "chat"  # the key of the view
ROLES = ("system", "user", "assistant", "tool")
SHOWN = 1500  # tokens
LEFT_OUT = "playground.chat left out"  # the session key of what the link left out when the chat was drawn last
WHOSE = {"yours": "yours, turn {}", "both": "yours, turn {}, and the template's", "template": "the template's"}
TWICE = "{} comes twice in a row, while models are trained with one"
HOW = (
    ": the template writes one, and the tokenizer puts its own before it. Whoever tokenizes a rendered chat turns the "
    "tokenizer's own off (add_special_tokens=False)"
)


def chat_view(request: Request) -> None:
    """Draw the turns and, beside them, what the model is given."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        choice: Choice | None = None
        wrong: ChatError | None = None
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            try:
                choice = template_choice(request.chosen)
            except ChatError as error:
                wrong = error
            _switch("answer", "Begin the answer", "End with what makes the model answer (add_generation_prompt)")
        _turns()
    with right, explained():
        if choice is None or wrong is not None:
            problem(wrong or ChatError(""))
            return
        try:
            _shown(choice, request.chosen)
        except ChatError as error:
            problem(error)
    _tell_share()


def _tell_share() -> None:
    """Rerun the page if its link now leaves out other values than before, which the Share button says."""
    left_out = links.left_out(state.read(Playground))
    if state.recall(LEFT_OUT, "") != left_out:
        state.remember(LEFT_OUT, left_out)
        st.rerun()


def _switch(name: str, label: str, help: str) -> bool:
    """Draw a switch for a value that is "yes" or "no"."""
    key = f"playground.switch {name}"
    now = state.read(Playground)
    on = getattr(now, name) == "yes"

    def switched() -> None:
        state.put(Playground, **{name: "yes" if state.recall(key) else "no"})

    return st.toggle(label, value=on, key=key, help=help, on_change=switched)


# --- the turns ---


def _turns() -> None:
    """Draw a row for each turn, and a button for another."""
    now = state.read(Playground)
    turns = read_turns(now.turns)
    for number, turn in enumerate(turns):
        _turn(now, number, turn)
    if len(turns) < chats.MOST_TURNS:
        role = "assistant" if turns and turns[-1].role == "user" else "user"
        controls.button("Add a turn", Playground, _with_turns, (*turns, Turn(role, "")), key="playground.add turn")


def _turn(now: Playground, number: int, turn: Turn) -> None:
    """Draw a turn's role, content and a button that removes it."""
    role, content = (f"playground.turn {now.chat_changes} {number} {name}" for name in ("role", "content"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        roles = list(dict.fromkeys((*ROLES, turn.role)))
        st.selectbox(
            f"Role of turn {number + 1}", roles, index=roles.index(turn.role), key=role, width=130,
            label_visibility="collapsed", on_change=_changed, args=(number, role, content),
        )  # fmt: skip
        turns = read_turns(now.turns)
        rest = (*turns[:number], *turns[number + 1 :])
        controls.button(
            "Remove", Playground, _with_turns, rest, key=f"playground.remove {number}", type="tertiary",
            help=f"Remove turn {number + 1}",
        )  # fmt: skip
    st.text_area(
        f"Turn {number + 1}", turn.content, key=content, height=68, label_visibility="collapsed",
        max_chars=20_000, on_change=_changed, args=(number, role, content),
    )  # fmt: skip


def _changed(number: int, role: str, content: str) -> None:
    """Take a turn from its widgets."""
    turns = list(read_turns(state.read(Playground).turns))
    if number < len(turns):
        turns[number] = Turn(str(state.recall(role, turns[number].role)), str(state.recall(content, "")))
        state.put(Playground, turns=write_turns(turns))


def _with_turns(now: Playground, turns: Sequence[Turn]) -> Playground:
    """Return the state with other turns, whose rows are new."""
    return replace(now, turns=write_turns(turns), chat_changes=now.chat_changes + 1)


def _with_tokenizer(now: Playground) -> Playground:
    return replace(now, tokenizer=SHOWS_ONE, chat_template=chats.FITTING)


# --- what the model is given ---


def _shown(choice: Choice, chosen: Vocabulary) -> None:
    """Draw the tokens of the chat, and sentences about them."""
    now = state.read(Playground)
    bos = bos_of(choice.template, chosen.tokenizer)
    template = with_bos(choice.template, bos)
    turns = read_turns(now.turns)
    asked = (template.source, tuple(template.special_tokens.items()), turns, now.answer)
    rendered = state.latest("a rendered chat", asked, lambda: render(template, turns, now.answer == "yes"))
    label, about = f"With the tokenizer's own {bos}", "As tokenizer(text) does unless told otherwise"
    if bos and _switch("bos", sentences.plain(label), about):
        rendered = rendered.begun_with(bos)
    found = ModelInput(chosen.tokenizer, rendered, bos)
    st.html(elements.figures(_figures(found)))
    for sentence in _alarms(found, turns):
        st.html(elements.problem(sentence))
    if choice.stands_in:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(elements.note(choice.stands_in))
            title = PUBLISHED[SHOWS_ONE].title
            controls.button(f"See it with {title}", Playground, _with_tokenizer, key="playground.see one")
    encoding, end = found.encoding, SHOWN
    lost = encoding.lost[:end]
    drawn = html.text_tokens(
        encoding.drawn[:end], found.ids[:end], chosen.glyph, lost=lost, lost_name=encoding.walk.vocabulary.lost_name,
        marks=_marks(found)[:end],
    )  # fmt: skip
    st.html(html.scroll_region(drawn, "what the model is given", "chat"))
    notes = ["Hatched: the template's own tokens."] if rendered.runs else [f"{found.summary}."]
    if len(found.ids) > end:
        notes.append(f"Showing the first {end:,} of {counted(len(found.ids), 'token')}.")
    if (row := PUBLISHED.get(chosen.name)) and row.remark and found.typed:
        notes.append(row.remark)
    if missing := not_said(template):
        notes.append(f"The template asks for {', '.join(missing)}, which nothing here says: paste the whole config.")
    st.html(elements.note(" ".join((*notes, choice.about))))
    with st.expander("The same as text and as ids"):
        # Streamlit takes off a line end before and after it, and the template's own are a part of the text.
        st.code(f"\n{rendered.text[:50_000]}\n", language=None, wrap_lines=True)
        st.code(str(list(found.ids[:20_000])), language=None, wrap_lines=True)


def _figures(found: ModelInput) -> list[tuple[str, str, str]]:
    rows = [(f"{len(found.ids):,}", "tokens", "that the model is given")]
    if found.rendered.runs is None:
        return rows
    rows.append((f"{found.sources.count('yours'):,}", "yours", "tokens of what the turns say"))
    rows.append((f"{found.sources.count('template'):,}", "template", "tokens that the template puts around it"))
    if shared := found.sources.count("both"):
        rows.append((f"{shared:,}", "of both", "tokens that join a character of yours to one of the template's"))
    return rows


def _alarms(found: ModelInput, turns: Sequence[Turn]) -> list[str]:
    """Return a sentence on a BOS that comes twice, and one for each control token that was typed as text."""
    own = state.read(Playground).bos == "yes"
    alarms = [f"{TWICE.format(found.bos)}{HOW if own else ''}."] if found.doubled else []
    names = {i: name for name, i in found.tokenizer.special_tokens.items()}
    typed = dict.fromkeys((found.turns[at], found.ids[at]) for at in found.typed)
    for turn, i in list(typed)[:5]:
        where = f"Turn {turn + 1} ({turns[turn].role})" if turn >= 0 else "A turn"
        alarms.append(
            f"{where} has {names[i]} typed as text: here it becomes the control token {i}, as if the template had "
            "written it."
        )
    return alarms


def _marks(found: ModelInput) -> list[tuple[str, str]]:
    """Return for each token its CSS class, and whose it is in words."""
    alarms = {*found.doubled, *(at - 1 for at in found.doubled), *found.typed}
    styles = {"yours": "", "both": "both", "template": "template", "": ""}
    return [
        ("alarm" if at in alarms else styles[source], WHOSE.get(source, "").format(found.turns[at] + 1))
        for at, source in enumerate(found.sources)
    ]
