"""Every view of the pages with views, with the example and with a typed text; and what the cards of Why say."""

import re
from html import escape, unescape

import pytest

from pages.parts.chat.chat_views import VIEWS as OF_CHAT
from pages.parts.compare.compare_views import VIEWS as OF_COMPARE
from pages.parts.files.files_view import VIEWS as OF_FILES
from pages.parts.tokenizers.tokenizers_views import VIEWS as OF_TOKENIZERS
from pages.parts.tokens.views import VIEWS as OF_TOKENS
from pages.parts.train.train_views import VIEWS as OF_TRAIN
from tests.holes import holes, lines
from tests.pages.driver import html, plain, problems, visit
from tests.pages.session import typed_before
from tests.some import later

VIEWS = {
    "": OF_TOKENS,
    "train": OF_TRAIN,
    "compare": OF_COMPARE,
    "chat": OF_CHAT,
    "files": OF_FILES,
    "tokenizers": OF_TOKENIZERS,
}
# The tokenizers with which each page is opened: those that load quickly, and whose templates are published.
LINKS = {
    "": {"tokenizer": "gpt2", "against": "qwen"},
    "chat": {"tokenizer": "qwen"},
    "files": {"tokenizer": "gpt2", "against": "qwen"},
    "tokenizers": {"tokenizer": "gpt2", "other": "gpt2"},
}
MEANING = re.compile(r'role="tooltip"[^>]*>(.*?)</span>', re.S)  # of a term, or of a figure's name
PLURAL = re.compile(  # after a single one
    r"(?<![\d.,])\b1 (?:\w+ )?(?:tokens|characters|bytes|words|spaces|pieces|pretokens|merges|pairs|steps|ids|rows|"
    r"files|times|are|were|have|make|go|come|wait|seconds|lines|turns|ways|cases|alternatives)\b"
)
OWN = "<i>My dóg</i>’s price is 1,234 🦜"


@pytest.mark.parametrize("text", [later(""), OWN, later("a b")], ids=["example", "own", "one of each"])
@pytest.mark.parametrize(("page", "view"), [(page, view) for page, views in VIEWS.items() for view in views])
def test_every_view_draws_with_its_question_as_its_heading(page, view, text):
    at = visit({"view": view, **LINKS.get(page, {})}, typed_before(text), page)
    shown, question = html(at), VIEWS[page][view].question
    assert shown.count('<h2 class="question">') == bool(question)
    assert question == "" or f'<h2 class="question">{escape(question, quote=False)}</h2>' in shown
    assert problems(at) == []
    assert "<i>My" not in shown
    assert holes(lines(at)) == []
    assert [piece for piece in re.split("<[^>]*>", shown) if PLURAL.search(piece)] == []
    assert [meaning for meaning in MEANING.findall(shown) if not meaning.endswith(".")] == []
    assert at.get("html")


def test_the_cards_of_why_speak_of_the_text():
    """GPT-2 writes st, raw and berry at the start of a text, and one token for the word after a space."""
    at = visit({"view": "why", "tokenizer": "gpt2", "text": "the strawberry"})
    seen = plain(html(at))
    said = "“strawberry” has “r” 3 times, and is 3 tokens at the start of a text. A model is given their ids, and no"
    assert said in seen
    assert "st 301 raw 1831 berry 8396" in seen
    assert "the 1169 · strawberry 41236 the · strawberry : GPT-2 splits the text here, before any merge" in seen
    assert "The prompt ends with the 1169 · 220 The whole text has the 1169 · strawberry 41236 The end cuts" in seen
    assert "cuts · strawberry , a token of the whole text: the prompt has only · of it." in seen
    assert "GPT-2 cuts this text into 2 pieces, by 1 of 5 alternatives" in unescape(seen)
    at.button(key="tokens.why letters").click().run()
    assert not at.exception
    assert "In which tokens are the letters of a word?" in html(at)
