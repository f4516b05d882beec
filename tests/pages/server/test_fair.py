"""Turns for visitors who use much of the processor: who waits, who gives way, and who never does."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.server import fair
from tests.campaign.visitor import run

ASK, BEAT = BackMsg(), BackMsg(app_heartbeat=True)
ASK.rerun_script.query_string = "a=1"
DONE = ForwardMsg.FINISHED_SUCCESSFULLY
OVERTAKEN = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class Tab:
    """A visitor behind the middleware. `reached`: what the page has received."""

    def __init__(self, server):
        self.server, self.asked, self.reached = server, asyncio.Queue(), []
        self.send = None
        self.task = asyncio.create_task(server.turns({"type": "websocket", "tab": self}, self.asked.get, self.drop))

    async def drop(self, message):
        pass

    async def asks(self, message=ASK):
        """Send a message; return whether the page receives it within the next rounds of the event loop."""
        before = len(self.reached)
        self.asked.put_nowait({"type": "websocket.receive", "bytes": message.SerializeToString()})
        await self.server.moment()
        return len(self.reached) > before

    async def told(self, **said):
        """Send a message of Streamlit to the browser."""
        await self.send({"type": "websocket.send", "bytes": ForwardMsg(**said).SerializeToString()})

    async def begins(self):
        """Let Streamlit begin the answer."""
        await self.told(session_status_changed={"script_is_running": True})

    async def answered(self, seconds, status=DONE):
        """Let the answer begin, take seconds of the processor, and end."""
        await self.begins()
        self.server.spent += seconds
        await self.told(script_finished=status)

    async def leaves(self):
        self.asked.put_nowait({"type": "websocket.disconnect"})
        await self.server.moment()


class Server:
    """The middleware before a page that only receives. `now` and `spent`: the two clocks, which stand still."""

    now = spent = 100.0

    def __init__(self):
        self.turns = fair.Turns(self.page)

    @staticmethod
    async def page(scope, receive, send):
        tab = scope["tab"]
        tab.send = send
        while (message := await receive())["type"] != "websocket.disconnect":
            tab.reached.append(message)

    async def tab(self):
        """Open a tab, and let its first answer take a second."""
        tab = Tab(self)
        await self.moment()
        assert await tab.asks()
        await tab.answered(1.0)
        tab.reached.clear()
        return tab

    @staticmethod
    async def moment():
        for _ in range(5):
            await asyncio.sleep(0)

    async def passes(self, seconds):
        self.now += seconds
        await asyncio.sleep(0.001)
        await self.moment()


@pytest.fixture
def server(monkeypatch):
    server = Server()
    server.turns._shared_out = server.spent
    monkeypatch.setattr(fair, "process_time", lambda: server.spent)
    monkeypatch.setattr(fair, "monotonic", lambda: server.now)
    monkeypatch.setattr(fair, "LOOK", 0.0)
    return server


async def had_answers(server, *seconds):
    """Return tabs that each had an answer of some seconds. Then the time of the longest answer has passed."""
    tabs = [await server.tab() for _ in seconds]
    for tab, each in zip(tabs, seconds, strict=True):
        assert await tab.asks()
        await tab.answered(each)
    await server.passes(max(seconds))
    return tabs


def test_after_a_long_answer_the_next_one_waits_as_long_and_short_ones_do_not(server):
    async def day():
        (slow,) = await had_answers(server, 0.8)
        quick = await server.tab()
        assert await slow.asks(), "its turn has come"
        assert await quick.asks()
        await quick.answered(0.01)
        await slow.answered(0.6)
        assert not await slow.asks()
        for _ in range(3):
            assert await quick.asks(), "who had short answers never waits"
            await quick.answered(0.01)
        await server.passes(0.55)
        assert len(slow.reached) == 2, "0.605 s were its part of the processor"
        await server.passes(0.1)
        assert len(slow.reached) == 3

    run(day())


def test_nobody_waits_for_a_visitor_who_used_more_than_twice_as_much(server):
    async def day():
        most, much, as_much = await had_answers(server, 4.0, 1.8, 1.4)
        assert await most.asks()
        await most.begins()
        server.spent += 0.1
        assert await much.asks(), "while the answer is under way"
        await much.answered(0.1)
        await most.answered(0.1)
        assert server.now < server.turns.free_at
        assert await as_much.asks(), "and as long as it took"
        await as_much.begins()
        assert not await much.asks(), "who used less than twice as much goes first"
        assert not await most.asks()

    run(day())


def test_what_pictures_ask_for_counts_and_waits_for_its_turn(server):
    async def day():
        (slow,) = await had_answers(server, 0.8)
        hammering = await server.tab()
        (visitor,) = (each for each in server.turns.visitors if each.used == 1.0)
        for _ in range(17):
            await visitor.turn_to_ask()
            server.spent += 0.03
            visitor.took(0.03)
        assert visitor.lately(server.now) == pytest.approx(0.51), "the answer that opened the tab does not count"
        asks = asyncio.create_task(visitor.turn_to_ask())
        await server.moment()
        assert not asks.done()
        await server.passes(0.04)
        assert asks.done(), "the others had as long as its last answer took"
        assert await slow.asks()
        asks = asyncio.create_task(visitor.turn_to_ask())
        await server.passes(0.02)
        assert not asks.done(), "another who used much is answered"
        await slow.answered(0.01)
        await server.passes(0.02)
        assert asks.done()
        quick = await server.tab()
        assert await quick.asks()
        await quick.answered(0.01)
        quick_used = min(each.lately(server.now) for each in server.turns.visitors)
        assert quick_used == pytest.approx(0.01), "what pictures of others ask for is nobody's answer"
        assert hammering.reached == []

    run(day())


def test_short_answers_without_a_pause_count_as_a_long_one(server):
    async def day():
        busy, quick = await server.tab(), await server.tab()
        for _ in range(15):
            for tab, seconds in ((busy, 0.035), (quick, 0.01)):
                assert await tab.asks()
                await tab.answered(seconds)
        assert not await busy.asks(), "it has used 0.525 s without a pause"
        assert await quick.asks(), "it has used 0.15 s"
        await server.passes(0.04)
        assert len(busy.reached) == 16, "nobody else used much, and the server was free as long as its last answer took"

    run(day())


def test_who_has_paused_does_not_wait(server):
    async def day():
        slow, other = await had_answers(server, 2.0, 0.8)
        await server.passes(1.2 * fair.FADE)
        assert await other.asks()
        await other.begins()
        server.spent += 0.8
        assert await slow.asks(), "2 s, eight seconds ago"
        await slow.answered(2.0)
        assert not await slow.asks()

    run(day())


def test_a_short_answer_does_not_shorten_the_pause_after_a_long_one(server):
    async def day():
        slow, busy = await had_answers(server, 2.0, 0.8)
        assert await slow.asks()
        assert await slow.asks()
        await slow.answered(2.0)
        await busy.answered(0.05)  # with a button whose message came before
        assert not await slow.asks()
        await server.passes(1.5)
        assert len(slow.reached) == 3

    run(day())


def test_a_message_that_streamlit_drops_is_no_answer_for_ever(server):
    async def day():
        lost, slow = await had_answers(server, 0.8, 2.0)
        assert await lost.asks(), "for a fragment that is gone: no answer comes"
        assert not await slow.asks()
        await server.passes(fair.STARTS)
        assert len(slow.reached) == 2
        await slow.answered(0.4)
        assert [each.answering for each in server.turns.visitors] == [False, False]

    run(day())


def test_an_answer_that_was_put_behind_another_is_charged_to_its_visitor(server):
    async def day():
        one, other = await server.tab(), await server.tab()
        assert await one.asks()
        assert await one.asks(), "for a fragment: it comes after the whole page"
        await one.answered(0.1)
        assert await other.asks()
        await one.answered(0.8)
        await other.answered(0.0)
        (first, second) = sorted(visitor.recent for visitor in server.turns.visitors)
        assert (first, second) == (pytest.approx(0.4), pytest.approx(0.5))

    run(day())


def test_long_answers_come_one_after_the_other(server):
    async def day():
        one, other = await had_answers(server, 0.8, 0.8)
        assert await one.asks()
        assert not await other.asks()
        await one.begins()
        await server.passes(1.0)
        assert len(other.reached) == 1, "it is expected to be long before it has taken long"
        await one.answered(0.01)
        await server.passes(0.01)
        assert len(other.reached) == 2, "the answer was short after all"

    run(day())


def test_nobody_waits_for_ever_and_nobody_who_is_alone(server):
    async def day():
        one, other = await had_answers(server, 3.0, 3.0)
        assert await one.asks()
        assert not await other.asks()
        server.spent += 3.0
        await server.passes(fair.LIMITS.turn_seconds + 0.1)
        assert len(other.reached) == 2
        await other.answered(1.0)
        await one.leaves()
        await server.passes(fair.LIMITS.turn_seconds + 0.1)
        assert await other.asks()
        await other.answered(1.0)
        assert await other.asks(), "alone"

    run(day())


def test_a_message_that_overtakes_its_own_answer_and_one_that_wants_none_do_not_wait(server):
    async def day():
        slow, _ = await had_answers(server, 0.8, 0.01)
        assert await slow.asks()
        server.turns.free_at = server.now + 9.0
        assert await slow.asks(), "it ends the answer that is under way"
        await slow.answered(0.3, OVERTAKEN)
        assert await slow.asks(), "the newer answer is under way"
        await slow.answered(0.3)
        assert await slow.asks(BEAT)
        assert not await slow.asks()

    run(day())


def test_the_answer_that_opens_a_tab_never_counts_as_long(server):
    async def day():
        (slow,) = await had_answers(server, 0.8)
        assert await slow.asks()
        new = await server.tab()
        assert await new.asks(), "its first answer took a second"

    run(day())


def test_garbage_is_collected_when_nobody_waits(server, monkeypatch):
    found = []
    monkeypatch.setattr(fair.GARBAGE, "collect", lambda: found.append(server.spent))

    async def day():
        one, other = await server.tab(), await server.tab()
        found.clear()
        assert await one.asks()
        assert await other.asks()
        await one.answered(0.01)
        assert found == []
        await other.answered(0.01)
        assert found == [server.spent]

    run(day())


def test_who_answers_at_the_same_time_shares_the_processors_time(server):
    async def day():
        one, other = await server.tab(), await server.tab()
        assert await one.asks()
        assert await other.asks()
        await one.answered(0.8)
        await other.answered(0.08)
        (first, second) = sorted(visitor.used for visitor in server.turns.visitors)
        assert (first, second) == (pytest.approx(0.4), pytest.approx(0.48))
        assert await one.asks(), "neither used much"

    run(day())


@pytest.mark.parametrize("nonsense", [b"", b"\xff\xff\xff", b"\x00" * 300])
def test_messages_that_are_none_pass_through(server, nonsense):
    async def day():
        tab = await server.tab()
        tab.asked.put_nowait({"type": "websocket.receive", "bytes": nonsense})
        await server.moment()
        assert tab.reached[0]["bytes"] == nonsense
        await tab.send({"type": "websocket.send", "text": "no bytes"})

    run(day())
