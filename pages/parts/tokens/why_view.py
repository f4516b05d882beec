"""Why are these the tokens? Cards about your text: two neighbours, a word's letters, a prompt's end, the split."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.paper import html
from bpe_core.pictures.prompt.prompt_data import tokens_here
from bpe_core.pictures.tokens.token_facts import neighbours
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, times
from bpe_core.text.pattern_parts import alternatives
from bpe_core.tokenizer.letters import count, letters
from bpe_core.tokenizer.walk import TokenTable
from bpe_core.tokenizer.why_cut import cuts
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.letters_view import shown_word, with_its_letter
from pages.parts.tokens.prompt_view import prompt_end_of
from pages.parts.tokens.tokens_view import ShownText, chosen_token
from pages.parts.ui import controls, cut_lists, elements

LAST, PIECES = 6, 8  # tokens of a prompt, and pieces of a text, on a card
SAMPLE = 1_000  # characters of a text that is split for a card
UNCROSSED = "No merge crosses a cut between two pieces. "
_PIECES = Markup('<div class="tokens">{}</div>')


def why_view(shown: ShownText) -> None:
    """Draw the cards. Each has a button that opens its view."""
    for view, (title, draw) in CARDS.items():
        with st.container(border=True, key=f"why-{view}"), problems_shown():
            st.html(elements.title(title) + draw(shown))
            controls.button(
                "See all of it", Tokens, controls.with_view, view, key=f"tokens.why {view}", type="tertiary"
            )


def neighbours_card(shown: ShownText) -> Markup:
    """Return why the chosen token of the text, or its most interesting one, did not join its neighbours."""
    text, specials, chosen, _ = shown
    encoding = chosen.tokenizer.encode(text, specials=specials)
    token = chosen_token(state.read(Tokens), chosen, encoding.walk)
    if token is None:
        return elements.note("There is no token: type a text.")
    first, end = max(0, token.number - 1), min(len(token.table), token.number + 2)
    said = html.joined(html.sentence(reason, chosen.glyph) for reason in neighbours(token))
    return _tokens(token.table, first, end, chosen.glyph) + said


def letters_card(shown: ShownText) -> Markup:
    """Return the tokens of a word of the text, and how often the word has a letter."""
    now, chosen = with_its_letter(state.read(Tokens)), shown.chosen
    word = shown_word(now)
    encoding = chosen.tokenizer.encode(word, specials=False)
    has = f"“{word}” has “{now.letter}” {times(count(now.letter, letters(word)))}, and " if now.letter else f"“{word}” "
    said = f"{has}is {counted(len(encoding.ids), 'token')} at the start of a text."
    said += " A model is given their ids, and no letters."
    return html.text_tokens(encoding.tokens, encoding.ids, chosen.glyph) + elements.note(said)


def prompt_card(shown: ShownText) -> Markup:
    """Return the last tokens of a prompt, the tokens of the whole text there, and what the prompt's end cuts."""
    found = prompt_end_of(state.read(Tokens), shown)
    whole, prompt = found.tables
    first = max(0, min(found.same, len(prompt) - 1) - LAST + 1)
    end = len(whole) if found.across is None else found.across + 1
    rows = (
        elements.note(name) + _tokens(table, first, min(last, first + 2 * LAST), shown.chosen.glyph)
        for name, table, last in (("The prompt ends with", prompt, len(prompt)), ("The whole text has", whole, end))
    )
    return html.joined(rows) + html.sentence(tokens_here(found), shown.chosen.glyph)


def split_card(shown: ShownText) -> Markup:
    """Return the first pieces of the text, and a sentence on what cut them."""
    tokenizer = shown.chosen.tokenizer
    found = cuts(tokenizer, shown.text[:SAMPLE], shown.specials)
    pieces = (html.chip(encode_text(pretoken.text)) for pretoken in found[:PIECES])
    said = cut_lists.sentence(alternatives(tokenizer.pretokenizer), found, tokenizer.pretokenizer.title)
    more = f" Of the text's first {SAMPLE:,} characters." if len(shown.text) > SAMPLE else ""
    more += " These are the first pieces." if len(found) > PIECES else ""
    return _PIECES.format(html.joined(pieces)) + elements.note(
        f"{UNCROSSED if tokenizer.model.has_merges else ''}{said}{more}"
    )


def _tokens(table: TokenTable, first: int, end: int, glyph: str) -> Markup:
    shown: Sequence[int] = range(first, end)
    ids = [int(table.ids[number]) for number in shown]
    return html.text_tokens([*map(table.drawn, shown)], ids, glyph, lost=[bool(table.lost[n]) for n in shown])


CARDS = {
    "tokens": ("Neighbours that did not join", neighbours_card),
    "letters": ("Letters", letters_card),
    "prompt": ("The end of a prompt", prompt_card),
    "split": ("The split", split_card),
}
"""A card of each view that says why these are the tokens: its title, and the function that draws it."""
