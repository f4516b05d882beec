"""The values of Tokenizers, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.kinds import Text
from pages.parts.state import tokenizer_keys, values
from pages.parts.state.page_states import WithText, WithViewsOfTokenizer, corpus_value
from pages.parts.state.values import value


@dataclass(frozen=True)
class Tokenizers(WithViewsOfTokenizer, WithText):
    """The state of Tokenizers.

    `other`: the tokenizer that is compared with the page's. The other values belong to the search in a vocabulary.
    `script`: the name of a script; "" for all scripts.
    """

    PAGE = "tokenizers"
    NEEDS_WORD = False
    corpus: str = corpus_value("keepers-dog")
    view: str = value("vocabulary", "View", values.key)
    other: str = value(tokenizer_keys.BESIDE[0], "other tokenizer", tokenizer_keys.tokenizer)
    sought: str = values.text(100, "Search")
    among: str = value("text", "Search in", values.key)
    kind: str = value("all", "Show", values.key)
    script: str = value("", "Script", Text(40).read)
    order: str = value("yours", "Sort", values.key)
