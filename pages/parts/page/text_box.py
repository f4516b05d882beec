"""The box with your text: a live text area, a menu of examples, and a menu to open a file."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core.corpus.sources import distinct_names
from bpe_core.text.in_words import counted
from pages.parts.page import last_training, recognised, your_text
from pages.parts.page.editor import editor
from pages.parts.server import uploads
from pages.parts.server.inside_streamlit import UploadedFile
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.links import OWN
from pages.parts.state.page_states import WithText
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.corpora import YOUR_TEXT
from pages.parts.texts.examples import EXAMPLES
from pages.parts.trainings.runs import training_seconds
from pages.parts.ui import controls, elements

BEGINNING = 1_000  # characters of a text that is too long for the text area
EXAMPLE = "An example"  # the title of an empty box
ANOTHER = "Too long to edit here. Type or paste another text."
LIVE_SECONDS = 0.3  # where no picture follows the typing, a training that takes longer waits for a pause
BESIDE, ABOVE = 8, 3  # lines to which the box grows beside the page's picture, and above it: the picture comes first
PREVIEW = 300  # characters of the example that shows in an empty text area
PAUSE = 600  # milliseconds without a key press
REST = 1000  # milliseconds, after which a page hears of a text that its picture shows already; as `REST` in channel.js
_FILES = state.SessionSlot("files opened", 0)


def text_box(page: type[WithText], label: str = "Your text", height: int = 66) -> None:
    """Draw the box with your text on a page where a text that is typed reruns the whole page."""
    live_text_box(page, label, height)()


def live_text_box(page: type[WithText], label: str = "Your text", height: int = 66) -> Callable[[], None]:
    """Draw the box with your text where a text that is typed reruns only one fragment.

    Return the function that draws the part of the box that follows the text. The fragment has to call that function
    after all others that draw something to see, for two reasons:

    - Streamlit reruns the fragment in which a widget was drawn, even if the widget is elsewhere on the page. The
      fragment draws the text area, so a text that is typed there reruns the fragment.
    - If a text comes before the whole fragment has arrived, Streamlit loses some of what has not arrived. The fragment
      draws the text area last, so nobody can type before everything has arrived.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="text-tools"):
        title = st.container(width="content")
        _choices(page)
        clear, size = st.container(width="content"), st.container(width="content")
    area = st.container(key="text-area")

    def draw() -> None:
        now = state.read(page)
        with area:
            _area(now, label, height, lambda: _typed(page))
            if now.text_problem:
                st.html(elements.problem(now.text_problem))
            recognised.draw(page)
        with title:
            st.html(elements.box_title(EXAMPLE if _is_example(now) else label))
        with clear:
            _clear(page, now)
        with size:
            st.html(elements.note(_size(now)))

    return draw


def _typed(page: type[WithText]) -> None:
    """Save the typed text as your text; run the whole page if that brings back an earlier training of it."""
    state.change(page, your_text.receive)
    _, restored = last_training.follow(state.read(page))
    if restored:
        st.rerun()  # the restored training needed this text, and changes the whole page


def _area(now: WithText, label: str, height: int, on_typed: Callable[[], None]) -> None:
    text = your_text.in_box(now)
    version = your_text.version(now)
    if your_text.is_long(text):
        st.html(elements.beginning(text[:BEGINNING], your_text.corpus(now).name))
        editor(
            your_text.BOX,
            label=label,
            sent=state.sent(your_text.BOX),
            text="",
            version=version,
            placeholder=ANOTHER,
            height=height,
            elsewhere=True,
            on_typed=on_typed,
            in_tab="forget",
        )
        return
    slow = PAUSE if training_seconds(type(now)) > LIVE_SECONDS else 0
    example = your_text.page_example(type(now)).text[:PREVIEW]
    editor(
        your_text.BOX,
        label=label,
        sent=state.sent(your_text.BOX),
        text=text,
        version=version,
        placeholder=f"Type or paste a text. Until then the page shows this one: {example}",
        height=height,
        most_lines=BESIDE if isinstance(now, Tokens) else ABOVE,
        pause=REST if now.FOLLOWS_TYPING else slow,
        on_typed=on_typed,
        in_tab="keep" if now.corpus == OWN else "forget",
    )


def side_box(page: type[WithText], name: str, label: str, placeholder: str, height: int = 66) -> str:
    """Draw a live text area for a text that only this page has; return the text. `name`: the state field with the text.

    Every key press reruns the whole page.
    """
    text, box = your_text.side_text(page, name), your_text.side_box(page, name)
    st.html(elements.box_title(label))
    return editor(
        box,
        label=label,
        sent=state.sent(box),
        text=text,
        version=your_text.version_in(box, text),
        placeholder=placeholder,
        height=height,
        on_typed=st.rerun,
    )


def _choices(page: type[WithText]) -> None:
    """Draw the menu of examples, and the menu to open a file."""
    st.menu_button(
        "Examples", list(EXAMPLES), key="shared.examples", on_click=_choose, args=(page,),
        format_func=lambda key: EXAMPLES[key].title,
    )  # fmt: skip
    _open(page)


def _clear(page: type[WithText], now: WithText) -> None:
    """Draw the button that empties the box, or brings back the text that was in it. It follows what is typed."""
    label, change = ("Undo", your_text.restored) if your_text.can_be_restored(now) else ("Clear", your_text.emptied)
    controls.button(label, page, change, key="shared.clear")


def _choose(page: type[WithText]) -> None:
    if (chosen := state.sent("shared.examples")) in EXAMPLES:
        state.change(page, your_text.choose, str(chosen))


def _open(page: type[WithText]) -> None:
    """Draw a menu where files can be dropped. After each drop the menu gets a new key, so that it closes."""
    opened = _FILES.get()
    key = f"shared.file {opened}"

    def take() -> None:
        if _FILES.get() != opened:
            return  # a late message repeats files that were taken and dropped
        sent = state.sent(key)
        files = [file for file in sent if isinstance(file, UploadedFile)] if isinstance(sent, list) else []
        if len(files) == 1:
            state.change(page, your_text.open_file, files[0].name, files[0].getvalue())
        elif files:
            names = distinct_names([" ".join(file.name.split()) or "file" for file in files])  # a name is on one line
            contents = [file.getvalue() for file in files]
            state.change(page, your_text.open_files, dict(zip(names, contents, strict=True)))
        elif sent:
            state.change(page, state.remark, uploads.why_missing())
        for file in files:
            uploads.drop(file)
        if sent:
            _FILES.put(opened + 1)

    with st.popover("Open a file", key=f"shared.open {opened}"):
        label = f"Up to {LIMITS.file_mb} MB; several texts become a source each"
        st.file_uploader(
            label, key=key, on_change=take, max_upload_size=LIMITS.file_mb, width=230, accept_multiple_files=True
        )


def _is_example(now: WithText) -> bool:
    """Return whether the box is empty, so that the page shows an example."""
    return now.corpus == OWN and your_text.corpus(now).text != your_text.in_box(now)


def _size(now: WithText) -> str:
    """Return a sentence that gives the title and the length of the page's text.

    If the box is empty, the sentence says that nothing is typed, and which example the page shows. A page that has the
    length among its figures gets the title only; "" for your text.
    """
    corpus = your_text.corpus(now)
    if _is_example(now):
        typed = "Only white space" if your_text.in_box(now) else "Nothing"
        return f"{typed} typed yet. The page shows {corpus.title} as an example."
    if isinstance(now, Tokens):
        return corpus.title if corpus.name != YOUR_TEXT else ""
    return f"{corpus.title}: {counted(len(corpus.text), 'character')}."
