"""The values of Pipeline, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from bpe_core import PRETOKENIZERS
from bpe_core.published import PUBLISHED
from bpe_core.settings import NormalizerKey
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.state import values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.page_states import WithText, WithTokenizer, corpus_value, tokenizer_value

# The normalizers of each published model, by the model's key.
_NORMALIZERS = {key: cast(tuple[NormalizerKey, ...], row.normalizers) for key, row in PUBLISHED.items()}


@dataclass(frozen=True)
class Pipeline(WithTokenizer, WithText):
    """The state of Pipeline. At first its parts are BERT's.

    `second`: a second text, joined to yours as a pair.
    """

    PAGE = "pipeline"
    NEEDS_WORD = False
    corpus: str = corpus_value("accents")
    second: str = values.text(LINK_LENGTH, "second text")
    normalizers: tuple[NormalizerKey, ...] = values.setting(
        "normalizers",
        ("bert",),
        fits=_NORMALIZERS,
        by="tokenizer",
    )
    pretokenizer: str = values.one_of(OWN, [OWN, *PRETOKENIZERS], "Split by")
    tokenizer: str = tokenizer_value("bert", name="model")
    template: str = values.one_of(
        "bert",
        TEMPLATES,
        "Template",
        fits={key: row.template for key, row in PUBLISHED.items()},
        by="tokenizer",
    )
