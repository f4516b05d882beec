"""Resources: each has the data that the page itself would have, for every kind of tokenizer and any text."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, train
from bpe_core.pictures import resources
from bpe_core.pictures.film.film_answer import Film, LeftToPageError, ShownSide, first_data, focus_data, words_of
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.prompt.prompt_data import prompt_data
from bpe_core.pictures.resources import OF_ONE, OF_SEVERAL, ParameterError, resources_of
from bpe_core.pictures.rows.rows_data import drawn, finding, rows_table
from bpe_core.pictures.shared.json_form import compact
from bpe_core.pictures.shared.token_text import paired
from bpe_core.pictures.tokens.text_remarks import remarks
from bpe_core.pictures.tokens.token_facts import TextToken, biography, most_interesting
from bpe_core.pictures.tokens.tokens_data import SECTIONS, text_data
from bpe_core.tokenizer.prompt_end import prompt_end
from pages.parts.vocabularies.page_vocabulary import PageVocabulary, of_run, opened, published
from tests.shapes import file_of
from tests.texts import NASTY, TEXTS

PROSE = "The lighthouse keeper's café, <|endoftext|> 12 नमस्ते 🦜\r\n end "
MAKERS = {
    "GPT-4o": lambda: published("o200k_base"),
    "BERT": lambda: published("bert"),
    "trained": lambda: of_run("own", "own", train(PROSE * 3, Settings("gpt2", vocab_size=300)), "a text"),
    "with markers": lambda: of_run(
        "marked", "marked", train(PROSE, Settings("whitespace", "characters", "end", vocab_size=60)), "a text"
    ),
    "opened": lambda: opened({"tokenizer.json": file_of("llama3")}, None),
}
PROMPT = {"version": 1, "answered": 0, "chosen": 0, "cut": True, "given": ""}
STATE = {"version": 1, "answered": 0, "title": "", "step": 0, "shows": SECTIONS, "options": {}}


@cache
def vocabulary(kind: str) -> PageVocabulary:
    return MAKERS[kind]()


def as_sent(data: object) -> object:
    """Return data as a browser reads it."""
    return json.loads(compact(data))


def agree(chosen: PageVocabulary, text: str, specials: bool) -> None:
    """Check that each resource of a text has the data of the page."""
    parameters = as_sent({"text": text, "specials": specials})
    encoding, steps = chosen.tokenizer.encode(paired(text), specials=specials), chosen.steps
    walk = encoding.walk
    at = most_interesting(walk, steps)
    facts = None if at < 0 else biography(TextToken(chosen.tokenizer, walk, at, steps, chosen.run))
    page = text_data(walk, chosen.glyph, {**STATE, "at": at, "facts": facts, "remarks": remarks(encoding)})
    found = resources.tokens(chosen, parameters)
    assert found == {name: page[name] for name in found}
    assert {"symbols", "fallen", "counts", "steps", "at", "facts", "remarks"} <= found.keys()
    for at, step in {(0, 0), (len(walk) // 2, steps // 2), (len(walk) - 1, steps)}:
        if 0 <= at < len(walk):
            expected = biography(TextToken(chosen.tokenizer, walk, at, step, chosen.run))
            assert resources.token(chosen, parameters | {"at": at, "step": step}) == {"facts": expected}
    for end in {0, len(paired(text)) // 2, len(paired(text))}:
        prompt = prompt_end(chosen.tokenizer, paired(text), end, specials)
        page = prompt_data(prompt, chosen.glyph, PROMPT)
        found = resources.prompt(chosen, parameters | {"end": end, "cut": True})
        assert found == {**{name: page[name] for name in found}, "end": end}
        as_sent(found)


@pytest.mark.parametrize("kind", MAKERS)
def test_each_resource_has_the_data_of_the_page(kind):
    texts = ["", PROSE, *NASTY[:8], "e\u0301 é", "\ud83e\udd9c"]
    for text in [*texts, *([] if kind == "opened" else ["lone \ud83e surrogate"])]:
        agree(vocabulary(kind), text, specials=True)


@pytest.mark.parametrize("kind", ["GPT-4o", "BERT", "trained", "with markers"])
@given(text=TEXTS, specials=st.booleans())
def test_each_resource_has_the_data_of_the_page_for_any_text(kind, text, specials):
    agree(vocabulary(kind), text, specials)


def test_rows_are_those_of_the_page_and_one_that_refuses_the_text_has_a_sentence():
    kinds = ("GPT-4o", "BERT", "trained")
    chosen = [vocabulary(kind) for kind in kinds]
    rows = [each.row(PROSE, specials=False) for each in chosen]
    found = resources.rows(chosen, {"text": PROSE, "specials": False})
    drawn_rows = [drawn(row, rows[0]) for row in rows]
    assert found == {"rows": drawn_rows, "finding": finding(rows), "table": rows_table(rows), "problems": []}
    refusing = vocabulary("opened")
    found = resources.rows([refusing, *chosen], {"text": "lone \ud83e", "specials": False})
    names = [row["name"] for row in found["rows"]]
    assert len(names) + len(found["problems"]) == 4
    assert all(problem.startswith(f"{refusing.title}: ") for problem in found["problems"])
    nothing = {"rows": [], "finding": "", "table": [], "problems": []}
    assert resources.rows([], {"text": "", "specials": False}) == nothing


def test_an_encoding_can_come_from_before():
    chosen, parameters = vocabulary("trained"), {"text": PROSE, "specials": False, "at": 2, "step": 9}
    before, asked = chosen.tokenizer.encode(PROSE, specials=False), []

    def encode(*question):
        asked.append(question)
        return before

    for name in ("tokens", "token"):
        assert OF_ONE[name](chosen, parameters, encode) == OF_ONE[name](chosen, parameters, resources.encoded)
    assert asked == [(chosen, PROSE, False)] * 2


def test_a_thing_has_the_resources_of_its_kind():
    assert resources_of(vocabulary("trained")) is OF_ONE
    assert resources_of((vocabulary("trained"),)) is OF_SEVERAL
    assert not OF_ONE.keys() & OF_SEVERAL.keys()


GOOD = {"text": "a", "specials": True, "at": 0, "step": 0, "end": -1, "cut": True}
WRONG = [
    *(("tokens", name) for name in ("text", "specials")),
    *(("token", name) for name in ("text", "specials", "at", "step")),
    *(("prompt", name) for name in ("text", "specials", "end", "cut")),
    *(("rows", name) for name in ("text", "specials")),
]


@pytest.mark.parametrize(("resource", "name"), WRONG)
@pytest.mark.parametrize("value", [None, "1", 1.0, [], -2])
def test_a_parameter_of_another_type_is_refused(resource, name, value):
    chosen = vocabulary("trained")
    make, thing = (OF_SEVERAL[resource], [chosen]) if resource in OF_SEVERAL else (OF_ONE[resource], chosen)
    make(thing, GOOD, resources.encoded)
    if name != "text" or not isinstance(value, str):
        with pytest.raises(ParameterError, match=name):
            make(thing, GOOD | {name: value}, resources.encoded)
    with pytest.raises(ParameterError, match=name):
        make(thing, {key: GOOD[key] for key in GOOD if key != name}, resources.encoded)


def test_a_token_is_asked_for_at_a_symbol_of_the_text():
    for text, at in (("a", 1), ("", 0), (PROSE, len(PROSE.encode()))):
        with pytest.raises(ParameterError, match="no such symbol"):
            resources.token(vocabulary("trained"), GOOD | {"text": text, "at": at}, resources.encoded)


RUN = train(PROSE, Settings("gpt2", vocab_size=300))
FILM = Film([ShownSide(side := RunSide(RUN, ""), words_of(side))])
SEARCH = {"find": "", "sort": ""}
NO_TEXTS = [None, 1, True, ["a"], {"a": "b"}]


def test_a_films_resources_are_the_data_that_it_begins_with():
    first = resources.film(FILM, SEARCH | {"step": 7})
    assert first == first_data(FILM, "", "", 7)
    assert resources.window(FILM, SEARCH | {"step": 7}) == first["window"]
    numbers = [chunk[:2] for chunk in first["chunks"]]
    assert resources.frames(FILM, {"chunks": numbers}) == {"chunks": first["chunks"]}
    assert resources.focus(FILM, {"chosen": [0, 2], "step": 7})["focus"] == focus_data(FILM, [0, 2], 7)
    assert [*resources_of(FILM)] == ["film", "window", "frames", "focus"]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(("window", SEARCH | {"step": 0, name: value}) for name in SEARCH for value in NO_TEXTS),
        *((name, SEARCH | {"step": step}) for name in ("film", "window") for step in (None, -1, 1.0, "1", True)),
        *(("frames", {"chunks": chunks}) for chunks in (None, 1, "ab", {"a": 1})),
        *(("focus", {"chosen": chosen, "step": 0}) for chosen in (None, 1, [], [0], [0, 1, 2, 3], [0, 10**9], [1, 0])),
        ("focus", {"chosen": [0, 0], "step": "1"}),
        ("window", SEARCH | {"step": 0, "text": 1}),
    ],
)
def test_what_no_film_sends_is_an_error(name, wrong):
    with pytest.raises(ParameterError):
        resources.OF_FILM[name](FILM, wrong, resources.encoded)


def test_a_film_that_does_not_follow_the_typing_trains_on_no_text():
    with pytest.raises(LeftToPageError):
        resources.window(FILM, SEARCH | {"text": "a"})
