"""A whole vocabulary: found by text, bytes and id, sorted, and each token with its biography."""

import pytest
import tokenizers

from bpe_core import PRETOKENIZERS, Settings, Tokenizer, loads, train
from bpe_core.models.wordpiece_tokenizer import WordPieceTokenizer
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.published import PUBLISHED
from bpe_core.tokenizer.tokenizer import WITHIN
from bpe_core.tokenizer.unreachable import SPECIAL
from pages.parts.page import your_text
from pages.parts.page.chosen_vocabulary import vocabulary_of
from pages.parts.tokenizers import explorer
from pages.parts.tokenizers.vocabulary_view import _life
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, problems, sent, visit
from tests.pages.session import key_of
from tests.shapes import file_of

GPT2 = PUBLISHED["gpt2"].load()


def open_tokenizers(query):
    return visit(query, page="tokenizers")


def found(find: str = "", field: str = "text", kind: str = "all", script: str = "", sort: str = "id") -> list[int]:
    return explorer.search(explorer.vocabulary(GPT2), find, field, kind, script, sort)["id"].tolist()


def test_every_token_is_there_once_with_its_step():
    table = explorer.vocabulary(GPT2)
    assert table["id"].tolist() == list(range(50_257))
    assert table["token"].tolist() == [GPT2.token_bytes(i) for i in range(50_257)]
    assert table["step"][15_530] == GPT2.origin(15_530)[2]
    assert sum(table["step"] == 0) == 257


def test_searching():
    assert all(b"lighthouse" in GPT2.tokens[i].lower() for i in found("LIGHThouse"))
    assert found("·lighthouse") == [i for i, token in enumerate(GPT2.tokens) if b" lighthouse" in token.lower()]
    assert found("15530", "id") == found("15,530", "id") == [15_530]
    assert (
        found("f0 9f", "bytes")
        == found("0xF09F", "bytes")
        == [i for i, token in enumerate(GPT2.tokens) if b"\xf0\x9f" in token]
    )
    assert found("f0 9", "bytes") == found("xyz", "bytes") == found("no token", "id") == []


def test_a_file_has_the_tokens_own_text_and_all_bytes():
    rows = explorer.search(explorer.vocabulary(GPT2), "", "text", "all", "", "id").iloc[[262, 183, 15_530]]
    sheet = explorer.sheet(rows)
    assert sheet["token"].tolist() == [" the", "", " newest"]
    assert sheet["step"].isna().tolist() == [False, True, False]
    assert "No text in UTF-8" in sheet["in a text"].iloc[1]
    assert explorer.shown(rows, "")["in a text"].tolist() == ["yes", "never", "yes"]


def test_sorting_kinds_and_scripts():
    longest = [len(GPT2.token_bytes(i)) for i in found(sort="length")]
    assert longest == sorted(longest, reverse=True)
    assert found(kind="special") == [50_256]
    assert len(found(kind="never")) == 13
    assert all(not explorer_text(i) for i in found(kind="part"))
    assert all("\u0400" <= char <= "\u052f" for i in found(script="Cyrillic") for char in explorer_text(i).strip())
    steps = explorer.search(explorer.vocabulary(GPT2), "", "text", "all", "", "step")["step"].tolist()
    assert steps == sorted(steps)


def test_tokens_with_long_words_of_the_text_come_first_in_the_order_of_the_words():
    words = your_text.longest_words("The Keeper saw a lighthouse, and the lighthouse saw the keeper.", 2)
    assert words == ["lighthouse", "Keeper"]
    found = explorer.search(explorer.vocabulary(GPT2), "", "text", "all", "", "yours", words)["token"].tolist()
    texts = [token.decode("utf-8", "replace").lower() for token in found]
    have = [[word.lower() in text for text in texts] for word in words]
    counts = [sum(each) for each in have]
    assert min(counts) > 0
    assert all(have[0][: counts[0]])
    assert all(have[1][counts[0] : sum(counts)])
    rest = [len(token) for token in found[sum(counts) :]]
    assert rest == sorted(rest, reverse=True)


def explorer_text(token_id: int) -> str:
    try:
        return GPT2.token_bytes(token_id).decode()
    except UnicodeDecodeError:
        return ""


def test_the_page_shows_the_vocabulary_and_the_life_of_a_token():
    at = open_tokenizers({"tokenizer": "newest-widest"})
    assert "cannot be produced by any text." in html(at)
    at.text_input(key="tokenizers.sought").set_value("newest").run()
    assert not at.exception
    rows = at.dataframe[0].value
    assert all("newest" in token for token in rows["token"])
    told = sent(at)
    assert told["id"] == str(rows["id"].iloc[0])
    assert told["tree"]["halves"]
    at.text_input(key="tokenizers.sought").set_value("no such token").run()
    assert "No single token has “no such token”: “low, lower, newest, widest” writes it with" in html(at)
    at.selectbox(key="tokenizers.among").set_value("id").run()
    assert "No token matches" in html(at)


def test_a_search_goes_into_the_link_and_comes_back():
    query = {"tokenizer": "gpt2", "sought": "f0 9f", "among": "bytes", "order": "step"}
    query |= {"kind": "part", "script": "Bytes"}
    at = open_tokenizers(query)
    assert {name: value for name, value in link(at).items() if name in query} == query
    assert all("F0 9F" in raw for raw in at.dataframe[0].value["bytes"])
    at.selectbox(key="tokenizers.kind").set_value("all").run()
    assert "kind" not in link(at)
    at = open_tokenizers(query | {"tokenizer": "newest-widest", "kind": "nonsense", "script": "Klingon"})
    assert link(at).get("script") is link(at).get("kind") is None
    assert "it is not one of all, never" in problems(at)[0]
    at.segmented_control(key="tokenizers.view").set_value("same").run()
    at.segmented_control(key="tokenizers.view").set_value("vocabulary").run()
    assert (link(at)["sought"], link(at)["order"]) == ("f0 9f", "step")


@pytest.mark.parametrize(("shape", "row"), [("unigram", "instead"), ("wordpiece", "shorter"), ("word level", "within")])
def test_a_vocabulary_without_merges_has_its_own_words(shape, row):
    tok = loads({"x": file_of(shape)})
    vocabulary = page_vocabulary.PageVocabulary("x", "x", "", tok)
    table = explorer.vocabulary(tok)
    assert not table["step"].any()
    for token_id, verdict, kind in zip(table["id"], table["reach"], table["kind"], strict=True):
        rows = dict(_life(vocabulary, token_id, verdict, kind)["facts"]["rows"])
        assert "merges" not in rows
        assert all(rows.values())
        assert row in rows or verdict == SPECIAL
    within, theirs = table[table["kind"] == WITHIN], tokenizers.Tokenizer.from_buffer(file_of(shape))
    assert len(within) == (shape == "wordpiece") * sum(token.startswith("##") for token in theirs.get_vocab())
    assert set(explorer.shown(within, "", 9)["in a text"]) <= {"yes, but not at the start of a word"}


def test_a_token_that_no_text_produces_says_what_its_bytes_become():
    tokens = (b"a", b"b", b"c", b"bc", b"ab", b"abc")
    tok = Tokenizer(tokens, ((1, 2, 3), (0, 1, 4), (4, 2, 5)), PRETOKENIZERS["none"], "characters")
    vocabulary = page_vocabulary.PageVocabulary("x", "x", "", tok)
    table = explorer.vocabulary(tok)
    rows = explorer.search(table, "", "text", "never", "", "id")
    assert rows["token"].tolist() == [b"abc"]
    told = _life(vocabulary, 5, rows["reach"].iloc[0])
    term, words = told["facts"]["rows"][0]
    assert term == "can occur"
    assert [word["token"] for word in words if isinstance(word, dict)] == [b"a".hex(), b"bc".hex()]


@pytest.mark.parametrize("text", ["a" * 2746, "ab" * 40])
def test_a_large_tree_is_drawn_to_some_depth_and_says_so(text):
    run = train(text, Settings("none", vocab_size=300))
    vocabulary = page_vocabulary.PageVocabulary("x", "x", "", run.tokenizer())
    longest = max(range(256, 256 + run.steps), key=lambda i: len(vocabulary.tokenizer.tokens[i]))
    assert _life(vocabulary, longest, "reachable")["whole"] is False


def test_only_the_kinds_that_a_vocabulary_has_are_offered_and_a_length_has_its_unit():
    table = explorer.vocabulary(vocabulary_of("newest-widest").tokenizer)
    assert "unseen" not in explorer.kinds(table)
    assert "part" in explorer.kinds(table)
    rows = explorer.shown(table[table["token"].isin([b"\xc3", b"est"])], "")
    assert [explorer.COLUMNS.get(name, name) for name in rows][:4] == ["token", "id", "characters", "bytes"]
    assert rows[["token", "characters", "length"]].fillna(0).values.tolist() == [["C3", 0, 1], ["est", 3, 3]]
    at = open_tokenizers({"tokenizer": "newest-widest", "kind": "unseen"})
    assert at.selectbox(key=key_of(at, "tokenizers.kind")).value == "all"


def test_of_a_wordpiece_of_our_own_is_known_which_tokens_no_text_can_have():
    tokens = (b"", b"hug", b"s", "É".encode(), b"[a]", b"zz", b"!")
    kinds = {2: WITHIN, 5: WITHIN, 6: WITHIN}
    tok = WordPieceTokenizer(
        tokens, (), PRETOKENIZERS["bert"], "characters", special_tokens={"[UNK]": 0}, normalizers=("bert",), symbols={},
        unknown_id=0, kinds=kinds,
    )  # fmt: skip
    table = explorer.vocabulary(tok)
    verdicts = ["reachable", "reachable", "normalized", "always split", "reachable", "always split"]
    assert table["reach"].tolist() == [SPECIAL, *verdicts]
    vocabulary = page_vocabulary.PageVocabulary("x", "x", "", tok, glyph_in(tok.vocabulary))
    assert explorer.shown(table, vocabulary.glyph)["token"].tolist()[1:3] == ["hug", "##s"]
    assert bytes.fromhex(_life(vocabulary, 2, "reachable", WITHIN)["tree"]["token"]) == b"\xffs"
