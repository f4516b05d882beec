"""Tests for pictures that arrive first."""

import asyncio
import threading
import time
from types import SimpleNamespace
from weakref import WeakSet

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from pages.parts.server import picture_first as module
from pages.parts.server.picture_first import picture_first
from pages.parts.server.whole_answers import PATIENCE, PatientRequests, WholeAnswers


@pytest.fixture
def requests(monkeypatch):
    """The messages of this thread's visitor."""
    monkeypatch.setattr(PatientRequests, "answering", WeakSet())
    own = PatientRequests()
    own.request_rerun(RerunData())
    own.on_scriptrunner_ready()
    monkeypatch.setattr(WholeAnswers, "loop", None)
    monkeypatch.setattr(
        module, "get_script_run_ctx", lambda **_: SimpleNamespace(script_requests=own, fragment_ids_this_run=[1])
    )
    return own


def answer(requests, while_it_waits) -> tuple[list[str], float]:
    """Let a server answer with a picture and the rest; return what happened, in order, and the seconds of the wait."""
    order: list[str] = []
    waited: list[float] = []

    async def app(scope, receive, send):
        loop = asyncio.get_running_loop()

        def thread():
            loop.call_soon_threadsafe(order.append, "the picture is sent")
            began = time.monotonic()
            picture_first()
            waited.append(time.monotonic() - began)
            order.append("the rest is drawn")

        drawing = threading.Thread(target=thread)
        drawing.start()
        while "the picture is sent" not in order:
            await asyncio.sleep(0)
        while_it_waits(order)
        await asyncio.to_thread(drawing.join)

    asyncio.run(WholeAnswers(app)({"type": "websocket"}, None, None))
    return order, waited[0]


def test_the_rest_is_drawn_a_moment_after_the_picture_was_sent(requests):
    """A browser could not show the picture before the rest, if both came together."""
    requests.news.set()  # as by a message that came while the thread lingered after the last answer
    order, waited = answer(requests, lambda order: None)
    assert order == ["the picture is sent", "the rest is drawn"]
    assert waited >= module.MOMENT


def test_nobody_waits_beside_another_who_is_answered(requests, monkeypatch):
    """The wait would count as a use of the processor, and whoever used much has to wait for a turn."""
    other = PatientRequests()
    other.request_rerun(RerunData())
    other.on_scriptrunner_ready()
    waits = []
    monkeypatch.setattr(PatientRequests, "wait", lambda self, longer: waits.append(longer))
    picture_first()
    assert waits == []
    other.request_stop()
    other.on_scriptrunner_ready()
    picture_first()
    assert waits[-1] == module.MOMENT


def test_the_next_message_ends_the_moment(requests, monkeypatch):
    """So whoever has asked for something else waits for nothing."""
    monkeypatch.setattr(module, "MOMENT", 10 * PATIENCE)

    def type_a_key(order: list[str]) -> None:
        assert order == ["the picture is sent"]
        order.append("a key is pressed")
        requests.request_rerun(RerunData(fragment_id="the tokens"))

    order, waited = answer(requests, type_a_key)
    assert order == ["the picture is sent", "a key is pressed", "the rest is drawn"]
    assert waited < PATIENCE


def test_a_whole_page_does_not_wait_and_nothing_does_without_a_server(monkeypatch):
    """In tests of a page the messages are Streamlit's own; a thread that answers nobody has none."""
    waits = []
    monkeypatch.setattr(PatientRequests, "wait", lambda self, longer: waits.append(longer))
    fragment, page = {"fragment_ids_this_run": [1]}, {"fragment_ids_this_run": None}
    others = [dict(script_requests=None, **fragment), dict(script_requests=ScriptRequests(), **fragment)]
    alone = PatientRequests()
    monkeypatch.setattr(PatientRequests, "answering", WeakSet([alone]))
    others.append(dict(script_requests=alone, **page))  # a whole page
    for context in (None, *(SimpleNamespace(**other) for other in others)):
        monkeypatch.setattr(module, "get_script_run_ctx", lambda context=context, **_: context)
        picture_first()
    assert waits == []
