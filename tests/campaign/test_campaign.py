"""A small part of the campaign, so that what it found stays mended: `make campaign` runs all of it."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import chain
from random import Random
from urllib.parse import urlencode

import pytest

from tests.campaign import config_files, counted, faults, files, forged, hostile, load, open_files, pasted, resources
from tests.campaign.app_faults import WAITS
from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor, run
from tests.some import later, some

FEW_FILES = 64  # open ones, of which each visitor takes four
VISITORS = 20


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


ORIGINALS = ("tokenizer.json", "vocab.json + merges.txt", ".tiktoken", "minbpe", "wordpiece", "llama3")
ORIGINALS += ("tekken.json", "SentencePiece .model")
ORIGINALS += ("gguf of byte pairs", "gguf of pieces", "gguf of Unigram")


def found(visits: AsyncIterator[tuple[str, list[str]]]) -> list[str]:
    async def collect() -> list[str]:
        return [f"{name}: {said}" async for name, wrong in visits for said in wrong]

    return run(collect())


HOSTILE = {
    "links": lambda server: hostile.links(server, 90),
    "texts": lambda server: hostile.texts(server, 12),
    "lists of ids": lambda server: hostile.ids(server, 4),
    "patterns": lambda server: hostile.patterns(server, 3),
    "states of components": lambda server: forged.states(server, 752),
    "values of widgets": lambda server: forged.values(server, 118),
    "messages that are none": forged.no_messages,
    "values for what is not there": forged.unknown_widget,
    "echoes": hostile.echoes,
    "more links": lambda server: hostile.links(server, 15),
    "more patterns": hostile.patterns,
    "more states": lambda server: forged.states(server, 47),
}


LATER = ("more", "values of", "texts")  # a browser opens texts in tests/browser/test_hostile.py


@pytest.mark.parametrize("kind", [later(kind) if kind.startswith(LATER) else kind for kind in HOSTILE])
def test_nothing_that_a_visitor_should_not_see(server: Server, kind: str) -> None:
    assert found(HOSTILE[kind](server)) == []
    assert not server.tracebacks()


def test_forged_requests_for_resources_are_refused_each_in_its_way(server: Server) -> None:
    assert run(resources.wrong(server)) == []
    assert not server.tracebacks()


@pytest.mark.thorough
def test_many_requests_for_long_texts_at_once_are_answered_or_refused(server: Server) -> None:
    answers, slowest = run(resources.flood(server, at_once=120, visitors=3))
    assert {200, 410, 503} <= answers.keys() <= resources.ANSWERS
    assert slowest < resources.SECONDS
    assert not server.tracebacks()


@pytest.mark.thorough
def test_more_visitors_than_the_soft_limit_of_open_files_lets_in() -> None:
    """All at once, and the first that the server ever has."""
    with serve(limit=open_files.SOFT_LIMIT.format(FEW_FILES)) as server:
        assert run(open_files.refused_at_once(server.url, VISITORS)) == 0


def test_what_trains_in_the_background_and_what_does_not_follow_each_other_without_a_run_of_the_page() -> None:
    """Streamlit lets a fragment draw outside of it only where it drew in the last run of the whole page."""
    waits, at_once = "low lower " * 500, "low lower"

    async def newest_link(page: str, first: str, then: str) -> str:
        visitor = await Visitor.open(server.url, page, {"text": first})
        await visitor.type(then)
        links = [re.findall(r'data-link="([^"]*)".*data-at="(\d+)"', text) for text in visitor.texts.values()]
        await visitor.close()
        return max(chain.from_iterable(links), key=lambda link: int(link[1]))[0]

    with serve(WAITS) as server:
        for page in ("train", "compare"):
            for first, then in ((waits, at_once), (at_once, waits)):
                assert run(newest_link(page, first, then)) == urlencode({"text": then})
        assert not server.tracebacks()


@pytest.mark.thorough
def test_a_step_and_a_key_are_answered_with_little(server: Server) -> None:
    """Not the whole page: the film and what follows it, the box and the tokens."""

    async def received(name: str) -> int:
        page, query, act = load.DOINGS[name]
        visitor = await Visitor.open(server.url, page, query)
        await act(visitor, 1)
        before = visitor.received
        await act(visitor, 2)
        await visitor.close()
        return visitor.received - before

    assert run(received("step")) < 30_000
    assert run(received("type")) < 110_000


@pytest.mark.parametrize("name", some(ORIGINALS))
def test_mutated_files_are_opened_or_refused(name: str) -> None:
    assert tuple(files.originals()) == ORIGINALS
    chance, original = Random(name), files.originals()[name]
    ended = {files.outcome(files.mutated(original, chance)) for _ in range(8)}
    assert ended <= {"opened", "clear error"}


@pytest.mark.parametrize("name", files.PLAIN)
def test_mutated_files_have_the_same_ids_in_a_plain_install_or_are_refused(name: str) -> None:
    assert {*files.of_format(name, 8, files.read_without_library)} <= {"opened", "clear error"}


def test_mutated_files_that_are_no_tokenizer_are_refused() -> None:
    assert {*files.of_others(16)} <= {"opened", "clear error"}


@pytest.mark.parametrize("use", [config_files.open_folder, later(config_files.open_memory)])
def test_files_beside_a_vocabulary_are_opened_or_refused(use: Callable) -> None:
    tried = [*config_files.beside(5, with_large=False)][::9]
    assert {files.outcome(each, use) for each in tried} <= {"opened", "clear error"}


def test_texts_in_other_encodings_are_opened_or_refused() -> None:
    ended = {name: counted.opened(name, content) for name, content in counted.encoded()}
    assert {*ended.values()} <= {"opened", "clear error"}
    assert all(ended[name] == "opened" for name in ended if name.startswith(("utf-8 0", "utf-8 23")))
    marked = [name for name in ended if name.startswith(("utf-16", "utf-32"))]
    assert all(ended[name] == "opened" for name in marked if " 0." in name), "a text that is whole"
    assert all(ended[name] == "clear error" for name in marked if " 1." in name), "a character is cut"


@pytest.mark.parametrize("name", some(tuple(pasted.ATTACKS), 24))
def test_what_looks_like_something_else_raises_nothing(name: str) -> None:
    assert pasted.wrong(pasted.ATTACKS[name]) == []


@pytest.mark.parametrize(
    "fault", [faults.killed_parent, *map(later, [faults.full_disk, faults.little_memory, faults.closed_output])]
)
def test_a_fault_ends_as_it_should(fault: Callable, tmp_path) -> None:
    assert fault(tmp_path) == ""
