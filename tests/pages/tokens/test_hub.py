"""Any model on the Hugging Face Hub by its name: shown, compared, kept in the link, and refused in one sentence.

The page runs in a process of its own: the Hub's client reads once where its server is. That is one of ours.
"""

from contextlib import ExitStack
from html import unescape

import pytest

from bpe_core import loads
from tests.files.class_files import class_files
from tests.hub import client, hub
from tests.pages.driver import html, left_out, link, open_page, problems, quick_driver, said, sent, visit
from tests.pages.session import key_of
from tests.some import later


def ask(at, name, page="tokens"):
    at.text_input(key=f"{page}.model").set_value(name)
    next(button for button in at.button if button.label == "Open").click().run()
    assert not at.exception
    return at


def shows(at):
    """The tokenizer that is shown, the one that the box names, and the one in the link."""
    box = at.selectbox(key=key_of(at, "shared.tokenizer"))
    return sent(at)["title"], box.value, link(at).get("tokenizer")


def opening_and_refusing():
    at = visit({"text": "hug pug", "tokenizer": "gpt2"})
    here = shows(ask(at, " https://huggingface.co/owner/whole "))
    assert here == ("owner/whole", "hub:owner/whole", "hub:owner/whole")
    assert sent(at)["steps"] == 2
    assert "258 tokens from owner/whole: 2 merges" in html(at)
    for name, why in (
        ("owner/gated", "owner/gated is gated"),
        ("owner/none", "owner/none has no tokenizer that can be opened"),
        ("owner/missing", "There is no model owner/missing on the Hub"),
        ("owner/huge", "larger than 64 MB"),
        ("owner/damaged", "library tokenizers, for which this file is made"),
        ("<b>", "is not the name of a model"),
        ("", "Type a model's name, such as openai-community/gpt2."),
    ):
        assert shows(ask(at, name)) == here
        (sentence,) = problems(at)
        assert why in sentence
    assert problems(ask(at, "owner/whole")) == []


def links():
    assert shows(visit({"tokenizer": "hub:owner/whole", "text": "hug"}))[0] == "owner/whole"
    at = visit({"tokenizer": "hub:owner/missing", "text": "hug"})
    assert shows(at) == ("GPT-2", "gpt2", "gpt2")
    assert "There is no model owner/missing on the Hub, or it is private. Showing GPT-2 instead." in html(at)
    at = visit({"tokenizer": "hub:../../etc", "text": "hug"})
    assert sent(at)["title"].startswith("GPT-4o")
    assert "owner/model" in problems(at)[0]


def side_by_side():
    query = {"view": "side-by-side", "tokenizer": "gpt2", "text": "hug"}
    at = visit(query | {"against": "hub:owner/whole hub:owner/gated"})
    assert [row["name"] for row in sent(at)["rows"]] == ["GPT-2", "owner/whole"]
    assert at.multiselect[0].value == ["hub:owner/whole"]
    assert "owner/gated is gated" in html(at)
    assert link(at)["against"] == "hub:owner/whole"
    at = ask(visit(query | {"against": "none"}), "owner/whole")
    assert [row["name"] for row in sent(at)["rows"]] == ["GPT-2", "owner/whole"]
    at = visit({"tokenizer": "hub:owner/whole"}, page="tokenizers")
    assert "258 tokens" in html(at)


def chats():
    at = visit({"tokenizer": "hub:owner/chat", "turns": '[["user","pug"]]'}, page="chat")
    assert "The template is from owner/chat on the Hugging Face Hub." in html(at)
    assert at.code[0].value == "hugpug"
    at = visit({"tokenizer": "hub:owner/beside", "turns": '[["user","pug"]]'}, page="chat")
    assert "(default, tool_use) default is used" in html(at)
    assert "assumed" not in html(at)
    at = visit({"tokenizer": "hub:owner/whole", "turns": '[["user","pug"]]'}, page="chat")
    assert "No chat template of owner/whole is known here. This is ChatML" in html(at)


def starts():
    """Train starts from a model: asked for by its name, in the link, and refused."""
    at = open_page("pages/train.py", text="hug pug", start="gpt2", vocab_size="50357")
    at.selectbox(key=key_of(at, "train.start")).set_value("file").run()
    for name, why in (("owner/gated", "owner/gated is gated"), ("owner/none", "has no tokenizer that can be opened")):
        (sentence,) = problems(ask(at, name, "train"))
        assert why in sentence
        assert link(at)["start"] == "gpt2"
    ask(at, "owner/whole", "train")
    assert link(at)["start"] == "hub:owner/whole"
    assert left_out(at) == ""
    there = open_page("pages/train.py", **link(at))
    assert (link(there), problems(there)) == (link(at), [])
    assert "every word is written in the tokens of owner/whole." in said(there)
    there = open_page("pages/compare.py", left_start="hub:owner/whole", right_start="hub:owner/missing", text="hug pug")
    (sentence,) = problems(there)
    assert sentence.startswith("There is no model owner/missing on the Hub, or it is private.")
    assert (link(there)["left_start"], "right_start" in link(there)) == ("hub:owner/whole", False)


def choosing_a_split():
    text, menu = "it's 1234 low", "Pretokenizer, which the model does not say"
    for name, before in (("owner/splitless", "hub:owner/splitless"), ("owner/classless", "gpt2")):
        at = ask(visit({"text": text, "tokenizer": "gpt2"}), name)
        assert shows(at)[1] == before
        assert ("choose a pretokenizer" in "".join(problems(at))) == (before == "gpt2")
        assert ("split is assumed" in html(at)) == (before != "gpt2")
        at = next(box for box in at.selectbox if box.label == menu).set_value("cl100k").run()
        assert not at.exception
        assert not problems(at)
        assert shows(at)[1:] == (f"hub:{name}", f"hub:{name}")
        assert "split is assumed" not in html(at)
        pair = {file: raw for file, raw in class_files("GPT2Tokenizer").items() if "config" not in file}
        assert f"pretokenizer {loads(pair, 'cl100k').pretokenizer.title}" in unescape(html(at))
    assert menu not in [box.label for box in ask(at, "owner/whole").selectbox]


def without_a_network():
    at = ask(visit({"text": "hug", "tokenizer": "gpt2"}), "owner/pair")
    assert shows(at) == ("GPT-2", "gpt2", "gpt2")
    assert "The Hub cannot be reached from here" in html(at)
    assert "Another way: download tokenizer.json from the model's page there, and open it here." in unescape(html(at))


def quickly(what):
    with quick_driver():
        what()


@pytest.mark.parametrize(
    "visits",
    [(opening_and_refusing, links, side_by_side), later(((chats, starts, choosing_a_split, without_a_network),))],
)
def test_on_the_page(tmp_path, visits):
    with ExitStack() as here:
        with hub() as address:
            ask = here.enter_context(client(address, tmp_path))
            for what in visits:
                if what is not without_a_network:
                    ask(quickly, what)
        if without_a_network in visits:
            ask(quickly, without_a_network)
