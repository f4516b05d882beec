"""The kind of a tokenizer's model is a text that answers what callers ask."""

import copy
import pickle

import pytest

from bpe_core import Settings, Tokenizer, load, loads, train
from bpe_core.files.tokenizer_json_write import dumps_model
from bpe_core.models import unigram
from bpe_core.tokenizer.biography import why_no_merge
from bpe_core.tokenizer.model_kinds import ModelKind

SETTINGS = Settings("whitespace", "characters", vocab_size=12)


def opened_unigram() -> Tokenizer:
    return loads(dumps_model(unigram.train("low low lower newer", SETTINGS).model()))


@pytest.mark.parametrize("kind", ModelKind)
def test_a_kind_is_its_name_and_has_sentences(kind):
    assert ModelKind(str(kind)) is kind is pickle.loads(pickle.dumps(kind)) is copy.deepcopy(kind)
    assert (f"{kind}", repr(kind), kind.upper()) == (kind.value, repr(kind.value), kind.value.upper())
    assert kind.no_merges.endswith(".")
    assert not kind.why_whole.endswith(".")


def test_tokenizers_know_the_kinds_of_their_models():
    trained, bert, opened = train("low low", SETTINGS).tokenizer(), load("bert"), opened_unigram()
    assert [tok.model for tok in (trained, bert, opened)] == ["BPE", "WordPiece", "Unigram"]
    assert [tok.model.has_merges for tok in (trained, bert, opened)] == [True, False, False]
    assert [bool(tok.vocabulary.within) for tok in (trained, bert, opened)] == [False, True, False]
    assert [tok.without_library() is tok for tok in (trained, bert, opened)] == [True, True, False]


def test_a_tokenizer_without_its_library_has_the_same_vocabulary_and_kind():
    opened = opened_unigram()
    alone = opened.without_library()
    assert (alone.tokens, alone.model, alone.scores) == (opened.tokens, opened.model, opened.scores)
    assert not alone.needs_library
    score = f"{opened.scores[0]:.2f}".replace("-", "−")
    assert (
        why_no_merge(opened, 0)
        == why_no_merge(alone, 0)
        == (f"a Unigram model takes the tokens whose scores have the highest sum, and this one's is {score}")
    )
