"""The views of Chat: the tokens that a model is given, and what of them is kept, learnt and paid for."""

from __future__ import annotations

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.chat.model_input import ModelInput, model_input
from bpe_core.chat.templates import ChatError
from bpe_core.published import PUBLISHED
from bpe_core.text.in_words import counted
from pages.parts.chat import chat_tokens, chat_turns
from pages.parts.chat.chat_template import OF_OPENAI, Choice, explain_another, template_choice
from pages.parts.chat.chat_tokens import AT_ONCE
from pages.parts.chat.learnt_view import learnt_view, segments_view
from pages.parts.chat.requests_view import requests_view
from pages.parts.chat.shown_turns import turns_shown
from pages.parts.chat.tools_view import tools_view
from pages.parts.chat.versions_view import versions_view
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.state.chat_values import FITTING
from pages.parts.state.tokenizer_keys import FAVOURITE, SHOWS_ONE
from pages.parts.ui import elements, sentences
from pages.parts.ui.controls import PageView
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST_TEXT, MOST_IDS = 50_000, 20_000  # characters and ids to copy from the screen; the files have all of them
ADDS = "What the tokenizer adds to any text by itself, as tokenizer(text) does: add_special_tokens=True"
WHY_THIS = (
    f"Until you choose a tokenizer, this page shows {PUBLISHED[SHOWS_ONE].title.split(' (')[0]}: its chat template is "
    f"published, and that of {PUBLISHED[FAVOURITE].title.split(' (')[0]} is not."
)


def draw(view: PageView, chosen: PageVocabulary) -> None:
    """Draw the chat's turns and, beside the turns, the open view."""
    with st.container(key="chat"):
        left, right = st.columns([2, 3], gap="large")
    choice: Choice | ChatError
    with left:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            try:
                choice = template_choice(chosen)
            except ChatError as error:
                choice = error
            chat_turns.answer_switch(choice.template if isinstance(choice, Choice) else None)
        chat_turns.turns_box(choice.template if isinstance(choice, Choice) else None)
    with right, problems_shown():
        try:
            if isinstance(choice, ChatError):
                raise choice
            view.draw(choice, chosen)
        except ChatError as error:
            st.html(elements.problem(str(error)))
        if state.session().shared.tokenizer == "" and state.read(Chat).chat_template == FITTING:
            st.html(elements.note(WHY_THIS))


def _shown(choice: Choice, chosen: PageVocabulary) -> None:
    """Draw the tokens of the chat, and sentences about them."""
    rendered, template = chat_turns.rendered(choice.template, chosen)
    turns = turns_shown()
    adds = state.read(Chat).bos
    asked = (rendered, chosen.name, id(chosen.tokenizer), adds)
    found = state.latest("a chat's tokens", asked, lambda: model_input(chosen.tokenizer, rendered, adds))
    has_control_tokens = bool(choice.why_another) and chosen.name in OF_OPENAI
    st.html(elements.figures(chat_tokens.figures(found, has_control_tokens)))
    with st.container():  # the container is always one element, so that the menu of copies below stays open
        for remark in chat_tokens.remarks(found, turns, chosen.title, choice.marks):
            st.html(remark)
        for sentence in chat_tokens.about_text(rendered, template, turns):
            st.html(elements.note(sentence))
        if choice.used:
            st.html(elements.note(choice.used))
        explain_another(choice)
    with st.container():
        start = _part(len(found.ids))
        st.html(chat_tokens.drawing(found, chosen.glyph, start, start + AT_ONCE))
        if legend := chat_tokens.legend(found):
            st.html(legend)
        row = PUBLISHED.get(chosen.name)
        if row and row.remark and found.typed:
            st.html(elements.note(row.remark))
        if choice.about:
            st.html(elements.more("About the template", choice.about))
    _special_tokens_switch(chosen.tokenizer)
    with st.expander("The same as text and as ids"):
        _copies(found)


def _special_tokens_switch(tokenizer: Tokenizer) -> None:
    """Draw the switch for the special tokens that the tokenizer adds by itself."""
    names = {i: name for name, i in tokenizer.special_tokens.items()}
    before, after = (" ".join(names.get(i, str(i)) for i in ids) for ids in tokenizer.around)
    added = " and ".join(filter(None, (before and f"{before} before the chat", after and f"{after} after it")))
    label = f"Add special tokens: {added}" if added else "Add special tokens: it has none"
    chat_turns.switch("bos", sentences.plain(label), ADDS, disabled=not added)


def _part(size: int) -> int:
    """Draw the choice of a part of a long chat; return the index of the part's first token."""
    parts = -(-size // AT_ONCE)
    if parts < 2:
        return 0
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # The key changes with the number of parts: in a chat with fewer parts the former number may be too large.
        number = st.number_input(
            f"Part of {parts}",
            1,
            parts,
            key=f"chat.chat part of {parts}",
            width=140,
            help=f"{AT_ONCE:,} tokens each",
        )
        start = (min(max(int(number), 1), parts) - 1) * AT_ONCE
        st.html(elements.note(f"Tokens {start + 1:,} to {min(start + AT_ONCE, size):,} of {size:,}."))
    return start


def _copies(found: ModelInput) -> None:
    """Draw the rendered text and the ids, to copy from the screen or to download as files."""
    text, ids = found.rendered.text, found.ids
    # Streamlit removes one line end before a text, and one after it. Add both, so that the template's line ends stay.
    st.code(f"\n{text[:MOST_TEXT]}\n", language=None, wrap_lines=True)
    st.code(str(list(ids[:MOST_IDS])), language=None, wrap_lines=True)
    if len(text) > MOST_TEXT or len(ids) > MOST_IDS:
        shown = counted(min(len(text), MOST_TEXT), "character"), counted(min(len(ids), MOST_IDS), "id")
        st.html(elements.note(f"These are the first {' and '.join(shown)}. The files have all."))
    with st.container(horizontal=True, gap="small"):
        st.download_button("Text", text.encode, "chat.txt", key="chat.chat text", on_click="ignore")
        st.download_button("Ids (JSON)", lambda: str(list(ids)), "ids.json", key="chat.chat ids", on_click="ignore")


VIEWS = {
    "tokens": PageView("All tokens", _shown, tab="Sent", question="What is the model given of this chat?"),
    "segments": PageView(
        "Segments", segments_view, tab="Sent", question="What changes if each turn is encoded by itself?"
    ),
    "requests": PageView("Kept", requests_view, question="What can a server keep of a conversation?"),
    "tools": PageView("Tools", tools_view, question="What does each tool cost, in every request?"),
    "learnt": PageView("Trained on", learnt_view, question="Which tokens does training learn from?"),
    "versions": PageView(
        "Two prompts", lambda _, chosen: versions_view(chosen), question="What can be kept if a prompt changes?"
    ),
}
