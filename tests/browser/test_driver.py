"""What tests wait for: the answer to all that was done, however late it comes."""

from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import NewSession

from tests.browser import driver
from tests.browser.driver import PENDING, WATCH, upload

RUN, RUN_BY_TIMER = (BackMsg(rerun_script=ClientState(is_auto_rerun=by_timer)) for by_timer in (False, True))
BEGINS = ForwardMsg(new_session=NewSession())
ENDED, PART_ENDED, ENDED_EARLY = (
    ForwardMsg(script_finished=status)
    for status in (
        ForwardMsg.FINISHED_SUCCESSFULLY,
        ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
        ForwardMsg.FINISHED_EARLY_FOR_RERUN,
    )
)


def test_a_script_that_ends_early_has_not_answered_yet(page, server):
    page.goto(f"{server}/_stcore/health")  # a page without the app
    page.evaluate("() => { window.WebSocket = class extends EventTarget { send() {} }; }")
    page.evaluate(f"() => {{ {WATCH} }}")
    page.evaluate("""() => {
        window.socket = new WebSocket();
        window.arrive = (data) => socket.dispatchEvent(new MessageEvent("message", { data }));
    }""")

    def waits_after(message: BackMsg | ForwardMsg) -> bool:
        pass_on = "socket.send" if isinstance(message, BackMsg) else "arrive"
        page.evaluate(f"bytes => {pass_on}(new Uint8Array(bytes))", [*message.SerializeToString()])
        return page.evaluate("reruns.due || reruns.running")

    messages = [BEGINS, ENDED, RUN_BY_TIMER, RUN, BEGINS, ENDED_EARLY, BEGINS, PART_ENDED]
    assert [waits_after(message) for message in messages] == [True, False, False, True, True, True, True, False]


@pytest.mark.thorough
def test_a_file_that_takes_long_to_arrive_is_waited_for(open_page, settle):
    page = open_page("train")

    def late(route):
        settle(page)  # all else is answered
        route.continue_()

    page.route("**/_stcore/upload_file/**", late, times=1)
    upload(page, "late.txt", b"low lower lowest")
    settle(page)
    assert page.get_by_text("“late.txt”: 16 characters").count() == 1


def test_a_page_that_never_rests_is_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(driver, "SETTLE_SECONDS", 0.1)
    page = SimpleNamespace(
        url="/train",
        wait_for_function=lambda *_, **__: None,  # each time it looks settled for a moment
        evaluate=lambda asked: "an animation" if asked == PENDING else False,
    )
    with pytest.raises(AssertionError, match="/train never rests: an animation"):
        driver.settle(page)
