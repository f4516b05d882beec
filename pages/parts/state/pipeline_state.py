"""The values of Pipeline, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from bpe_core import PRETOKENIZERS
from bpe_core.published import PUBLISHED
from bpe_core.settings import NormalizerKey
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.state import tokenizer_keys, values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.page_states import WithChat, WithText, WithVocabulary, corpus_value, training_value

# The normalizers of each published model, by the model's key.
_NORMALIZERS = {key: cast(tuple[NormalizerKey, ...], row.normalizers) for key, row in PUBLISHED.items()}


@dataclass(frozen=True)
class Pipeline(WithChat, WithVocabulary, WithText):
    """The state of Pipeline. At first its parts are BERT's.

    `input`: what goes through the parts, your text or a chat. `second`: a second text, joined to yours as a pair.
    """

    PAGE = "pipeline"
    NEEDS_WORD = False
    corpus: str = corpus_value("accents")
    input: str = values.one_of("text", ("text", "chat"), "Input")
    second: str = values.text(LINK_LENGTH, "second text")
    normalizers: tuple[NormalizerKey, ...] = values.setting(
        "normalizers",
        ("bert",),
        fits=_NORMALIZERS,
        by="model",
    )
    pretokenizer: str = values.one_of(OWN, [OWN, *PRETOKENIZERS], "Split by")
    model: str = values.one_of("bert", tokenizer_keys.TOKENIZERS, "Model")
    training: str = training_value()
    template: str = values.one_of(
        "bert",
        TEMPLATES,
        "Template",
        fits={key: row.template for key, row in PUBLISHED.items()},
        by="model",
    )
