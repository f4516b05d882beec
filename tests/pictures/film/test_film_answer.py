"""How a film takes what comes back from the browser, and what it answers."""

from typing import Any

import pytest

from bpe_core import Settings, train
from bpe_core.pictures.film.film_answer import (
    MOST_CHUNKS,
    FilmData,
    FilmLayout,
    Position,
    ShownSide,
    film_answer,
    position,
)
from bpe_core.pictures.film.film_side import CHUNK, RunSide
from bpe_core.pictures.shared.request import Request, read_request

RUN = train("low lower lowest newest newer widest wider wide " * 3, Settings(vocab_size=280))
SIDE = RunSide(RUN, "_")


def shown(request: Request, step: int = 7) -> FilmData:
    return film_answer(request, [ShownSide(SIDE, [0, ()])], Position(step), 0, FilmLayout(), lambda content, name: name)


VERSION = shown(Request())["version"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, Position(7)),
        ({"step": 12}, Position(12)),
        ({"step": 10**9}, Position(RUN.steps)),
        ({"step": -1, "pair": [0, 1], "word": "x"}, Position(7)),
        ({"pair": [0, len(RUN.tokens), 2], "word": [0, len(RUN.pretokens)]}, Position(7)),
        ({"pair": [1, 1, 2], "word": [1, 0]}, Position(7)),
        ({"branch": [0, RUN.steps + 1, 1, 2]}, Position(7)),
        ({"branch": [0, 3, 1, 2], "find": "low"}, Position(7, find="low", branch=(0, 3, 1, 2))),
        ({"step": "12", "pair": [0, 1, 2], "word": [0, 3]}, Position(7, (0, 1, 2), (0, 3))),
    ],
)
def test_what_comes_from_a_browser_is_distrusted(choice: dict[str, Any], expected: Position):
    assert position(Request(1, VERSION, choice), [SIDE], Position(7), 0) == expected


def test_a_step_that_the_source_has_set_wins_over_a_late_choice_but_the_search_stays():
    late = Request(1, VERSION, {"step": 12, "pair": [0, 1, 2], "find": "low"})
    assert position(late, [SIDE], Position(3), version=1) == Position(3, find="low")
    other = [RunSide(train("hug hug pug", Settings(vocab_size=258)), "_")]
    assert position(late, other, Position(0), version=0) == Position(0, find="low")


def test_an_answer_has_what_was_missing_and_for_a_view_that_knows_nothing_yet_the_step():
    def chunks(request: Request) -> list[list[int]]:
        data = shown(request, CHUNK + 1)
        assert data["answered"] == request.number
        return [chunk[:2] for chunk in data["chunks"]]

    assert chunks(Request()) == [[0, 1], [0, 2], [0, 3]]
    assert chunks(Request(5, "another", missing=[[0, 0]])) == [[0, 1], [0, 2], [0, 3]]
    assert chunks(Request(6, VERSION, missing=[])) == []
    nonsense = [[0, 99], [1, 0], [0, "1"], 3]
    many = [[0, 0], *nonsense, *[[0, 1]] * 99]
    assert chunks(Request(7, VERSION, missing=many)) == [[0, 0], *[[0, 1]] * (MOST_CHUNKS - 5)]


def test_a_later_stage_shows_and_reports_the_steps_of_the_whole_training():
    side = RunSide(train("to be, to be or not to be", Settings(vocab_size=268, then_across_words_from=260)), "")
    data = film_answer(Request(), [ShownSide(side, [0])], Position(9), 0, FilmLayout(), lambda content, name: name)
    assert (data["step"], data["sides"][0]["begin"], side.begin + side.steps) == (9, 4, 12)
    number, chunk = data["chunks"][0][1:]
    assert chunk["frames"][9 - 4 - CHUNK * number]["sentence"][0] == "Step 9 joined "
    for step, expected in ((2, 4), (7, 7), (99, 12)):
        assert position(Request(1, data["version"], {"step": step}), [side], Position(9), 0).step == expected


@pytest.mark.parametrize("sent", [None, [], {"request": []}, {"request": {"number": True, "version": [], "choice": 1}}])
def test_a_request_that_cannot_be_read_wants_nothing(sent: Any):
    assert read_request(sent) == Request()
