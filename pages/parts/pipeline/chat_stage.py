"""The stage before all others where a chat goes through them: a template makes a text of the turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core.chat.model_input import ModelInput, not_said
from bpe_core.chat.rendering import Rendered
from bpe_core.chat.templates import ChatError
from bpe_core.tokenizer.encoding import NOTHING, Encoding
from bpe_core.tokenizer.post_processing import Template
from pages.parts.pipeline.stages import MOST_CHARACTERS, SHOWN, marked
from pages.parts.session import chats
from pages.parts.session.page_states import Pipeline
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import chat_tokens, elements, sentences
from pages.parts.widgets import chat_turns
from pages.parts.widgets.chat_template import SHOWS_ONE, stands_in, template_choice

NO_CHAT = Rendered("", ())  # in place of one that cannot be rendered


def draw_template(control: DeltaGenerator, output: DeltaGenerator, vocabulary: Vocabulary) -> Rendered:
    """Draw the choice of a template, and the text that it makes; return the beginning, which the page works on."""
    with control:
        try:
            choice = template_choice(Pipeline, vocabulary)
            chat_turns.answer_switch(Pipeline)
            found, template = chat_turns.rendered(Pipeline, choice.template, vocabulary.tokenizer)
        except ChatError as error:
            st.html(elements.problem(str(error)))
            return NO_CHAT
        stands_in(Pipeline, choice, _with_tokenizer)
        if choice.about:
            st.html(elements.note(choice.about))
    with output:
        st.html(marked(found.text, chat_tokens.characters(found, SHOWN)))
        notes = sentences.about_text(found.text, MOST_CHARACTERS)
        notes.append("Hatched: what the template writes." if found.runs else chat_tokens.UNTOLD)
        if missing := not_said(template):
            notes.append(chat_tokens.UNSAID.format(", ".join(missing)))
        st.html(elements.note(" ".join(notes)))
    return found.beginning(MOST_CHARACTERS)


def _with_tokenizer(now: Pipeline) -> Pipeline:
    return replace(now, model=SHOWS_ONE, chat_template=chats.FITTING)


def model_input(encoding: Encoding, template: Template, rendered: Rendered) -> ModelInput | None:
    """Return what the model is given of a chat; None if the vocabulary lacks a special token that `template` adds."""
    specials = {name: i for i, name in encoding.walk.vocabulary.special_names.items()}
    if not specials.keys() >= set(template.special_tokens):
        return None
    around = template.around(specials) if template.special_tokens else NOTHING
    return ModelInput(replace(encoding, around=around), rendered)


def whose(found: ModelInput, vocabulary: Vocabulary) -> Sequence[str]:
    """Draw whose the tokens are, and what is wrong with them; return the CSS class of each."""
    st.html(elements.figures(chat_tokens.figures(found)))
    for sentence in chat_tokens.alarms(found, chat_turns.turns_of(Pipeline)):
        st.html(elements.problem(sentence))
    if lacking := chat_tokens.lacking(found, vocabulary.title):
        st.html(elements.problem(lacking))
    return chat_tokens.styles(found)
