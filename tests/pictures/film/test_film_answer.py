"""How a film takes what comes back from the browser, and what it answers."""

from typing import Any

import pytest

from bpe_core import Settings, train
from bpe_core.pictures.film.film_answer import (
    MOST_ASKED,
    Film,
    FilmData,
    FilmLayout,
    Position,
    ShownSide,
    ShownWords,
    film_answer,
    first_data,
    focus_data,
    frames_data,
    position,
    window_data,
    words_of,
)
from bpe_core.pictures.film.film_side import CHUNK, FilmSide, RunSide
from bpe_core.pictures.film.word_window import CHANGED, SORTS, WINDOW, words
from bpe_core.pictures.shared.request import Request, read_request

RUN = train("low lower lowest newest newer widest wider wide " * 3, Settings(vocab_size=280))
SIDE = RunSide(RUN, "_")
FILM = Film([ShownSide(SIDE, words_of(SIDE, " And so on."))])


def of_one(side: FilmSide) -> Film:
    return Film([ShownSide(side, lambda *_: ShownWords([0]))])


def shown(request: Request, step: int = 7) -> FilmData:
    return film_answer(request, FILM, Position(step), 0, FilmLayout())


VERSION = shown(Request())["version"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, Position(7)),
        ({"step": 12}, Position(12)),
        ({"step": 10**9}, Position(RUN.steps)),
        ({"step": -1, "find": "low"}, Position(7, "low")),
        ({"branch": [0, RUN.steps + 1, 1, 2]}, Position(7)),
        ({"branch": [0, 3, 1, len(RUN.tokens)]}, Position(7)),
        ({"branch": [1, 3, 1, 2], "enter": [0]}, Position(7)),
        ({"branch": [0, 3, 1, 2], "find": "low"}, Position(7, find="low", branch=(0, 3, 1, 2))),
        ({"step": "12", "enter": [1, 5]}, Position(7, enter=(1, 5))),
    ],
)
def test_what_comes_from_a_browser_is_distrusted(choice: dict[str, Any], expected: Position):
    assert position(Request(1, VERSION, choice), [SIDE], Position(7), 0) == expected


def test_a_step_that_the_source_has_set_wins_over_a_late_choice_but_the_search_stays():
    late = Request(1, VERSION, {"step": 12, "branch": [0, 3, 1, 2], "find": "low"})
    assert position(late, [SIDE], Position(3), version=1) == Position(3, find="low")
    other = [RunSide(train("hug hug pug", Settings(vocab_size=258)), "_")]
    assert position(late, other, Position(0), version=0) == Position(0, find="low")


def test_a_film_that_knows_the_training_is_sent_nothing_of_it():
    known = shown(Request(6, VERSION))
    assert (known["answered"], known["first"]) == (6, None)
    first = shown(Request(5, "another"), CHUNK + 1)["first"]
    assert first == first_data(FILM, "", "", CHUNK + 1)
    assert [chunk[:2] for chunk in first["chunks"]] == [[0, 1], [0, 2], [0, 3]]
    assert (first["facts"], first["run"], first["sides"]) == ([SIDE.facts()], known["run"], known["sides"])
    assert first["window"] == window_data(FILM, "", "", 0)


@pytest.mark.parametrize("sort", [*SORTS, "", "nonsense"])
def test_a_window_has_the_words_that_match_in_the_order(sort):
    window = window_data(FILM, "ER", sort, 0)
    [words] = window["sides"]
    assert window["sort"] == (sort if sort in SORTS else "as in the text")
    assert window["changed_first"] == (sort == CHANGED)
    rows = [RUN.pretokens.index(word) for word in (" lower", " newer", " wider")]
    assert sorted(words["rows"]) == sorted([row] for row in rows)
    assert words["words"] == SIDE.words([row for [row] in words["rows"]])
    assert words["note"] == "3 of 10 words match. And so on."


def test_all_words_that_a_step_changed_come_first_then_the_most_frequent():
    side = RunSide(train(" ".join(f"{n}th m{n} {n}" for n in range(150)), Settings("whitespace", vocab_size=290)), "")
    film, frequent = Film([ShownSide(side, words_of(side))]), words(side.record, sort=CHANGED).rows
    lifetimes = {row: merged_at for row, _, _, merged_at, _ in side.words(range(side.word_count))}
    for step in range(1, side.steps + 1):
        changed = {row for row, merged_at in lifetimes.items() if step in merged_at}
        rows = [row for [row] in window_data(film, "", CHANGED, step)["sides"][0]["rows"]]
        assert {*rows[: len(changed)]} == changed
        assert rows[len(changed) :] == [row for row in frequent if row not in changed][: WINDOW - len(changed)]
        matching = {row for row in lifetimes if "7" in side.record.pretokens[row]}
        found = [row for [row] in window_data(film, "7", CHANGED, step)["sides"][0]["rows"]]
        assert ({*found}, {*found[: len(changed & matching)]}) == (matching, changed & matching)


def test_frames_are_those_that_are_asked_for_and_exist():
    nonsense = [[0, 99], [1, 0], [0, "1"], 3, [0, -1], [0, True]]
    many = [[0, 0], *nonsense, *[[0, 1]] * 99]
    found = frames_data(FILM, many)
    assert [chunk[:2] for chunk in found] == [[0, 0], *[[0, 1]] * (MOST_ASKED - 7)]
    assert found[0][2] == SIDE.chunk(0)


def test_details_are_of_a_pair_or_a_word_that_exists():
    low = RUN.ids[b"l"], RUN.ids[b"o"]
    pair = focus_data(FILM, [0, *low], 0)
    assert pair == {"side": 0, "step": 0, "chosen": [*low], **SIDE.focus(0, low, None)}
    word = focus_data(FILM, [0, 3], 10**9)
    assert word == {"side": 0, "step": RUN.steps, "chosen": [3], **SIDE.focus(RUN.steps, None, 3)}
    for chosen in ([1, 3], [0, len(RUN.pretokens)], [0, len(RUN.tokens), 2], [0, "3"], [0, -1], [0, 1.0]):
        assert focus_data(FILM, chosen, 0) is None


def test_a_later_stage_shows_and_reports_the_steps_of_the_whole_training():
    side = RunSide(train("to be, to be or not to be", Settings(vocab_size=268, then_across_words_from=260)), "")
    data = film_answer(Request(), of_one(side), Position(9), 0, FilmLayout())
    assert (data["step"], data["sides"][0]["begin"], side.begin + side.steps) == (9, 4, 12)
    number, chunk = data["first"]["chunks"][0][1:]
    assert chunk["frames"][9 - 4 - CHUNK * number]["sentence"][0] == "Step 9 joined "
    for step, expected in ((2, 4), (7, 7), (99, 12)):
        assert position(Request(1, data["version"], {"step": step}), [side], Position(9), 0).step == expected


@pytest.mark.parametrize("sent", [None, [], {"request": []}, {"request": {"number": True, "version": [], "choice": 1}}])
def test_a_request_that_cannot_be_read_wants_nothing(sent: Any):
    assert read_request(sent) == Request()
