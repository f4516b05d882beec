"""The view of ids and the view of the split: what is recognised, what is said, and the ways back."""

import re

import pytest

from bpe_core import load
from bpe_core.text.in_words import times
from bpe_core.tokenizer.drift import drift, reason, summary
from bpe_core.tokenizer.stream import arrivals
from bpe_core.tokenizer.ways import roughly
from pages.parts.tokens import ids_view
from pages.parts.ui import ids_tables
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, visit
from tests.pages.session import typed_before
from tests.some import later
from tests.texts import NASTY

PANTOM = "[64, 53122, 316]"
NOT_WRITTEN = "These 3 ids are not what Qwen writes: 1 region differs."
REASON = "merge 29,747 makes antom, across a boundary that these ids keep"


def words(at) -> str:
    """What a reader sees of the page's HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html(at)))


def test_a_pasted_list_stays_a_text_and_the_view_of_ids_reads_it():
    at = visit({"tokenizer": "qwen", "view": "tokens"}, typed_before(PANTOM))
    assert NOT_WRITTEN not in words(at)
    assert at.get("bidi_component")[2:], "its tokens"
    at = visit({"tokenizer": "qwen", "view": "ids"}, typed_before(PANTOM))
    assert NOT_WRITTEN in words(at)
    assert f"·Pant53122om316 not ·P393antom30002: {REASON}" in words(at)
    assert [code.value for code in at.code] == ["a Pantom"]
    at.button(key="tokens.put ids").click().run()
    assert link(at)["text"] == "a Pantom"


def test_the_view_of_ids_takes_any_list_and_any_text():
    at = visit({"tokenizer": "qwen", "view": "ids"}, typed_before("198 198"))
    assert "These 2 ids are not what Qwen writes: 1 region differs." in words(at)
    at = visit({"tokenizer": "gpt2", "view": "ids"}, typed_before("né 🦜"))
    ids = load("gpt2").ids("né 🦜")
    assert ids_tables.ids_of_text(3, "GPT-2") in words(at)
    assert at.code[0].value == str(ids)
    assert f"can write this text in {roughly(load('gpt2').ways('né 🦜'))} ways" in words(at)
    at = visit({"tokenizer": "bert", "view": "ids"}, typed_before("un able"))
    assert "its model is WordPiece, which has no merges." in words(at)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("gpt2", "2024", "Your text is no list of ids, so these are its ids with GPT-2."),
        ("gpt2", "1,234", "Your text is no list of ids, so these are its ids with GPT-2."),
        ("gpt2", "-5", "Your text is no list of ids, so these are its ids with GPT-2."),
        ("gpt2", "dog", "Your text is no list of ids, so this is its id with GPT-2."),
        ("gpt2", "dog", "The token ends with a whole character, so it can be shown when it arrives."),
        ("bert", "\u200b", "Your text is no list of ids, and BERT (uncased) writes no ids for it. Paste ids to check"),
        ("gpt2", "[64]", "This id is what GPT-2 writes."),
        ("gpt2", "-5 64", "lacks 1 id, which is left out: -5. Its ids end at 50256. This id is what GPT-2 writes."),
        (
            "gpt2",
            "[12520]",
            "The token does not have to wait. A decoder that does not wait for the rest prints � once, and one",
        ),
        ("gpt2", "64 64", "Of 2 tokens each ends with a whole character, so each can be shown when it arrives."),
        ("gpt2", "-5 -6", "This vocabulary lacks 2 ids, which are left out: -5, -6. Its ids end at 50256."),
    ],
)
def test_each_sentence_is_whole_for_no_id_for_one_and_for_many(name, text, told):
    at = visit({"tokenizer": name, "view": "ids"}, typed_before(text))
    seen = words(at).replace("\N{MINUS SIGN}", "-")
    assert told in seen
    assert not re.search(r"\b(0 ids|0 tokens|1 ids|1 tokens|Of 1 token|[Tt]hese 1)\b", seen)


def why(found):
    return [part for region in found.regions for part in reason(found, region)]


def test_one_id_is_one_in_the_reason_too():
    tok = load("gpt2")
    reasons = [part for i in range(256) for part in why(drift(tok, [i])) if isinstance(part, str)]
    assert reasons
    assert not [part for part in reasons if "these ids" in part]
    assert summary(drift(tok, [])) == "There are no ids."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1.5, 2]", "'1.5' is not an id; ids are whole numbers with spaces between them."),
        ("[1, 2", "A bracket is missing; paste all of the list of ids."),
        ("[64, -100, 60000]", "This vocabulary lacks 2 ids, which are left out: -100, 60000. Its ids end at 50256."),
        ("[1, 2, ..., 3]", "The list of ids is cut short; paste all of it."),
        ("[<b>1, 2]", "Your text is no list of ids"),
    ],
)
def test_what_is_wrong_with_a_list_is_one_sentence(text, message):
    at = visit({"tokenizer": "gpt2", "view": "ids"}, typed_before(text))
    assert message in words(at).replace("&#39;", "'")
    assert "<b>1" not in html(at)


def test_more_ids_than_the_page_takes(monkeypatch):
    monkeypatch.setattr(ids_view, "MOST_IDS", 3)
    at = visit({"tokenizer": "gpt2", "view": "ids"}, typed_before("[1, 2, 3, 4]"))
    assert "These are more than 3 ids, and the page takes no more. The command takes all: mergescope dec" in words(at)


def test_few_ids_whose_text_is_longer_than_the_page_takes():
    """A token may have a hundred bytes."""
    spaces = load("o200k_base").ids(" " * 64)
    at = visit({"tokenizer": "o200k_base", "view": "ids"}, typed_before(str(spaces * 15_626)))
    assert len(spaces) == 1
    assert "The text of these ids has 1,000,064 bytes, and the page takes up to 1,000,000. The command" in words(at)
    assert "ids are" not in words(at)


@pytest.mark.parametrize(("name", "text"), [("gpt2", "안녕 नम 🦜"), ("o200k_base", "👨‍👩‍👧"), ("gpt2", "plain")])
def test_the_stream_in_words_and_in_a_table(name, text):
    tok = load(name)
    ids = tok.ids(text)
    found = [*arrivals(tok, ids)]
    told = ids_tables.stream_summary(found, 0)
    inner = sum("\ufffd" in tok.decode(ids[:end]) for end in range(1, len(ids)))
    alone = sum(tok.decode([i]).count("\ufffd") for i in ids)
    ends = "ends within a character" if inner == 1 else "end within a character"
    waits = f"{inner} {ends}. A decoder that does not wait for the rest prints � {alone} times."
    assert (waits if inner else "ends with a whole character") in told
    table = ids_tables.stream_table(found, [tok.token_bytes(i) for i in ids], "")
    assert table.count("<tr class") == len(ids)


@pytest.mark.parametrize(
    ("name", "ids", "told"),
    [
        ("o200k_base", [15496, 995, 976, 13], "Of 4 tokens 1 ends within a character. … prints � once, {} once."),
        ("gpt2", [12520, 99, 64], "Of 3 tokens 2 end within a character. … prints � 2 times, {} once."),
        ("gpt2", [64, 12520], "Of 2 tokens none has to wait. … prints � once, {} once."),
    ],
)
def test_bytes_that_become_no_character_are_told_as_the_table_shows_them(name, ids, told):
    tok = load(name)
    found = [*arrivals(tok, ids)]
    decoders = "A decoder that does not wait for the rest", "and one that waits prints it"
    assert ids_tables.stream_summary(found, 0) == told.replace("…", decoders[0]).format(decoders[1])
    table = ids_tables.stream_table(found, [b"a"] * len(ids), "")
    at_once = table.count('"token plain soft"')
    assert f"prints � {times(at_once)}," in told
    assert table.count("\ufffd") == at_once + 1


def test_a_long_stream_is_not_cut_within_a_character():
    at = visit({"tokenizer": "gpt2", "view": "ids"}, typed_before(str([64] * 398 + [12520, 99, 250])))
    assert "Of the first 400 tokens 2 end within a character." in words(at)
    assert "prints � 2 times." in words(at)


def test_a_long_list_is_shown_by_its_beginning():
    at = visit({"tokenizer": "gpt2", "view": "ids"}, typed_before(str([*b"the dog "] * 4_000)))
    assert "These 32,000 ids are" in words(at)
    assert "The ways to write a text are counted up to 10,000 bytes, and this has" in words(at)
    assert not at.code
    assert len(html(at)) < 1_000_000


def test_long_lists_are_cut_and_say_so():
    tok = load("gpt2")
    letters = [tok.token_to_id(letter) for letter in "the dog " * 100]
    found = drift(tok, letters)
    assert "And 150 regions more." in ids_tables.regions(found, "").striptags()
    assert "… and 400 more" in ids_tables.both_rows(found, "", "GPT-2").striptags()
    ways = ids_tables.in_ways(10**5000)
    assert "1.0 × 10⁵⁰⁰⁰ ways" in ways
    assert "more than 4,000 digits" in ways
    assert f"{10**3999:,}" in ids_tables.in_ways(10**3999)


def test_the_split_in_words_with_numbers():
    at = visit({"tokenizer": "gpt2", "view": "split"}, typed_before("I'm 42 </>"))
    assert "GPT-2 cuts this text into 4 pieces, by 4 of 5 alternatives; the first that fits is taken." in words(at)
    assert "letters: letters, with the space before them ?\\p{L}+1 piece, such as ‘I’" in words(at)
    assert "+no piece" in words(at)
    pieces = re.findall(r'<span data-cut="(\d)" tabindex="-1">(.*?<sub>\1</sub>)', html(at))
    texts = ["I", "&#39;m", "·42", "·&lt;/&gt;"]
    assert [(re.sub("<[^>]*>", "", piece), n) for n, piece in pieces] == [
        (text + number, number) for text, number in zip(texts, "2134", strict=True)
    ]
    custom = {"train.pretokenizer": "custom", "train.pattern": "[ab]+|c", "train.corpus": "my-dog"}
    trained = visit({"tokenizer": "trained", "view": "split"}, custom | typed_before("abc d"))
    assert "by 2 of 2 alternatives" in words(trained)


@pytest.mark.parametrize("key", ["gpt2", later("bert"), later("o200k_base")])
@pytest.mark.parametrize("view", ["ids", "split"])
def test_nasty_texts_break_no_view(key, view):
    assert page_vocabulary.published(key)
    for text in ["\n".join(NASTY), "[1, 2]" * 3, "{'ids': [1]}", "tensor([1, 2])"]:
        assert not visit({"tokenizer": key, "view": view}, typed_before(text)).exception
