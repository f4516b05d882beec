"""The view of a prompt's end: what it sends, what a link keeps, and what it does with a move."""

import json
from html import unescape

import pytest

from bpe_core.pictures.prompt.prompt_data import LISTED, prompt_data
from bpe_core.pictures.shared.json_form import compact
from bpe_core.tokenizer.prompt_end import prompt_end
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, sent, visit
from tests.pages.session import send, typed_before
from tests.texts import NASTY

TOK = page_vocabulary.published("gpt2").tokenizer


def words(data: dict) -> str:
    return "".join(
        part if isinstance(part, str) else bytes.fromhex(part["token"]).decode() for part in data["sentence"]
    )


def test_the_end_is_at_first_after_the_last_space_and_the_view_moves_it():
    at = visit({"view": "prompt", "tokenizer": "gpt2", "text": "see http://example there"})
    data, found = sent(at), prompt_end(TOK, "see http://example there", 19)
    assert (data["end"], data["length"], data["rows"][0]["count"]) == (19, 24, 5)
    begin = f"Of 50,256 tokens {len(found.others):,} begin with   and go on"
    assert f"The end cuts  there, a token of the whole text: the prompt has only   of it. {begin}" in words(data)
    for number, (end, version, expected) in enumerate([(9, data["version"], 9), (5, "of another text", 9)], 1):
        request = {"number": number, "version": version, "choice": {"end": end}}
        send(at, "tokens.prompt", request)
        at.run()
        assert (sent(at)["end"], sent(at)["answered"]) == (expected, number)
    found = prompt_end(TOK, "see http://example there", 9)
    assert [token for token, *_ in sent(at)["listed"]] == [TOK.tokens[i].hex() for i in found.others[:LISTED]]
    assert [row["tokens"][-1][:3] for row in sent(at)["rows"]] == [["3a", 25, 1], [b" there".hex(), 612, 2]]
    assert link(at)["end"] == "9"


def test_the_end_is_at_the_last_place_where_a_token_is_cut_if_there_is_one():
    at = visit({"view": "prompt", "cut": "yes", "tokenizer": "cl100k_base", "text": "plum cakes, return 3.14159"})
    assert sent(at)["rows"][0]["tokens"][-1][0] != sent(at)["rows"][1]["tokens"][-1][0]
    assert "The end cuts 59, a token of the whole text: the prompt has only 5 of it." in words(sent(at))
    none = visit({"view": "prompt", "cut": "yes", "tokenizer": "gpt2", "text": "a"})
    assert "No end among this text's last 20 tokens cuts a token" in unescape(html(none))
    assert "No end among" not in html(at)


def test_a_link_beyond_the_text_and_a_text_without_a_space():
    at = visit({"view": "prompt", "tokenizer": "gpt2", "text": "hug", "end": "7"})
    assert (sent(at)["end"], words(sent(at))[:31]) == (3, "The prompt is the whole text: m")
    at = visit({"view": "prompt", "tokenizer": "gpt2"}, typed_before("a" * 2000 + " <b>"))
    assert (sent(at)["end"], sent(at)["first"], len(sent(at)["text"])) == (2001, 1701, 303)


@pytest.mark.parametrize("key", ["gpt2", "bert"])
def test_the_data_of_any_end_of_a_nasty_text(key):
    vocabulary = page_vocabulary.published(key)
    for text in NASTY:
        for end in {0, len(text) // 2, max(0, len(text) - 1), len(text)}:
            found = prompt_end(vocabulary.tokenizer, text, end, specials=True)
            data = json.loads(compact(prompt_data(found, vocabulary.glyph, {"version": 1, "answered": 0})))
            prompt, whole = ([token[:2] for token in row["tokens"]] for row in data["rows"])
            assert prompt[:1] == whole[: len(prompt[:1])] or found.same == 0
            assert "".join(part for part in data["sentence"] if isinstance(part, str)).endswith((".", ". "))
            assert data["count"] == len(found.others) >= len(data["listed"])
