"""Tests for answers that arrive whole."""

import asyncio
import threading
import time

from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

from pages.parts.server import whole_answers
from pages.parts.server.whole_answers import WholeAnswers


def test_a_message_at_the_end_of_an_answer_does_not_take_its_end_away(monkeypatch):
    """Streamlit's own class refuses the message then: a new thread gets it, and what the old one drew is dropped."""
    monkeypatch.setattr(script_runner, "ScriptRequests", script_runner.ScriptRequests)  # put back after the test
    monkeypatch.setattr(WholeAnswers, "loop", None)
    whole_answers.begin()
    sent = []

    async def app(scope, receive, send):
        """One answer, and a message that the loop reads before it has sent the answer."""
        requests = script_runner.ScriptRequests()
        assert requests.request_rerun(RerunData(fragment_id="the film"))
        loop, drawn = asyncio.get_running_loop(), threading.Event()

        def answer():
            requests.on_scriptrunner_ready()
            requests.request_rerun(RerunData())
            requests.on_scriptrunner_yield()  # takes a message in the middle of the answer
            loop.call_soon_threadsafe(sent.append, "the menu")
            drawn.set()
            while requests.on_scriptrunner_ready().type == ScriptRequestType.RERUN:
                loop.call_soon_threadsafe(sent.append, "the film")

        thread = threading.Thread(target=answer)
        thread.start()
        drawn.wait()
        time.sleep(0.1)  # the loop is busy: a thread that does not wait has ended after it
        assert requests.request_rerun(RerunData(fragment_id="the film")), "the answer's thread takes the message"
        assert sent == []
        await asyncio.to_thread(thread.join)

    asyncio.run(WholeAnswers(app)({"type": "websocket"}, None, None))
    assert sent == ["the menu", "the film"]


def test_nothing_waits_for_a_loop_that_there_is_not():
    """Before the first request, in tests of a page, and when the server ends."""
    loop = asyncio.new_event_loop()
    loop.close()
    began = time.monotonic()
    whole_answers.wait_for(None, threading.Event(), longer=0)
    whole_answers.wait_for(loop, threading.Event(), longer=0)
    assert time.monotonic() - began < whole_answers.PATIENCE
