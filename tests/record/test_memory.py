"""What a record says that it takes, against what Python has given out for it; and that it stays within bounds."""

import gc
import tracemalloc

import pytest

from bpe_core import Settings, train
from bpe_core.models import wordpiece
from bpe_core.models.all_models import train_models
from bpe_core.training import working_corpus
from tests.some import some
from tests.texts import EXAMPLES

STORY = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
DIGITS = "".join(map(str, range(30_000)))


def measured(make):
    """(what `make` gives, how many bytes are in use for it)."""
    assert make().nbytes  # what stays in the engine's own caches is there from now on
    gc.collect()
    tracemalloc.start()
    made = make()
    assert made.nbytes  # it computes what the pages will ask for
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return made, size


@pytest.mark.parametrize(
    ("text", "chosen"),
    some(
        [
            (STORY, Settings(vocab_size=1000)),
            (STORY * 100, Settings(vocab_size=500)),  # mostly the text
            (DIGITS[:30_000], Settings("none", vocab_size=1000)),  # one long word
            (DIGITS, Settings("digits", "characters", "end", vocab_size=200)),
            (DIGITS[:6000], Settings("none", vocab_size=100_000)),  # mostly the tokens
        ],
        4,
    ),
)
def test_a_run_takes_what_it_says(text, chosen):
    # the text is built anew, so that its memory is measured, too
    run, size = measured(lambda: train("".join(list(text)), chosen))
    assert 0.8 < run.nbytes / size < 1.2


def test_models_take_what_they_say():
    models, size = measured(
        lambda: train_models("".join(list(STORY[:2000])), Settings("gpt2", "characters", vocab_size=200))
    )
    assert 0.8 < models.nbytes / size < 1.2


@pytest.mark.parametrize("trained", [train, wordpiece.train])
def test_tokens_that_become_too_long_end_training(trained, monkeypatch):
    monkeypatch.setattr(working_corpus, "MOST_SYMBOLS", 20_000)
    run = trained(DIGITS[:3000], Settings("none", "characters", vocab_size=1_000_000))
    assert run.stop_reason == "tokens too long"
    assert 20_000 < sum(map(len, run.tokens)) < 40_000


def test_a_paste_that_nothing_cuts_stays_small():
    run = train("".join(map(str, range(120_000)))[:120_000], Settings("none", vocab_size=1_000_000))
    assert run.nbytes < 100e6
