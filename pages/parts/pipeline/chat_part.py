"""The part of the Pipeline page that a chat goes through first: a template writes the chat's turns as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from pages.parts.state.playground_state import Playground
from streamlit.delta_generator import DeltaGenerator

from bpe_core.chat.model_input import ModelInput
from bpe_core.chat.rendered import Rendered
from bpe_core.chat.templates import ChatError
from bpe_core.tokenizer.encoding import NOTHING, Encoding
from bpe_core.tokenizer.post_processing import Template
from pages.parts.chat import chat_tokens, chat_turns
from pages.parts.chat.chat_template import SHOWS_ONE, explain_another, template_choice
from pages.parts.pipeline.pipeline_parts import MOST_CHARACTERS, SHOWN, marked
from pages.parts.state import chat_values, state
from pages.parts.state.pipeline_state import Pipeline
from pages.parts.state.tokenizer_keys import TOKENIZERS, in_file
from pages.parts.ui import elements, sentences
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

NO_CHAT = Rendered("", ())  # in place of a chat that cannot be rendered


def follow_playground() -> None:
    """If the visitor comes from the Playground's chat, show that chat and its tokenizer. Call before the page opens.

    Pipeline has no tokenizers from files or the Hub: if the Playground shows such a tokenizer, Pipeline keeps its own.
    """
    if state.session().open_page is not Playground or (before := state.read(Playground)).view != "chat":
        return
    tokenizer = before.tokenizer
    own = {} if in_file(tokenizer) or tokenizer not in TOKENIZERS else {"model": tokenizer}
    state.put(Pipeline, input="chat", **own)


def draw_template(
    control: DeltaGenerator, output: DeltaGenerator, vocabulary: PageVocabulary
) -> tuple[Rendered, chat_tokens.Marks]:
    """Draw the choice of a template, and the text that it makes.

    Return two values: the beginning of the text, as much as the page works on; and whether the template's marks are
    control tokens (see `chat_tokens.Marks`).
    """
    with control:
        try:
            choice = template_choice(Pipeline, vocabulary)
            chat_turns.answer_switch(Pipeline, choice.template)
            found, template = chat_turns.rendered(Pipeline, choice.template, vocabulary)
        except ChatError as error:
            st.html(elements.problem(str(error)))
            return NO_CHAT, "control"
        explain_another(Pipeline, choice, _with_tokenizer)
        if choice.about:
            st.html(elements.note(choice.about))
    with output:
        st.html(marked(found.text, chat_tokens.characters(found, SHOWN)))
        notes = sentences.about_text(found.text, MOST_CHARACTERS)
        notes += ["Hatched: what the template writes."] if found.runs else []
        notes += chat_tokens.about_text(found, template, chat_turns.turns_of(Pipeline))
        st.html(elements.note(" ".join(notes)))
    return found.beginning(MOST_CHARACTERS), choice.marks


def _with_tokenizer(now: Pipeline) -> Pipeline:
    return replace(now, model=SHOWS_ONE, chat_template=chat_values.FITTING)


def model_input(encoding: Encoding, template: Template, rendered: Rendered) -> ModelInput | None:
    """Return the model's input for a chat; None if the vocabulary lacks a special token that `template` adds."""
    specials = {name: i for i, name in encoding.walk.vocabulary.special_names.items()}
    if not specials.keys() >= set(template.special_tokens):
        return None
    around = template.around(specials) if template.special_tokens else NOTHING
    return ModelInput(replace(encoding, around=around), rendered)


def whose(found: ModelInput, vocabulary: PageVocabulary, marks: chat_tokens.Marks) -> Sequence[str]:
    """Draw how many tokens the turns and the template have, and notes on the tokens; return each token's CSS class."""
    st.html(elements.figures(chat_tokens.figures(found, chat_turns.example_turns(Pipeline))))
    for remark in chat_tokens.remarks(found, chat_turns.turns_of(Pipeline), vocabulary.title, marks):
        st.html(remark)
    return chat_tokens.styles(found)
