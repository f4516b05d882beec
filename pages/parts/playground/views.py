"""The Playground's views: a text's tokens, tokenizers side by side, a chat, a vocabulary, and more."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.pictures.paper import html
from bpe_core.pictures.saved.saved_page import view as saved_view
from bpe_core.pictures.shared.drawing import Drawing, text_drawing, token_drawing
from bpe_core.tokenizer.written_ids import read_ids
from pages.parts.page import your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.page.tokens_view import TokensRequest, chosen_token
from pages.parts.playground.chat_view import CHAT, chat_view
from pages.parts.playground.explorer_view import explorer_view
from pages.parts.playground.files_view import FILES, files_view
from pages.parts.playground.ids_tables import SHOWN
from pages.parts.playground.ids_view import COMMAND, MOST_IDS, TOO_MANY, ids_view, tokens_or_ids
from pages.parts.playground.many_tokenizers_view import comparison, side_by_side_view
from pages.parts.playground.prompt_end_view import prompt_view
from pages.parts.playground.sameness_view import sameness_view
from pages.parts.playground.split_view import split_view
from pages.parts.playground.tokenizer_row import SAME, other
from pages.parts.playground.word_letters_view import word_letters_view
from pages.parts.state import state
from pages.parts.state.playground_state import Playground
from pages.parts.ui import controls, downloads, elements, sentences
from pages.parts.ui.controls import PageView
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

VOCABULARY, LETTERS = "vocabulary", "letters"  # keys of views
OWN_TEXT = (CHAT, FILES, SAME, VOCABULARY, LETTERS)  # the views with texts of their own


def below_tokens(request: TokensRequest) -> None:
    """Draw what typing does not redraw: facts about the tokenizer, the menu of files and the box for ids.

    A file has the text as of the click.
    """
    st.html(elements.more("About the tokenizer", request.chosen.about))
    menu = st.popover("Save as a page, HTML, LaTeX", type="tertiary", key="playground.paper", on_change="rerun")
    if menu.open:
        with menu, problems_shown():
            text_files(request)
    with st.expander("From ids to text"), problems_shown():
        from_ids(request.chosen)


def text_files(request: TokensRequest) -> None:
    """Draw a button for a saved page of the text, and buttons for two pictures as HTML and LaTeX.

    One picture shows the text's tokens, the other the chosen token's tree. The view itself has the buttons for SVG
    and PNG.
    """
    page, text, specials, chosen, _ = request
    tokenizer, glyph = chosen.tokenizer, chosen.glyph
    encoding = tokenizer.encode(text, specials=specials)
    token = chosen_token(state.read(page), chosen, encoding.walk)
    if token is None:
        return
    downloads.saved_pages("text", {"Save as a page": lambda: saved_view(encoding, chosen.title, glyph)})
    table = token.table
    token_id = int(table.ids[token.number])

    def tokens_of_text() -> Drawing:
        found, name = [*map(table.drawn, range(len(table)))], token.walk.vocabulary.lost_name
        return text_drawing(token.walk.text, found, table.ids.tolist(), glyph, table.lost.tolist(), name)

    def tree() -> Drawing:
        return token_drawing(tokenizer, token_id, glyph)

    drawings: dict[str, Callable[[], Drawing]] = {"tokens": tokens_of_text}
    if token_id >= 0:
        drawings["tree"] = tree
    for name, make in drawings.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(elements.note(f"{name.capitalize()}:"), width="content")
            downloads.pictures(name, make, ("html", "tex"))


def from_ids(chosen: PageVocabulary) -> None:
    """Draw a box for ids, and the text that they decode to."""
    pasted = st.text_area("Ids", key="playground.pasted", height=80, placeholder=chosen.example_ids)
    try:
        ids = read_ids(pasted, MOST_IDS + 1)
        found = tokens_of(chosen.tokenizer, ids)
    except ValueError as error:
        st.html(elements.problem(sentences.problem(error)))
        return
    if len(ids) > MOST_IDS:
        st.html(elements.problem(TOO_MANY.format(MOST_IDS, COMMAND)))
    elif ids:
        st.html(html.text_tokens(found[:SHOWN], ids[:SHOWN], chosen.glyph))
        if len(ids) > SHOWN:
            st.html(elements.note(f"… and {len(ids) - SHOWN:,} more"))
        text = chosen.tokenizer.decode(ids)
        controls.button("Put this text into the box", Playground, your_text.put_in, text, key="playground.put")


def tokens_of(tokenizer: Tokenizer, ids: list[int]) -> list[bytes]:
    """Return the bytes of each id; raise `ValueError` for an id that the vocabulary does not have."""
    known = range(len(tokenizer.tokens)), set(tokenizer.special_tokens.values())
    strange = next((i for i in ids if not any(i in ids_of for ids_of in known)), None)
    if strange is not None:
        largest = max([len(tokenizer.tokens) - 1, *known[1]])
        raise ValueError(f"id {strange:,} is not in this vocabulary: its ids end at {largest:,}")
    return [tokenizer.vocabulary.drawn_bytes(i) for i in ids]


VIEWS = {
    "tokens": PageView("Tokens", tokens_or_ids, below_tokens),
    "side-by-side": PageView(
        "Side by side", side_by_side_view, above=comparison, question="Who needs fewer tokens for the same text?"
    ),
    SAME: PageView("Same?", sameness_view, above=other, question="Is it the same tokenizer?"),
    CHAT: PageView("Chat", chat_view, question="What does the model see of a chat?"),
    VOCABULARY: PageView(
        "Vocabulary",
        lambda request: explorer_view(request.chosen),
        question="Which tokens are in the vocabulary?",
    ),
    LETTERS: PageView(
        "Letters", lambda request: word_letters_view(), question="In which tokens are the letters of a word?"
    ),
    "prompt": PageView("End of a prompt", prompt_view, question="Does the end of a prompt cut a token?"),
    "ids": PageView("Ids", ids_view, question="What do these ids say, and would the tokenizer write them?"),
    FILES: PageView("Files", files_view, question="How many tokens do your files have?"),
    "split": PageView("Split", split_view, question="Why is the text cut there?"),
}


def question(now: Playground) -> str:
    """Return the question that the open view answers; "" for the view of tokens, and for a view that does not exist."""
    return VIEWS[now.view].question if now.view in VIEWS else ""


def has_own_text(now: Playground) -> bool:
    """Return whether the open view has texts of its own, so that the page needs no box with your text."""
    is_languages = now.view == "side-by-side" and now.compared == "languages"
    return now.view in OWN_TEXT or is_languages
