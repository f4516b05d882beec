"""The box with your text: typed, opened, cleared, chosen, and the same on every page."""

from unittest import mock

import pytest
import streamlit as st
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.uploaded_file_manager import DeletedFile
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from pages.parts.learn import wording
from pages.parts.page import your_text
from pages.parts.page.frame import PAGES
from pages.parts.page.text_box import ANOTHER, BEGINNING, PAUSE, REST
from pages.parts.server.limits import LIMITS
from pages.parts.server.uploads import GONE
from pages.parts.state import state
from pages.parts.state.chat_state import Chat
from pages.parts.state.compare_state import Compare
from pages.parts.state.files_state import Files
from pages.parts.state.page_states import WithText
from pages.parts.state.tokenizers_state import Tokenizers
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.examples import EXAMPLES
from tests.pages.driver import components, html, link, open_page, type_text, typed
from tests.pages.session import EDITOR, choose_example, last_message, send, took

PATHS = [row.path for row in PAGES.values()]
NO_BOX = (Chat, Files, Tokenizers)  # pages that know your text, and do not show it
WITH_YOUR_TEXT = [row.path for row in PAGES.values() if issubclass(row.state, WithText) and row.state not in NO_BOX]


def open_file(test, raw: bytes, name: str = "notes.txt"):
    return test.file_uploader(key="shared.file 0").set_value((name, raw, "text/plain")).run()


def test_the_box_waits_for_a_rest_where_a_picture_follows_and_for_a_pause_while_trainings_are_slow():
    def pause(test) -> int:
        return next(data["pause"] for data in components(test) if "pause" in data)

    assert [pause(open_page(path)) for path in ("app.py", "pages/train.py", "pages/compare.py")] == [REST] * 3
    test = open_page("pages/algorithms.py")
    assert pause(test) == 0
    took(test, "algorithms", 0.5)
    assert pause(test.run()) == PAUSE


def test_a_file_becomes_your_text_under_its_name():
    test = open_file(open_page("pages/train.py"), b"hug hug pug")
    assert typed(test) == "hug hug pug"
    assert "“notes.txt”: 11 characters." in html(test)
    assert link(test) == {"text": "hug hug pug"}


def test_a_late_message_about_a_file_that_was_taken_is_no_problem(monkeypatch):
    """While a large text is trained, the browser may send the value of the chooser again that is no longer there."""
    draw, changed = st.file_uploader, []

    def uploader(*labels, **options):
        changed.append(options["on_change"])
        if len(changed) == 2:
            with monkeypatch.context() as patch:
                patch.setattr(state, "sent", lambda key: [DeletedFile("1")])
                changed[0]()
        return draw(*labels, **options)

    monkeypatch.setattr(st, "file_uploader", uploader)
    test = open_file(open_page("pages/train.py"), b"hug hug pug")
    assert len(changed) == 2
    assert typed(test) == "hug hug pug"
    assert GONE not in html(test)


def test_the_line_speaks_of_what_the_page_shows():
    shown = type_text(open_page("pages/pipeline.py"), "   ")
    assert "Your text: 3 characters." in html(shown)
    trained = type_text(open_page("pages/train.py"), "   ")
    assert "The page shows “low, lower, newest, widest”" in html(trained)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"caf\xe9", "notes.txt is not UTF-8 text (byte E9 at position 3): save it as UTF-8 and open it again."),
        (b"", "notes.txt is empty: choose a file with some text in it."),
        (b" \n", "notes.txt is only white space: choose a file with some words in it."),
    ],
)
def test_a_file_that_is_no_text_is_said_once_and_the_text_before_stays(raw, why):
    test = open_file(type_text(open_page("pages/train.py"), "hug hug pug"), raw)
    assert typed(test) == "hug hug pug"
    assert html(test).count(why) == 1
    assert not test.exception
    type_text(test, "hug pug")
    assert typed(test) == "hug pug"


def test_a_problem_with_a_file_goes_with_the_next_text():
    test = open_file(open_page("pages/train.py"), b"\xff")
    assert "is not UTF-8" in html(test)
    test.button(key="shared.clear").click().run()
    assert "is not UTF-8" not in html(test)


def test_of_a_long_text_the_beginning_is_shown_and_all_of_it_is_worked_on():
    text = "hug pug " * (LIMITS.typed_characters // 8 + 1)
    test = open_file(open_page("pages/train.py"), text.encode())
    shown = html(test)
    assert f">{text[:BEGINNING]} …<" in shown
    assert text[: BEGINNING + 1] not in shown
    assert f"“notes.txt”: {len(text):,} characters." in shown
    assert "2 different words" in shown
    assert link(test) == {"corpus": "own"}, "a text of this length does not travel"


def test_a_text_that_is_too_long_to_edit_leaves_an_empty_area_in_which_another_replaces_it():
    long = "hug pug " * (LIMITS.typed_characters // 8 + 1)
    test = type_text(open_page("pages/train.py"), long)
    assert f">{long[:BEGINNING]} …<" in html(test)
    area = next(data for data in components(test) if "placeholder" in data)
    assert (area["text"], area["placeholder"], area["in_tab"]) == ("", ANOTHER, "forget")
    assert next(data for data in components(test.run()) if "placeholder" in data)["version"] == area["version"]
    test = type_text(test, "hug pug")
    assert (typed(test), f"{long[:20]}" in html(test)) == ("hug pug", False)
    assert typed(type_text(test, "hug pug bug")) == "hug pug bug"


@pytest.mark.parametrize("name", ["tokens", "train"])
def test_clear_empties_the_box_which_shows_the_example_that_the_page_is_about(name):
    row = PAGES[name]
    test = type_text(open_page(row.path), "hug hug pug")
    test.button(key="shared.clear").click().run()
    assert typed(test) == ""
    shown = your_text.page_example(row.state)
    assert f"Nothing typed yet. The page shows {shown.title} as an example." in html(test)
    sent = components(test)
    assert next(data["placeholder"] for data in sent if "placeholder" in data).endswith(shown.text)
    if name == "tokens":
        assert [data["is_example"] for data in sent if "is_example" in data] == [True]  # which is pale


def test_what_was_typed_before_an_example_was_chosen_does_not_come_back():
    test = type_text(open_page("pages/train.py"), "hug hug pug")
    late = last_message(test, EDITOR)
    choose_example(test, "my-dog")
    test.run()
    send(test, EDITOR, late)  # an answer that was under way, to the text before
    test.run()
    assert typed(test) == "my dog. your dog."
    assert f"“{EXAMPLES['my-dog'].title}”: " in html(test)


def test_your_text_and_its_name_survive_every_page():
    test = open_file(open_page("pages/train.py"), b"hug hug pug")
    for path in [*PATHS, "pages/train.py"]:
        test.switch_page(path).run()
        assert not test.exception
        if path in WITH_YOUR_TEXT:
            assert typed(test) == "hug hug pug"
            length = "" if path == "app.py" else ": 11 characters."
            assert f'<p class="note">“notes.txt”{length}</p>' in html(test), "Tokens has the length as a figure"


@pytest.mark.parametrize("path", WITH_YOUR_TEXT)
def test_a_key_while_the_page_arrives_tears_nothing(path):
    # Before the run that answers a key, Streamlit drops what it has not sent yet of the fragment of the key's widget,
    # but not of the fragments within that one: what it then sends must have its place in what the browser has.
    shown = LocalScriptRunner.forward_msgs
    with mock.patch.object(LocalScriptRunner, "forward_msgs", autospec=True, side_effect=shown) as read:
        open_page(path)
    messages = read.call_args.args[0].forward_msg_queue._queue
    box = next(each for each in messages if '"placeholder"' in each.delta.new_element.bidi_component.json)
    arrived = messages.index(box) + 1
    unsent = ForwardMsgQueue()
    for message in messages[arrived:]:
        unsent.enqueue(message)
    fragment = box.delta.fragment_id  # "" if a key runs the whole page
    unsent.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[fragment] if fragment else None)
    places = {tuple(message.metadata.delta_path) for message in messages[:arrived]}
    for message in unsent.flush():
        if message.HasField("delta"):
            *above, number = message.metadata.delta_path
            needed = {tuple(above)} if len(above) > 1 else set()
            assert places >= (needed | {(*above, number - 1)} if number else needed)
            places.add((*above, number))


@pytest.mark.parametrize(
    ("path", "view", "box", "text"),
    [
        ("app.py", {"view": "side-by-side", "compared": "languages"}, your_text.side_box(Tokens, "sentences"), "low"),
        ("pages/compare.py", {"held": "paste"}, your_text.side_box(Compare, "held_text"), "low"),
        ("pages/train.py", {}, EDITOR, "low " * 60_000),
        ("pages/train.py", {"view": "sources"}, EDITOR, "=== source: \ud800 ===\nlow low"),
    ],
    ids=["sentences", "held-out text", "long text", "name of a source"],
)
def test_half_a_character_in_any_box_ends_no_page(path, view, box, text):
    test = type_text(open_page(path, **view), f"\ud800 {text}\ud83d low", box)
    assert not test.exception
    assert "\ufffd" in html(test) or "\ud800" in typed(test)
    str(wording.excerpt(text)).encode()


@pytest.mark.parametrize("path", ["app.py", "pages/train.py"])
def test_clear_can_be_undone_and_takes_nothing_that_was_typed_since(path):
    def press(test, label: str) -> None:
        button = test.button(key="shared.clear")
        assert button.label == label
        button.click().run()

    test = type_text(open_page(path), "my own words")
    press(test, "Clear")
    assert typed(test) == ""
    press(test, "Undo")
    assert typed(test) == "my own words"
    press(test, "Clear")
    type_text(test, "other words")
    press(test, "Clear")
    press(test, "Undo")
    assert typed(test) == "other words"
    choose_example(test, "hug-pug-pun")
    test.run()
    press(test, "Clear")
    press(test, "Undo")
    assert typed(test) == "other words", "the menu has the example"
    type_text(test, "low " * 60_000)
    press(test, "Clear")
    assert typed(test) == ""
