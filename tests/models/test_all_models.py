"""The models on one corpus: the same budget, the same words, limits that are said."""

import pytest
from tokenizers import Tokenizer, trainers
from tokenizers import models as their_models

from bpe_core import UNKNOWN, Settings, SettingsError
from bpe_core.models.all_models import (
    MODELS,
    MOST_TEXT,
    MOST_WORDS,
    TooLargeError,
    result,
    texts_of,
    train_models,
)
from pages.parts.texts.corpora import example
from pages.parts.texts.examples import EXAMPLES
from tests.texts import NASTY


def characters(vocab_size: int, pretokenizer: str = "whitespace") -> Settings:
    return Settings(pretokenizer, "characters", vocab_size=vocab_size)


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_models_keep_to_the_budget_and_write_their_own_corpus(name):
    models = train_models(example(name).text, characters(1000, "gpt2"))
    for key, model in models.by_name.items():
        assert len(model.tokens) <= 1000
        assert len(set(model.tokens)) == len(model.tokens)
        found = result(model, models.counts)
        assert found.words == sum(models.counts.values())
        assert found.unknown == sum(n for word, n in models.counts.items() if UNKNOWN in model.encode_word(word))
        if key in ("bpe", "unigram", "character"):
            assert found.unknown == 0
    assert result(models.character, models.counts).tokens == sum(len(word) * n for word, n in models.counts.items())


def test_the_guide_to_thirty_entries():
    models = train_models(example("cats-eat").text, characters(30))
    assert [len(model.tokens) for model in models.by_name.values()] == [30, 30, 30, 7, 16]
    shown = {
        name: " ".join(model.tokens[i].replace(b"\xff", b"##").decode() for i in model.encode_word("jumping"))
        for name, model in models.by_name.items()
    }
    assert shown == {
        "bpe": "j u m p ing",
        "wordpiece": "jumping",
        "unigram": "j u m p ing",
        "word": "jumping",
        "character": "j u m p i n g",
    }
    assert b"jumping" in texts_of(models.by_name["wordpiece"])


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("pretokenizer", ["gpt2", "none"])
def test_nasty_text(text, pretokenizer):
    models = train_models(text, characters(1000, pretokenizer))
    for model in models.by_name.values():
        assert result(model, models.counts).words == sum(models.counts.values())
    assert list(models.by_name) == list(MODELS)


def test_progress_is_told_and_changes_nothing():
    told = []
    text = example("short-story").text
    watched = train_models(text, characters(300), lambda *report: told.append(report))
    alone = train_models(text, characters(300))
    for key, model in alone.by_name.items():
        assert model.tokens == watched.by_name[key].tokens
    assert {phase for phase, _, _ in told} == {"counting", "wordpiece", "merging", "unigram"}
    assert all(0 <= done <= total for _, done, total in told)


def test_limits_are_said():
    with pytest.raises(
        TooLargeError,
        match=r"the text has 1,000,001 characters; .* take at most 1,000,000",
    ):
        train_models("a" * (MOST_TEXT + 1), characters(100))
    with pytest.raises(TooLargeError, match=r"the different words have 200,001 characters together"):
        train_models("ab" * (MOST_WORDS // 2) + "a", characters(100, "none"))
    with pytest.raises(SettingsError, match="vocab_size 15 is below the 16 base symbols") as caught:
        train_models(example("cats-eat").text, characters(15))
    assert caught.value.least == 16


def test_hugging_faces_wordpiece_trainer_goes_by_the_count():
    """What the page says: on the guide's corpus it learns byte-pair encoding's pairs."""
    theirs = Tokenizer(their_models.WordPiece(unk_token="[UNK]"))
    trainer = trainers.WordPieceTrainer(vocab_size=28, show_progress=False, special_tokens=[])
    theirs.train_from_iterator(example("cats-eat").text.split(), trainer)
    made = [token for token in theirs.get_vocab() if len(token.removeprefix("##")) > 1]
    assert made == ["##at"]
