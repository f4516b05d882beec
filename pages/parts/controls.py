"""Widgets that several pages share: choosing a corpus, the settings of a run, and the step bar."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import streamlit as st

from bpe_core import ALPHABETS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS
from bpe_core.published import PUBLISHED
from pages.parts import state
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


def tokenizers(page: str) -> None:
    """Choose a vocabulary, perhaps a second one beside it, and what the names of special tokens are."""
    names = {
        **{name: row.title for name, row in PUBLISHED.items()},
        state.TRAINED: "Trained on the Train page",
        **{name: f"Trained on: {title}" for name, title in EXAMPLES.items()},
    }
    specials = {"yes": "are special tokens", "no": "are text"}
    first, second, third = st.columns(3)
    with first:
        _pick(page, "tokenizer", "Tokenizer", names)
    with second:
        _pick(page, "against", "Compare with", {"none": "No other", **names})
    with third:
        _pick(page, "specials", "Names such as <|endoftext|>", specials)


# --- the step bar ---


def step(page: str, last: int) -> int:
    """The step to show now: the chosen one, moved on while it plays, never beyond the last."""
    chosen = state.get(page, "step")
    started = st.session_state.get(f"{page}.playing")
    if started is not None:
        since, first, speed = started
        chosen = first + int((monotonic() - since) * speed)
        if chosen >= last:
            st.session_state[f"{page}.playing"] = None
    state.put(page, "step", min(chosen, last))
    return state.get(page, "step")


def _pause(page: str) -> None:
    st.session_state[f"{page}.playing"] = None


def _move(page: str, by: int, last: int) -> None:
    state.put(page, "step", min(max(state.get(page, "step") + by, 0), last))
    _pause(page)


def _play(page: str, last: int) -> None:
    if st.session_state.get(f"{page}.playing"):
        _pause(page)
        return
    if state.get(page, "step") >= last:
        state.put(page, "step", 0)
    speed = st.session_state[f"{page}.speed"]
    st.session_state[f"{page}.playing"] = (monotonic(), state.get(page, "step"), speed)


def step_bar(page: str, last: int) -> int:
    """First, back, play, forward, last, a slider; returns the step to show."""
    now = step(page, last)
    playing = st.session_state.get(f"{page}.playing") is not None
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
                type="primary" if by == 1 and last > 1 else "secondary",
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
            on_change=_pause,
            args=(page,),
        )
    if last:
        st.slider(
            "Step", 0, last, key=state.key(page, "step"), label_visibility="collapsed", on_change=_pause, args=(page,)
        )
    return now


def stage(page: str, draw: Callable[[], None]) -> None:
    """Draw the part of a page that follows the step, again and again while it plays."""
    playing = st.session_state.get(f"{page}.playing")

    def body() -> None:
        draw()
        state.publish(page)
        if bool(st.session_state.get(f"{page}.playing")) != bool(playing):
            st.rerun()  # the clock starts or stops with the whole page

    st.fragment(body, run_every=max(TICK, 1 / playing[2]) if playing else None)()
