"""The view of two tokenizers: the shortest text, the parts, what is refused; all of a file's words are escaped."""

import json
import re
from html import unescape
from time import monotonic, sleep

import pytest

from bpe_core import Settings, dumps, loads, same, train
from bpe_core.files.safely import open_safely
from bpe_core.processes.child import Task
from bpe_core.sameness.two_tokenizers import Sent, sameness_of, sent
from pages.parts.server.limits import LIMITS, Limits
from pages.parts.tokenizers import sameness_tables, sameness_view
from tests.pages.driver import components, html, link, visit

MARKUP = "<img src=x onerror=alert(1)>"


def words(at):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html(at))))


def settled(at):
    """Run the page until the comparison has ended."""
    until = monotonic() + 120
    while at.get("progress") and monotonic() < until:
        sleep(0.3)
        at.run()
    return at


def files(special="<|end|>"):
    settings = Settings("gpt2", vocab_size=300, special_tokens=(special,))
    return dumps(train("low lower lowest newest widest " * 3, settings).tokenizer())


def test_two_vocabularies_the_shortest_text_and_a_press_that_opens_it():
    at = settled(visit({"view": "same", "tokenizer": "gpt2", "other": "p50k_base"}, page="tokenizers"))
    assert "Is it the same tokenizer?" in words(at)
    assert "The shortest text found: · · Ids of GPT-2: 220 220 Ids of Codex (p50k_base): 50257" in words(at)
    assert "2 characters: U+0020 Space, U+0020 Space." in words(at)
    assert "vocabulary different 24 only of the second" in words(at)
    rows = components(at)[-1]["rows"]
    assert [[token[1] for token in row["tokens"]] for row in rows] == [[220, 220], [50257]]
    at.button(key="tokenizers.same beside").click().run()
    found = link(at)
    assert (found["view"], found["text"], found["against"]) == ("side-by-side", "  ", "p50k_base")


def test_one_tokenizer_twice_is_not_compared():
    at = visit({"view": "same", "tokenizer": "gpt2", "other": "gpt2"}, page="tokenizers")
    assert "Both are GPT-2: choose another tokenizer to compare it with." in words(at)
    at = visit({"view": "same", "tokenizer": "cl100k_base"}, page="tokenizers")
    assert "Both are" not in words(at), "the page begins with two"
    assert link(at)["other"] == "o200k_base"


def test_what_files_say_is_escaped_and_nothing_is_called_the_same():
    one, other = files(), files(MARKUP)
    found = same(loads(one), loads(other), seconds=5)
    titles = (MARKUP, "b")
    drawn = sameness_tables.parts(found, titles, ("", "")) + sameness_tables.shortest(found, MARKUP, titles)
    assert "<img" not in drawn
    assert "&lt;img" in drawn
    again = same(loads(one), loads(one), seconds=0.5)
    assert "No difference found in" in again.summary
    table = sameness_tables.parts_table(again, ("a", "b"))
    assert set(table["compared"]) == {"equal", ""}


@pytest.mark.thorough
def test_a_file_with_a_library_is_compared_in_another_process():
    made = files()
    parts = json.loads(made["tokenizer.json"])
    parts["added_tokens"][0]["lstrip"] = True
    changed = {"tokenizer.json": json.dumps(parts).encode()}
    one, other = (sent(open_safely(each)) for each in (made, changed))
    assert not hasattr(one.tokenizer, "library")
    found = Task(sameness_of, one, other, 10.0, memory=LIMITS.training_mb << 20).result()
    assert found.text == " <|end|>"


def test_what_takes_too_much_is_one_sentence(monkeypatch):
    monkeypatch.setattr(sameness_view, "LIMITS", Limits(training_mb=150))
    at = settled(visit({"view": "same", "tokenizer": "gpt2", "other": "qwen"}, page="tokenizers"))
    assert "The comparison takes more than 704 MB of memory: the command “mergescope same”" in words(at)


def test_an_error_of_a_file_comes_as_its_sentence():
    with pytest.raises(ValueError, match="tokenizer"):
        sameness_of(Sent("no such tokenizer"), Sent("gpt2"), 1.0)
