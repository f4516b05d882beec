"""Widgets to choose with: the corpus, the settings of a run, a vocabulary."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import ALPHABETS, NORMALIZERS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS, PatternError, SettingsError
from bpe_core.files import FormatError
from bpe_core.files.reading import MAX_BYTES
from bpe_core.published import PUBLISHED, PublishedError
from bpe_core.text.alphabet import encode_text
from bpe_core.text.normalizers import normalized
from pages.parts.session import inputs, links, state, vocabularies
from pages.parts.session.corpora import EXAMPLES, UPLOAD_MEGABYTES, UPLOAD_TYPES, CorpusError, uploaded
from pages.parts.session.run_store import StillTraining
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import sentences, token_chips

PREVIEW = 60  # characters
HELD_CHARACTERS = 200_000  # of a pasted text to try
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
        text = inputs.corpus(page)
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
        if state.recall("uploaded file") != file.file_id:
            inputs.keep_upload(uploaded(file.name, file.getvalue()))
            state.remember("uploaded file", file.file_id)
            state.done(state.UPLOAD_AGAIN)
    except CorpusError as error:
        inputs.keep_upload(None)
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


def view(page: str, on_change: Callable[[], None] | None = None) -> str:
    """The names of the page's views; returns the open one."""
    titles = links.VIEWS[page]
    return st.segmented_control(
        "View",
        list(titles),
        format_func=titles.get,
        required=True,
        key=state.key(page, "view"),
        label_visibility="collapsed",
        on_change=on_change,
    )


def find(page: str, label: str, name: str = "find", width: int = 260) -> str:
    """What to look for in a table."""
    return st.text_input(
        label,
        key=state.key(page, name),
        max_chars=links.FIND_CHARACTERS,
        placeholder=label,
        label_visibility="collapsed",
        width=width,
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
        text, trained = inputs.held_out(page), inputs.corpus(page)
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
        how = inputs.settings(page)
        cut = how.splitter.split(normalized(inputs.corpus(page).text[:PREVIEW], how.normalizers))[:10]
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
        return inputs.vocabulary(page, name)
    except PublishedError as error:
        st.error(str(error))
    except CorpusError as error:
        st.error(f"The Train page has no corpus yet. {error}")
    except (SettingsError, PatternError) as error:
        st.error(f"The Train page's settings cannot be trained with. {sentences.problem(error)}")
    except inputs.NothingOpened:
        meanwhile = {"against": "Nothing is compared"}.get(name, "This is GPT-2")
        st.caption(f"{meanwhile} until the file of a tokenizer is opened.")
    except StillTraining:
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
            inputs.open_files(files, cut)
    except FormatError as error:
        st.error(sentences.plain(sentences.problem(error)))
