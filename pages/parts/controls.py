"""Widgets that several pages share: choosing a corpus, the settings of a run, and the step bar."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import streamlit as st

from bpe_core import ALPHABETS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS
from pages.parts import frame, state
from pages.parts.corpora import EXAMPLES, UPLOAD_MEGABYTES, UPLOAD_TYPES, CorpusError, uploaded

SPEEDS = (1, 2, 5, 25, 100)  # steps a second
TICK = 0.2  # seconds between two pictures at the most
OWN_TEXT = {state.PASTE: "Paste a text", state.UPLOAD: "Upload a file"}


def corpus(page: str, upload: bool = True) -> None:
    """Choose the corpus: an example, pasted text or a file; says at once what is wrong with it."""
    sources = {**EXAMPLES, **OWN_TEXT}
    if not upload:
        del sources[state.UPLOAD]
    chosen = st.selectbox("Corpus", list(sources), format_func=sources.get, key=state.key(page, "corpus"))
    if chosen == state.PASTE:
        st.text_area("Text", key=state.key(page, "text"), height=160, placeholder="Paste or type a text to train on")
    elif chosen == state.UPLOAD:
        _upload()
    try:
        text = state.corpus(page)
    except CorpusError as error:
        st.error(str(error))
    else:
        st.caption(f"{len(text.text):,} characters, {len(text.text.split()):,} words between white space")


def _upload() -> None:
    file = st.file_uploader(
        f"A UTF-8 text of up to {UPLOAD_MEGABYTES} MB", UPLOAD_TYPES, max_upload_size=UPLOAD_MEGABYTES
    )
    if file is None:
        return
    try:
        if st.session_state.get("uploaded file") != file.file_id:
            state.keep_upload(uploaded(file.name, file.getvalue()))
            st.session_state["uploaded file"] = file.file_id
    except CorpusError as error:
        state.keep_upload(None)
        st.error(str(error))


def _pick(page: str, name: str, label: str, options: dict[str, str]) -> str:
    return st.selectbox(label, list(options), format_func=options.get, key=state.key(page, name))


def pretokenizer(page: str, name: str = "pretokenizer", label: str = "Pretokenizer") -> None:
    """Choose how the text is cut."""
    chosen = _pick(page, name, label, {key: row.title for key, row in PRETOKENIZERS.items()})
    st.caption(PRETOKENIZERS[chosen].about)


def alphabet(page: str) -> None:
    """Choose the base symbols."""
    chosen = _pick(page, "alphabet", "Alphabet", {name: name.capitalize() for name in ALPHABETS})
    st.caption(_sentence(ALPHABETS[chosen]))


def vocabulary(page: str) -> None:
    """Choose the size of the vocabulary."""
    st.number_input("Vocabulary size", 1, state.LARGEST, key=state.key(page, "vocabulary"))


def settings(page: str) -> None:
    """The settings of a training run."""
    pretokenizer(page)
    alphabet(page)
    mark, glyph = st.columns([3, 2])
    with mark:
        _pick(page, "marker", "Word marker", {name: name.capitalize() for name in WORD_MARKERS})
    with glyph:
        st.selectbox("Drawn as", list("_Ġ▁"), key=state.key(page, "glyph"))
    rule = TIE_RULES[_pick(page, "ties", "Ties go to", {name: name.replace("-", " ") for name in TIE_RULES})]
    st.caption(f"{_sentence(rule.picks)} As in {rule.same_as}.")
    vocabulary(page)
    st.number_input("Least count of a merge", 1, state.LARGEST, key=state.key(page, "least"))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def tokenizer(page: str) -> None:
    """Choose whose vocabulary to use: the run of the Train page, or one trained on an example."""
    names = {
        state.TRAINED: "Trained on the Train page",
        **{key: f"Trained on: {name}" for key, name in EXAMPLES.items()},
    }
    st.selectbox("Tokenizer", list(names), format_func=names.get, key=state.key(page, "tokenizer"))


# --- the step bar ---
#
# The step is a session value, not the slider's: while a page is being redrawn the browser still sends the slider's old
# value with the next click, and that must not undo the click before it.


def step(page: str, last: int) -> int:
    """The step to show now: the chosen one, moved on while it plays, never beyond the last."""
    chosen = state.get(page, "step")
    started = state.playing(page)
    if started:
        since, first, speed = started
        chosen = first + int((monotonic() - since) * speed)
        if chosen >= last:
            state.play(page, None)
    state.put(page, "step", min(chosen, last))
    return state.get(page, "step")


def _move(page: str, by: int, last: int) -> None:
    now = st.session_state.pop(f"{page}.before the slider", state.get(page, "step"))
    state.put(page, "step", min(max(now + by, 0), last))
    st.session_state[f"{page}.moved"] = True
    state.play(page, None)


def _slide(page: str) -> None:
    if not st.session_state.get(f"{page}.moved"):
        st.session_state[f"{page}.before the slider"] = state.get(page, "step")
        state.put(page, "step", st.session_state[f"{page}.slider"])
        state.play(page, None)


def _play(page: str, last: int) -> None:
    if state.playing(page):
        state.play(page, None)
        return
    if state.get(page, "step") >= last:
        state.put(page, "step", 0)
    state.play(page, (monotonic(), state.get(page, "step"), st.session_state[f"{page}.speed"]))


def step_bar(page: str, last: int) -> int:
    """First, back, play, forward, last, a slider; returns the step to show."""
    now = step(page, last)
    playing = state.playing(page) is not None
    moves = {
        "First step": ("first_page", "Home", -last, now == 0),
        "One step back": ("chevron_left", "Left", -1, now == 0),
        "Pause" if playing else "Play": ("pause" if playing else "play_arrow", "Space", None, last == 0),
        "One step forward": ("chevron_right", "Right", 1, now >= last),
        "Last step": ("last_page", "End", last, now >= last),
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, (icon, shortcut, by, disabled) in moves.items():
            st.button(
                "",
                key=f"{page}.{shortcut}",
                help=name,
                icon=f":material/{icon}:",
                shortcut=shortcut,
                on_click=_play if by is None else _move,
                args=(page, last) if by is None else (page, by, last),
                disabled=disabled,
            )
        st.markdown(f"Step **{now:,}** of **{last:,}**", width="content")
        st.selectbox(
            "Speed",
            SPEEDS,
            index=1,
            format_func=lambda steps: f"{steps} a second",
            key=f"{page}.speed",
            label_visibility="collapsed",
            width=130,
            on_change=state.play,
            args=(page, None),
        )
    if last:
        st.session_state[f"{page}.slider"] = now
        st.slider("Step", 0, last, key=f"{page}.slider", label_visibility="collapsed", on_change=_slide, args=(page,))
    for flag in ("moved", "before the slider"):
        st.session_state.pop(f"{page}.{flag}", None)
    return now


def stage(page: str, draw: Callable[[], None]) -> None:
    """Draw the part of a page that follows the step, again and again while it plays."""
    playing = state.playing(page)

    def body() -> None:
        frame.remarks(page)
        draw()
        state.publish(page)
        if bool(state.playing(page)) != bool(playing):
            st.rerun()  # the clock starts or stops with the whole page

    st.fragment(body, run_every=max(TICK, 1 / playing[2]) if playing else None)()
