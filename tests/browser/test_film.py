"""Random frames of trainings, read off the screen, say what the engine says."""

from random import Random

import pytest

from bpe_core import Settings, train
from pages.parts.texts.corpora import example
from tests.browser.film_frames import SCRIPT, check_frames

FILMS = [
    ("short-story", {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "900"}, 500),
    ("hug-pug-pun", {}, 150),
    (
        "many-languages",
        {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "tie_rule": "greatest"},
        300,
    ),
    ("python-code", {"pretokenizer": "cl100k", "alphabet": "characters", "word_marker": "start"}, 300),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("corpus", "query", "frames"), FILMS)
def test_random_frames_equal_the_engine(open_page, corpus, query, frames):
    values = {
        "pretokenizer": "whitespace",
        "alphabet": "characters",
        "word_marker": "end",
        "vocab_size": "1000",
    } | query
    chosen = Settings(
        values["pretokenizer"],
        values["alphabet"],
        values["word_marker"],
        values.get("tie_rule", "first-seen"),
        vocab_size=int(values["vocab_size"]),
    )
    run = train(example(corpus).text, chosen)
    page = open_page("train", {"corpus": corpus} | query)
    page.evaluate(SCRIPT)
    page.evaluate("film.drawn(0)")
    steps = [0, run.steps, *(Random(7).randint(0, run.steps) for _ in range(frames))]
    for first in range(0, len(steps), 100):
        check_frames(page, run, steps[first : first + 100])
