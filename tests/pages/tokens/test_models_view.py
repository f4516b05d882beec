"""A text under several tokenizers: counts and differences."""

import pytest

from bpe_core.pictures.rows.rows_data import SHOWN, difference, differs, drawn, finding, rows_table
from bpe_core.pictures.shared.token_text import paired
from pages.parts.page.chosen_vocabulary import vocabulary_of
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import sent, visit
from tests.texts import NASTY

GPT2 = page_vocabulary.published("gpt2")


@pytest.mark.parametrize("text", NASTY)
def test_a_token_is_marked_where_the_first_has_none_over_its_bytes(text):
    text = paired(text)
    first, other = (vocabulary.row(text) for vocabulary in (GPT2, vocabulary_of("many-languages")))
    spans = set(zip(first.table.starts.tolist(), first.table.ends.tolist(), strict=True))
    own = list(zip(other.table.starts.tolist(), other.table.ends.tolist(), strict=True))
    assert differs(other, first).tolist() == [span not in spans for span in own]
    assert differs(other, first, 5).tolist() == [span not in spans for span in own[:5]]
    assert not differs(first, first).any()
    told = drawn(other, first)
    assert told["figures"]["tokens"] == len(vocabulary_of("many-languages").tokenizer.ids(text)) == len(own)
    assert (
        b"".join(bytes.fromhex(token) for token, *_ in told["tokens"][:SHOWN]) == other.raw[: own[SHOWN - 1][1]]
        if (len(own) > SHOWN)
        else b"".join(bytes.fromhex(token) for token, *_ in told["tokens"]) == other.raw
    )


def test_the_difference_in_words_and_in_the_table():
    first, other = GPT2.row("the newest"), vocabulary_of("newest-widest").row("the newest")
    assert difference(other, first) == f"{len(other.table) - 2} more (+{100 * (len(other.table) - 2) // 2}%)"
    assert difference(first, first) == "the same number"
    assert rows_table([first, other])[1]["difference to the first"] == len(other.table) - 2
    nothing = GPT2.row("")
    assert difference(nothing, nothing) == "the same number"


def test_the_finding_names_who_needs_the_fewest_and_who_the_most():
    """Of "привет" GPT-4o makes 2 tokens; GPT-2, whose merges join both bytes of each letter but no letters, 7."""
    four_o, bert = page_vocabulary.published("o200k_base"), vocabulary_of("bert")

    def of(text, *vocabularies):
        return finding([vocabulary.row(text) for vocabulary in vocabularies])

    assert (len(four_o.row("привет").table), len(GPT2.row("привет").table)) == (2, 7)
    assert of("привет", GPT2, four_o, GPT2) == (
        "GPT-4o (o200k_base) needs the fewest tokens. GPT-2 and GPT-2 need the most: 250% more."
    )
    assert of("hello", four_o, GPT2) == "All need the same number of tokens. Try a text in another language."
    assert len(bert.row("Hello, World").table) == len(four_o.row("Hello, World").table) == 3, "bert writes hello, world"
    assert of("Hello, World", GPT2, bert, four_o) == of("hello", four_o, GPT2), "a changed text is not counted"
    nothing = [("🦜 weil", GPT2, bert), ("Hello", GPT2, bert), ("hello", GPT2), ("", GPT2, four_o)]
    assert [of(*compared) for compared in nothing] == [""] * 4


def test_the_page_shows_a_row_each_and_no_tokenizer_twice():
    at = visit(
        {
            "tokenizer": "gpt2",
            "view": "side-by-side",
            "text": "the newest",
            "against": "gpt2 newest-widest many-languages",
        }
    )
    data = sent(at)
    names = ["GPT-2", "“low, lower, newest, widest”", "“Many languages and emoji”"]
    assert [row["name"] for row in data["rows"]] == names
    assert data["finding"] == "GPT-2 needs the fewest tokens. “Many languages and emoji” needs the most: 250% more."
    assert [row["tokenizer"] for row in data["table"]] == names


def test_tokenizers_that_normalize_in_different_ways_are_not_compared_token_by_token():
    normalizing = {"train.normalizers": ["bert"], "train.corpus": "my-dog"}
    at = visit({"tokenizer": "gpt2", "view": "side-by-side", "text": "My DÓG", "against": "trained"}, normalizing)
    other = sent(at)["rows"][1]
    assert "the two normalize the text differently" in other["figures"]["words"]
    assert not any(differs for _, _, differs, _ in other["tokens"])


def test_a_tokenizer_that_loses_text_wins_no_comparison():
    text = "🦜 🦜 🦜 🦜 🦜 🦜 weil"
    bert, gpt2 = vocabulary_of("bert").row(text), GPT2.row(text)
    assert (bert.lost, gpt2.lost, len(bert.table) < len(gpt2.table)) == (6, 0, True)
    assert bert.bytes_per_token == (len(bert.raw) - 6 * 4) / len(bert.table)
    told = drawn(bert, gpt2)
    assert "6 pieces of the text are lost; its number is not compared" in told["figures"]["words"]
    assert difference(gpt2, bert) == "not compared, since BERT (uncased) loses a part of the text"
    assert [row["difference to the first"] for row in rows_table([gpt2, bert])] == [0, ""]
    hexes = [(bytes.fromhex(token).decode("latin-1"), lost) for token, _, _, lost in told["tokens"]]
    assert hexes[-2:] == [("wei", False), ("\xffl", False)], "a token that continues a word begins with the marker"
    assert [lost for _, lost in hexes] == [True] * 6 + [False] * 2
