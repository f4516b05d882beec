"""Widgets that several pages share: choosing a corpus, the settings of a run, and the step bar."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from time import monotonic
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from bpe_core import (
    ALPHABETS,
    NORMALIZERS,
    PRETOKENIZERS,
    TIE_RULES,
    WORD_MARKERS,
    PatternError,
    Run,
    SettingsError,
)
from bpe_core.alphabet import encode_text
from bpe_core.files import FORMATS, FormatError, dumps
from bpe_core.files.reading import MAX_BYTES
from bpe_core.normalizers import normalized
from bpe_core.published import PUBLISHED, PublishedError
from pages.parts import branches, frame, links, sentences, state, tables, token_chips, vocabularies
from pages.parts.charts import Chart
from pages.parts.corpora import EXAMPLES, UPLOAD_MEGABYTES, UPLOAD_TYPES, CorpusError, uploaded
from pages.parts.token_text import token_text
from pages.parts.vocabularies import Vocabulary

SPEEDS = (1, 2, 5, 25, 100)  # steps a second
PREVIEW = 60  # characters
GUESSES = 12  # pairs to choose from
MOST_TIED = 50  # pairs in the menu
HELD_CHARACTERS = 200_000  # of a pasted text to try
TICK = 0.2  # seconds between two pictures at the most
VOCABULARIES = {
    **{name: row.title for name, row in PUBLISHED.items()},
    links.TRAINED: "Trained on the Train page",
    links.OPENED: "Open a file",
    **{name: f"Trained on: {title}" for name, title in EXAMPLES.items()},
}
OWN_TEXT = {links.PASTE: "Paste a text", links.UPLOAD: "Upload a file"}


def corpus(page: str) -> None:
    """Choose the corpus: an example, pasted text or a file; says at once what is wrong with it."""
    sources = {**EXAMPLES, **OWN_TEXT}
    chosen = st.selectbox("Corpus", list(sources), format_func=sources.get, key=state.key(page, "corpus"))
    if chosen == links.PASTE:
        st.text_area("Text", key=state.key(page, "text"), height=160, placeholder="Paste or type a text to train on")
    elif chosen == links.UPLOAD:
        _upload()
    try:
        text = state.corpus(page)
    except CorpusError as error:
        st.error(str(error))
    else:
        size = sentences.counted(len(text.text), "character")
        st.caption(f"{size}, {sentences.counted(len(text.text.split()), 'word')} between white space")


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


def pick(page: str, name: str, label: str, options: dict[str, str], label_visibility: str = "visible") -> str:
    """Choose one of the options, given as name → what the screen says."""
    return st.selectbox(
        label,
        list(options),
        format_func=options.get,
        key=state.key(page, name),
        label_visibility=label_visibility,
    )


def normalizers(page: str, side: str = "", label_visibility: str = "visible") -> None:
    """Choose what is done to the text before it is cut, in the order of the choice."""
    st.multiselect(
        "Normalizers",
        list(NORMALIZERS),
        format_func=lambda key: NORMALIZERS[key].title,
        key=state.key(page, links.of_side(side, "normalizers")),
        placeholder="None",
        help="What is done to the text before it is cut, one after the other.",
        label_visibility=label_visibility,
    )


def examples(page: str, shown: dict[str, dict[str, str | int]]) -> None:
    """Ways to set the whole page, each by one click."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(token_chips.note("Examples:"), width="content")
        for name, values in shown.items():
            st.button(name, key=f"{page}.example {name}", type="tertiary", on_click=state.show, args=(page, values))


def held_out(page: str) -> None:
    """Choose the text that the vocabularies are tried on."""
    sources = {
        links.FITTING: "One like the corpus, where there is one",
        links.ITSELF: "The corpus itself",
        **EXAMPLES,
        links.PASTE: OWN_TEXT[links.PASTE],
    }
    if pick(page, "held", "Held-out text", sources) == links.PASTE:
        st.text_area(
            "Text to try",
            key=state.key(page, "held-text"),
            max_chars=HELD_CHARACTERS,
            placeholder="Words that the corpus does not have",
        )
    try:
        text, trained = state.held_out(page), state.corpus(page)
    except CorpusError:  # said of the corpus
        return
    if text == trained:
        st.caption("This is the corpus itself. A text that was not trained on shows what a vocabulary is worth.")
    else:
        size = sentences.counted(len(text.text), "character")
        st.caption(f"{size} that were not trained on show what a vocabulary is worth.")


def pretokenizer(page: str, side: str = "") -> None:
    """Choose how the text is cut."""
    options = {key: row.title for key, row in PRETOKENIZERS.items()} | {links.CUSTOM: "Your own pattern"}
    label = f"Pretokenizer on the {side}" if side else "Pretokenizer"
    chosen = pick(page, links.of_side(side, "pretokenizer"), label, options)
    if chosen == links.CUSTOM:
        pattern = state.key(page, links.of_side(side, "pattern"))
        st.text_input("Pattern", key=pattern, help="A regular expression; its matches are the words.")
    else:
        st.caption(PRETOKENIZERS[chosen].about)


def preview(page: str) -> None:
    """How the first words of the corpus are cut."""
    try:
        how = state.settings(page)
        cut = how.splitter.split(normalized(state.corpus(page).text[:PREVIEW], how.normalizers))[:10]
    except ValueError:  # said where it belongs
        return
    st.html(f'<div class="tokens">{token_chips.row([encode_text(piece.text) for piece in cut])}</div>')


def alphabet(page: str, side: str = "") -> None:
    """Choose the base symbols."""
    name = links.of_side(side, "alphabet")
    chosen = pick(page, name, "Alphabet", {name: name.capitalize() for name in ALPHABETS})
    st.caption(_sentence(ALPHABETS[chosen]))


def marker(page: str, side: str = "") -> None:
    """Choose where words carry a mark."""
    name = links.of_side(side, "marker")
    pick(page, name, "Word marker", {name: name.capitalize() for name in WORD_MARKERS})


def ties(page: str, side: str = "") -> None:
    """Choose which of several pairs that are equally frequent is joined."""
    name = links.of_side(side, "ties")
    rule = TIE_RULES[pick(page, name, "Ties go to", {name: name.replace("-", " ") for name in TIE_RULES})]
    st.caption(f"{_sentence(rule.picks)} As in {rule.same_as}.")


def one_side(page: str, side: str) -> None:
    """The settings that one side of a comparison has for itself."""
    pretokenizer(page, side)
    with st.expander(f"More on the {side}: normalizers, alphabet, marker, ties"):
        normalizers(page, side)
        alphabet(page, side)
        marker(page, side)
        ties(page, side)


def vocabulary(page: str, most: int = links.LARGEST) -> None:
    """Choose the size of the vocabulary."""
    st.number_input("Vocabulary size", 1, most, key=state.key(page, "vocabulary"))


def settings(page: str) -> None:
    """The settings of a training run."""
    normalizers(page)
    pretokenizer(page)
    preview(page)
    alphabet(page)
    mark, glyph = st.columns([3, 2])
    with mark:
        marker(page)
    with glyph:
        st.selectbox("Drawn as", list("_Ġ▁"), key=state.key(page, "glyph"))
    ties(page)
    vocabulary(page)
    st.number_input(
        "Least count of a merge", 1, links.LARGEST, key=state.key(page, "least"), help="Training ends below this count."
    )
    st.text_input(
        "Special tokens",
        key=state.key(page, "specials"),
        placeholder="<|endoftext|>",
        help="Separated by spaces. They are cut out of the text, get the last ids and are never split.",
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def tokenizers(page: str) -> None:
    """Choose a vocabulary, perhaps a second one beside it, and what the names of special tokens are."""
    names = VOCABULARIES
    specials = {"yes": "are special tokens", "no": "are text"}
    first, second, third = st.columns(3)
    with first:
        pick(page, "tokenizer", "Tokenizer", names)
    with second:
        pick(page, "against", "Compare with", {"none": "No other", **names})
    with third:
        pick(page, "specials", "Names such as <|endoftext|>", specials)
    if links.OPENED in (state.get(page, "tokenizer"), state.get(page, "against")):
        open_tokenizer(page)


def chosen_vocabulary(page: str, name: str) -> Vocabulary | None:
    """The vocabulary that the value `name` chooses; None, and one sentence on the screen, where it cannot be had."""
    try:
        return state.vocabulary(page, name)
    except PublishedError as error:
        st.error(str(error))
    except CorpusError as error:
        st.error(f"The Train page has no corpus yet. {error}")
    except (SettingsError, PatternError) as error:
        st.error(f"The Train page's settings cannot be trained with. {sentences.problem(error)}")
    except state.NothingOpened:
        meanwhile = {"against": "Nothing is compared"}.get(name, "This is GPT-2")
        st.caption(f"{meanwhile} until the file of a tokenizer is opened.")
    except state.StillTraining:
        st.info("The Train page is still training: open it to see how far it is. Until then this is GPT-2.")
    return None


def open_tokenizer(page: str) -> None:
    """Open the files of a tokenizer; what is wrong with them is said here, and the one opened before stays."""
    megabytes = MAX_BYTES >> 20
    chosen = st.file_uploader(
        "tokenizer.json, vocab.json + merges.txt, .tiktoken or minbpe .model",
        accept_multiple_files=True,
        max_upload_size=megabytes,
        key=f"{page}.files",
    )
    files = {file.name: file.getvalue() for file in chosen}
    if not files:
        return
    cut = None
    if vocabularies.lacks_cut(files):
        options = {None: "As it is known for such a file", **{key: row.title for key, row in PRETOKENIZERS.items()}}
        label = "Pretokenizer, where the file does not say it"
        cut = st.selectbox(label, list(options), format_func=options.get, key=f"{page}.cut")
    try:
        with st.spinner("Opening …"):
            state.open_files(files, cut)
    except FormatError as error:
        st.error(sentences.plain(sentences.problem(error)))


# --- the step bar ---
#
# The step is a session value, not the slider's: while a page is being redrawn the browser still sends the slider's old
# value with the next click, and that must not undo the click before it.


def step(page: str, last: int, name: str = "step") -> int:
    """The step to show now: the chosen one, moved on while it plays, never beyond the last."""
    chosen = state.get(page, name)
    if chosen == links.LARGEST:  # the last, whatever the run
        return last
    started = state.playing(page)
    if started:
        since, first, speed = started
        chosen = first + int((monotonic() - since) * speed)
        if chosen >= last:
            state.play(page, None)
    state.put(page, name, min(chosen, last))
    return state.get(page, name)


def _move(page: str, name: str, by: int, last: int) -> None:
    now = st.session_state.pop(f"{page}.before the slider", state.get(page, name))
    state.put(page, name, min(max(min(now, last) + by, 0), last))
    st.session_state[f"{page}.moved"] = True
    state.play(page, None)


def _slide(page: str, name: str) -> None:
    if not st.session_state.get(f"{page}.moved"):
        st.session_state[f"{page}.before the slider"] = state.get(page, name)
        state.put(page, name, st.session_state[f"{page}.slider"])
        state.play(page, None)


def _play(page: str, name: str, last: int) -> None:
    if state.playing(page):
        state.play(page, None)
        return
    if state.get(page, name) >= last:
        state.put(page, name, 0)
    state.play(page, (monotonic(), state.get(page, name), st.session_state[f"{page}.speed"]))


def step_bar(page: str, last: int, name: str = "step") -> int:
    """First, back, play, forward, last, a slider; returns the step to show, which is the page's value `name`."""
    now = step(page, last, name)
    playing = state.playing(page) is not None
    moves = {
        f"First {name}": ("first_page", "Home", -last, now == 0),
        f"One {name} back": ("chevron_left", "Left", -1, now == 0),
        "Pause" if playing else "Play": ("pause" if playing else "play_arrow", "Space", None, last == 0),
        f"One {name} forward": ("chevron_right", "Right", 1, now >= last),
        f"Last {name}": ("last_page", "End", last, now >= last),
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for tip, (icon, shortcut, by, disabled) in moves.items():
            st.button(
                "",
                key=f"{page}.{shortcut}",
                help=tip,
                icon=f":material/{icon}:",
                shortcut=shortcut,
                on_click=_play if by is None else _move,
                args=(page, name, last) if by is None else (page, name, by, last),
                disabled=disabled,
            )
        st.markdown(f"{name.capitalize()} **{now:,}** of **{last:,}**", width="content")
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
        st.slider(
            name.capitalize(), 0, last, key=f"{page}.slider", label_visibility="collapsed", on_change=_slide,
            args=(page, name),
        )  # fmt: skip
    for flag in ("moved", "before the slider"):
        st.session_state.pop(f"{page}.{flag}", None)
    return now


def branch(page: str, run: Run, step: int, glyph: str) -> None:
    """Take another of the tied pairs at this step instead, and the way back."""
    forced = dict(run.settings.forced)

    def take() -> None:
        left, right, _ = tied[st.session_state[f"{page}.instead"]]
        # what was chosen for later steps belonged to the run that is left here
        kept = {at: pair for at, pair in forced.items() if at < step}
        state.put(page, "chosen", branches.write(kept | {step: (left, right)}))
        state.play(page, None)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        if step and run.merges[step - 1].tied > 1:
            tied = run.tied(step, MOST_TIED)
            now = run.merges[step - 1][:2]
            others = [i for i, pair in enumerate(tied) if pair[:2] != now]
            named = {i: " + ".join(token_text(half, glyph) for half in tied[i][:2]) for i in others}
            label = "Take this tied pair instead"
            options = list(named)
            st.selectbox(
                label, options, None, named.get, key=f"{page}.instead", on_change=take, placeholder=label,
                label_visibility="collapsed", width=280,
            )  # fmt: skip
        if forced:
            steps = ", ".join(f"{at:,}" for at in sorted(forced))
            st.caption(f"You chose the pair at step {steps}.", width="content")
            st.button("Back to the rule's choice", on_click=state.put, args=(page, "chosen", ""))


def predict(page: str, run: Run, step: int) -> bool:
    """The switch that hides what comes next; shows the verdict on the last guess and the score."""
    on = st.toggle("Predict the next merge", key=f"{page}.predict")
    right, asked, verdict = st.session_state.get(f"{page}.score", (0, 0, ""))
    if on and asked:
        st.html(token_chips.note(f"{verdict} Score: {right:,} of {asked:,}."))
    return on and step < run.steps


def guess(page: str, run: Run, step: int, glyph: str) -> None:
    """Pick the pair that the next step joins; the step is then made and the pick judged."""
    pairs = sorted(pair[:2] for pair in run.pair_counts(step, GUESSES))
    named = {i: " + ".join(token_text(half, glyph) for half in pair) for i, pair in enumerate(pairs)}

    def judge() -> None:
        hit, verdict = sentences.guess(run, step, pairs[st.session_state[picker]], glyph)
        right, asked, _ = st.session_state.get(f"{page}.score", (0, 0, ""))
        st.session_state[f"{page}.score"] = right + hit, asked + 1, verdict
        state.put(page, "step", step + 1)

    picker = f"{page}.guess {step}"
    st.html(token_chips.note("Which pair is the most frequent in the corpus? The counts are hidden."))
    st.selectbox("Your guess", list(named), None, named.get, key=picker, on_change=judge, placeholder="Choose a pair")


def corpus_window(page: str) -> tuple[str, str]:
    """What to look for in the corpus, and how to sort it."""
    with st.container(horizontal=True):
        label = "Find in words"
        find = st.text_input(label, key=f"{page}.find", placeholder=label, label_visibility="collapsed", width=180)
        sort = st.selectbox(
            "Sort", list(tables.SORTS), None, key=f"{page}.sort", placeholder="Sort", label_visibility="collapsed",
            width=170,
        )  # fmt: skip
    return find, sort or ""


def word_pairs(page: str, run: Run, step: int, rows: list, glyph: str) -> None:
    """Choose a word to see its pairs and their counts."""
    words = {token_text(b"".join(tokens), glyph): tokens for tokens, _ in rows}
    label = "Pairs of a word"
    word = st.selectbox(
        label, list(words), None, key=f"{page}.word", placeholder=label, label_visibility="collapsed", width=260
    )
    if word in words:
        st.dataframe(tables.word_pairs(words[word], run, step, glyph), hide_index=True)


def training(job: state.Job) -> None:
    """How far a training in the background is; ends with a new run of the page."""
    if job.cancelled:
        st.info("Training was cancelled; nothing of it is kept.")
        st.button("Train again", on_click=state.train_again)
        return

    def draw() -> None:
        if not job.worker.running and not job.cancelled:
            st.rerun()
        phase, done, total = job.worker.progress or ("starting", 0, 1)
        seconds = monotonic() - job.started
        st.progress(done / max(total, 1), sentences.progress(phase, done, total, seconds))
        if st.button("Cancel training"):
            job.cancel()
            st.rerun()

    st.fragment(draw, run_every=TICK)()


def chart(drawn: Chart, key: str, alt: str, on_select: Callable[[], None] | str = "ignore") -> dict:
    """Draw a chart; returns what was selected in it."""
    event = st.vega_lite_chart(drawn.data, deepcopy(drawn.spec), width="stretch", key=key, alt=alt, on_select=on_select)
    return event["selection"] if on_select == "rerun" else {}


def table(title: str, window: tables.Window, unit: str) -> None:
    """A window of a table, and how much of it is on the screen."""
    st.markdown(f"##### {title}")
    if window.total:
        st.dataframe(window.rows, hide_index=True, height=280 if window.total > 6 else "auto")
    st.html(token_chips.note(sentences.window(len(window.rows), window.total, unit)))


def sheet(label: str, name: str, make: Callable[[], pd.DataFrame]) -> None:
    """A table as a CSV file, made when it is asked for."""
    st.download_button(
        label,
        lambda: make().to_csv(index=False).encode("utf-8", "replace"),
        f"{name}.csv",
        "text/csv",
        key=f"download {name}",
        on_click="ignore",
    )


def downloads(sheets: dict[str, Callable[[], pd.DataFrame]], step: int) -> None:
    """Tables as CSV files, each made when it is asked for."""
    with st.container(horizontal=True):
        for name, make in sheets.items():
            sheet(f"{name[0].upper()}{name[1:]} (CSV)", f"{name.replace(' ', '-')}-step-{step}", make)


def tokenizer_files(run: Run, step: int, side: str = "") -> None:
    """The tokenizer of this step, in the formats that can carry it, and why not in the others."""
    tokenizer, refused = run.tokenizer(step), []
    with st.container(horizontal=True):
        for key, form in FORMATS.items():
            try:
                contents = dumps(tokenizer, key)
            except FormatError as error:
                refused.append(f"{form.title}: {error}.")
                continue
            for name, content in contents.items():
                widget = f"file {side} {key} {name}"
                st.download_button(name, content, name, key=widget, help=f"For {form.loaded_by}", on_click="ignore")
    for reason in refused:
        st.html(token_chips.note(reason))


def link(page: str) -> None:
    """The page as a link, to copy."""
    long = [name for name, value in state.texts(page).items() if not state.in_link(value)]
    if long:
        names = " and ".join(f"“{name}”" for name in long)
        st.html(token_chips.note(f"What is too long for the link, or half a character, is left out: {names}."))
    st.html(token_chips.note("This page as a link:"))
    st.code(f"{st.context.url or ''}?{urlencode(state.link(page))}", language=None, wrap_lines=True)


def stage(page: str, draw: Callable[[], None]) -> None:
    """Draw the part of a page that follows the step, again and again while it plays."""
    playing, asked = state.playing(page), state.settings_in_link(page)

    def body() -> None:
        if state.settings_in_link(page) != asked:
            st.rerun()  # another run is wanted: the whole page is drawn again
        frame.remarks(page)
        draw()
        state.publish(page)
        if bool(state.playing(page)) != bool(playing):
            st.rerun()  # the clock starts or stops with the whole page

    st.fragment(body, run_every=max(TICK, 1 / playing[2]) if playing else None)()
