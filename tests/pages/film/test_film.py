"""How a film takes what comes back from the browser."""

import pytest

from bpe_core import Settings, train
from bpe_core.live.film_data import RunSide
from pages.parts.film import film
from pages.parts.session.corpora import example

RUN = train(example("short-story").text, Settings(vocab_size=500))
SIDE = RunSide(RUN, "_")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, film.Told(7)),
        ({"step": 12}, film.Told(12)),
        ({"step": 10**9}, film.Told(RUN.steps)),
        ({"step": 12, "version": 1}, film.Told(7)),
        ({"step": 12, "run": "another"}, film.Told(7)),
        ({"step": -1, "pair": [0, 1], "word": "x"}, film.Told(7)),
        ({"pair": [0, len(RUN.tokens), 2], "word": [0, len(RUN.pretokens)]}, film.Told(7)),
        ({"pair": [1, 1, 2], "word": [1, 0]}, film.Told(7)),
        ({"step": "12", "pair": [0, 1, 2], "word": [0, 3]}, film.Told(7, (0, 1, 2), (0, 3))),
    ],
)
def test_what_comes_from_a_browser_is_distrusted(sent, expected):
    value = {"run": SIDE.digest, "version": 0} | sent
    assert film.told({"film": value}, [SIDE], film.Told(7), 0) == expected
