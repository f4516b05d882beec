"""What the pages say of a run, in words."""

from dataclasses import replace

import pytest

from bpe_core import Settings, train
from bpe_core.training.lifetimes import STOP_REASONS
from pages.parts.views import sentences


@pytest.mark.parametrize("reason", STOP_REASONS)
def test_every_stop_reason_reads_as_a_sentence(reason):
    run = train("hug hug pug", Settings(vocab_size=258))
    said = sentences.stopped(replace(run, film=replace(run.film, stop_reason=reason)))
    if reason == "no pairs left":
        assert said == f"Done after {run.steps} merges: nothing left to join."
    else:
        assert said.endswith(" asked for.")
        assert "258" in said
