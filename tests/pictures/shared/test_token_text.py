"""The renderer: honest about bytes, and safe in HTML."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.pictures.paper.html import pretokens, row, text_tokens, words
from bpe_core.pictures.saved import saved_page
from bpe_core.pictures.shared.token_text import beginning, glyph_in, glyph_of, parts, token_text
from bpe_core.settings import WORD_MARKERS
from bpe_core.text.alphabet import GLYPHS
from tests.texts import NASTY


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b" the", "·the"),
        (b"\n", "⏎"),
        (b"\r\n", "␍⏎"),
        (b"\t", "⇥"),
        ("\u00a0".encode(), "⍽"),
        ("\u200d".encode(), "⟨ZWJ⟩"),
        ("\ufeffa".encode(), "⟨BOM⟩a"),
        ("\u202e".encode(), "⟨RLO⟩"),
        ("\u0301".encode(), "◌\u0301"),
        ("e\u0301".encode(), "e\u0301"),
        ("\ufe0f\u20e3".encode(), "⟨VS16⟩⟨KEYCAP⟩"),
        ("\U000e0100".encode(), "⟨VS17⟩"),
        ("☂\ufe0f".encode(), "☂\ufe0f"),
        (b"\0", "⟨0000⟩"),
        (b"\xf0\x9f", "F0 9F"),
        (b" \xe0\xa4", "·E0 A4"),
        ("🦜".encode(), "🦜"),
        (b"\xed\xa0\xbe", "⟨D83E⟩"),
        (b"est\xff", "est_"),
        (b"_\xff", "__"),
    ],
)
def test_how_a_token_is_written(token, shown):
    assert token_text(token, "_") == shown


def test_the_marker_s_byte_is_one_as_any_other_where_words_have_no_marker():
    assert [token_text(b"a\xff\xfe", glyph_of(marker, [b"a"])) for marker in WORD_MARKERS] == ["aFF FE", "a_FE", "a_FE"]


@given(st.text("ab_Ġ", min_size=1, max_size=12), st.sampled_from(["end", "start"]), st.sampled_from(GLYPHS))
def test_no_token_is_drawn_like_another_one_with_the_marker(text, marker, chosen):
    run = train(f"{text} {text}", Settings("whitespace", "characters", marker, vocab_size=30))
    glyph = glyph_in(run.tokenizer().vocabulary, chosen)
    assert glyph == glyph_of(marker, run.tokens, chosen)
    assert (glyph == chosen) == (chosen not in text), "the chosen sign stays where nothing looks like it"
    drawn = [token_text(token, glyph) for token in run.tokens]
    assert len({*drawn}) == len(drawn)


def test_every_picture_of_a_training_and_of_its_tokens_has_the_sign_that_no_token_looks_like():
    run = train("_ low_ low", Settings("whitespace", "characters", "end", vocab_size=30))
    tokenizer = run.tokenizer()
    drawn = [
        run.svg(run.steps),
        run._repr_html_(),
        tokenizer._repr_html_(),
        run.merges[0]._repr_html_(),
        tokenizer.encode("low").svg(),
    ]
    assert ["Ġ" in each or r"\u0120" in each for each in drawn] == [True] * len(drawn)
    for beside in (None, run):
        assert saved_page.film(run, beside=beside).html == saved_page.film(run, beside=beside, glyph="Ġ").html
    assert saved_page.view(tokenizer.encode("low")).html == saved_page.view(tokenizer.encode("low"), glyph="Ġ").html


@given(st.binary(max_size=40), st.sampled_from(["", "_"]))
def test_the_beginning_of_a_token_is_short(token, glyph):
    shown = beginning(token, glyph, 10)
    starts = ["".join(part.text for part in parts(token[:end], glyph)) + "…" for end in range(10, 14)]
    assert "".join(part.text for part in shown) in [token_text(token, glyph), *starts]
    assert len(token) <= 13 or shown != parts(token, glyph)


@given(st.binary(max_size=12))
def test_nothing_is_replaced_or_dropped(token):
    shown = parts(token)
    assert all(part.text for part in shown)
    assert "\ufffd" not in token_text(token) or "\ufffd".encode() in token
    assert bool(shown) == bool(token)


class Text(HTMLParser):
    """The text of a page, and the tags it is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags = "", set()
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)


@pytest.mark.parametrize("text", NASTY)
def test_user_text_is_escaped(text):
    run = train(text, Settings("none", vocab_size=260))
    encoding = run.tokenizer().encode(text)
    for html in (
        text_tokens(encoding.tokens, encoding.ids),
        row(encoding.tokens),
        words(run.words(0)[:5], [True] * len(run.words(0)[:5])),
        pretokens(text, Settings().splitter.split(text)),
    ):
        assert Text(html).tags <= {"div", "span", "sub", "br"}
    if text == "<b>&\"'</b>":
        assert "<b>&\"'</b>" in Text(row([text.encode()])).text


def test_pieces_of_a_character_are_held_together():
    html = text_tokens([b"\xf0\x9f", b"\xa6", b"\x9c", b"!"], [1, 2, 3, 4])
    assert html.count('class="whole"') == 1
    assert "= 🦜" in Text(html).text
