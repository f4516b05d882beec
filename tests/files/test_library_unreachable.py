"""Tokens that no text can produce under a library's tokenizer, held to all short texts there are."""

import gc
import json
import random
import weakref
from itertools import product

import pytest
from tokenizers import Tokenizer as Theirs
from tokenizers import models, pre_tokenizers

from bpe_core import loads
from bpe_core.files.library_unreachable import reach_of
from bpe_core.tokenizer.biography import other_split, shorter_and_longer, words_with
from bpe_core.tokenizer.tokenizer import ADDED, WITHIN
from bpe_core.tokenizer.unreachable import (
    EMPTY,
    MERGED,
    NOT_UTF8,
    OUTSCORED,
    PART,
    REACHABLE,
    SPARE,
    SPECIAL,
    UNREACHABLE,
    UNSEEN,
)
from tests.shapes import file_of

TEXTS = ["".join(letters) for size in range(1, 9) for letters in product("ab", repeat=size)]


def opened(theirs):
    return loads({"x": theirs.to_str().encode()})


def random_unigram(rng):
    tokens = {"a": -3.0, "b": -3.5} | {
        "".join(rng.choices("ab", k=rng.randint(2, 4))): -rng.uniform(2, 16) for _ in range(9)
    }
    return models.Unigram([("<unk>", -20.0), *tokens.items()], unk_id=0)


def random_wordpiece(rng):
    names = ["[UNK]", "a", "b", "##a", "##b"]
    names += [rng.choice(["", "##"]) + "".join(rng.choices("ab", k=rng.randint(2, 4))) for _ in range(9)]
    return models.WordPiece({name: i for i, name in enumerate(dict.fromkeys(names))}, unk_token="[UNK]")


def random_bpe(rng):
    names, merges = ["a", "b"], []
    while len(names) < 10:
        left, right = rng.choice(names), rng.choice(names)
        if len(left + right) <= 4 and left + right not in names:
            merges.append((left, right))
            names.append(left + right)
    rng.shuffle(merges)
    return models.BPE({name: i for i, name in enumerate(names)}, merges)


@pytest.mark.parametrize("model", [random_unigram, random_wordpiece, random_bpe])
@pytest.mark.parametrize("seed", range(12))
def test_a_token_is_reachable_where_some_text_has_it(model, seed):
    tok = opened(Theirs(model(random.Random(seed))))
    seen = {i for ids in tok.library.ids_of_each(TEXTS) for i in ids}
    verdicts = reach_of(tok)
    assert {i for i, verdict in enumerate(verdicts) if verdict == REACHABLE} >= seen
    assert not seen & {i for i, verdict in enumerate(verdicts) if verdict in UNREACHABLE}
    unknown = {i for i, token in enumerate(tok.tokens) if token in (b"<unk>", b"[UNK]")}
    assert {i for i, verdict in enumerate(verdicts) if verdict == REACHABLE} - unknown == seen - unknown


def test_every_model_has_tokens_of_its_verdict():
    def verdicts(model):
        return [verdict for seed in range(12) for verdict in reach_of(opened(Theirs(model(random.Random(seed)))))]

    assert OUTSCORED in verdicts(random_unigram)
    assert MERGED in verdicts(random_bpe)
    assert MERGED not in verdicts(random_wordpiece)


def test_what_is_split_before_a_word_list_is_asked_is_not_called_impossible():
    theirs = Theirs(models.WordLevel({"[UNK]": 0, "dog": 1, "a dog": 2}, unk_token="[UNK]"))
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    assert reach_of(opened(theirs))[1:] == [REACHABLE, UNSEEN]


def test_special_added_and_byte_tokens_are_told_apart():
    whole = json.loads(file_of("llama2"))
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    whole["added_tokens"].append({"id": len(whole["model"]["vocab"]), "content": "<tool>", "special": False, **flags})
    tok = loads({"x": json.dumps(whole).encode()})
    verdicts, vocab = reach_of(tok), whole["model"]["vocab"]
    assert tok.kinds[len(vocab)] == ADDED
    assert (verdicts[vocab["<s>"]], verdicts[vocab["<0x61>"]], verdicts[vocab["a"]]) == (SPECIAL, SPARE, REACHABLE)
    assert (verdicts[vocab["<0xC0>"]], verdicts[vocab["<0xC3>"]], verdicts[vocab["<0x01>"]]) == (
        NOT_UTF8,
        PART,
        REACHABLE,
    )


@pytest.mark.parametrize("shape", ["gpt2", "roberta", "llama3", "gemma", "metaspace first", "gpt2 with end of word"])
def test_hardly_a_token_that_was_trained_is_out_of_reach(shape):
    verdicts = reach_of(loads({"x": file_of(shape)}))
    assert {verdict for verdict in verdicts if verdict in UNREACHABLE} <= {NOT_UTF8, SPARE}
    assert verdicts.count(UNSEEN) <= 2 + len(verdicts) // 3 * (shape == "gpt2 with end of word")
    assert set(verdicts) <= {REACHABLE, PART, NOT_UTF8, SPARE, SPECIAL, UNSEEN, EMPTY}


def test_what_was_worked_out_for_a_tokenizer_goes_with_it():
    """A process may hang on it."""
    for shape in ("wordpiece", "unigram", "gemma"):
        tok = loads({"x": file_of(shape)})
        reach_of(tok)
        known = weakref.ref(tok)
        del tok
        gc.collect()
        assert known() is None


def test_how_unigram_and_wordpiece_come_to_a_token():
    tok = opened(Theirs(models.Unigram([("t", -5.0), ("h", -6.0), ("th", -7.0), ("e", -4.0), ("the", -9.0)])))
    assert other_split(tok, 4) == (-11.0, [b"th", b"e"])
    assert other_split(tok, 0) is None
    names = ["[UNK]", "a", "ab", "abc", "##a", "##ab"]
    tok = opened(Theirs(models.WordPiece({name: i for i, name in enumerate(names)}, unk_token="[UNK]")))
    assert tok.kinds == {4: WITHIN, 5: WITHIN}
    assert shorter_and_longer(tok, 2) == ([1], [3])
    assert shorter_and_longer(tok, 4) == ([], [5])
    assert words_with(tok, 4, 2) == ["aa", "aba"]
