"""The state of each page: its values, typed.

A page reads its state at the start of a run and of every fragment's run (`state.read`), uses its fields, and saves
every change at once (`state.save`). A field declares all that is known about a value: see `values`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bpe_core import PRETOKENIZERS, Settings
from bpe_core.kinds import choice, names
from bpe_core.pictures.film.word_window import SORTS
from bpe_core.published import PUBLISHED
from bpe_core.settings import AcrossKey, Alphabet, NormalizerKey, PretokenizerKey, WordMarker
from bpe_core.ties import TieRuleKey
from bpe_core.tokenizer.post_processing import TEMPLATES
from pages.parts.chats import chats
from pages.parts.state import values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.values import DEFAULT_PATTERN, LARGEST, ChosenSettings, value
from pages.parts.texts.corpora import WORD_CHARACTERS, YOUR_TEXT
from pages.parts.texts.examples import EXAMPLES, SENTENCES
from pages.parts.vocabularies import tokenizer_keys

FITTING, ITSELF, PASTE = "fitting", "itself", "paste"  # the keys of held-out texts besides the examples
Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens
MOST_ENTRIES = 10_000  # of a vocabulary on the Algorithms page
LESSON_CHARACTERS = 5000  # of a text that a lesson asks about
ANSWERS_CHARACTERS = 1500  # of the answers to a lesson
MOST_SEED = 9999  # the largest number that draws the questions of all lessons
YES_OR_NO = ("yes", "no")
STAGES = ("start", "first", "last")  # of a training that starts from tokens, or crosses words later


@dataclass(frozen=True)
class PageState:
    """The state of a page. `PAGE`: the page's name in the session."""

    PAGE: ClassVar[str] = ""


def _corpus(example: str) -> Any:
    """Declare the choice of a text. `example`: the key of the example that the page begins with."""
    known = choice(*EXAMPLES, OWN)

    def read(given: str) -> str:
        return OWN if given in ("paste", "upload") else known.read(given)

    return value(example, "example", read, shared=True)


def _start(side: Side | Literal[""] = "") -> Any:
    """Declare what a training starts from: see `tokenizer_keys.start`."""
    return values.setting("start", "none", side, tokenizer_keys.start, set_here=True)


@dataclass(frozen=True)
class WithText(PageState):
    """The state of a page about your text. `corpus`: the key of an example, or `OWN` for `text`.

    `text_name`: the name of the file that your text is from. `text_problem`: why the last file could not be opened; ""
    if it could.
    """

    corpus: str = _corpus(next(iter(EXAMPLES)))
    text: str = values.text(LINK_LENGTH, "your text", shared=True)
    text_name: str = values.unlinked(YOUR_TEXT, shared=True, stays=False)
    text_problem: str = values.unlinked("", shared=True, stays=False)


@dataclass(frozen=True)
class WithFilm(PageState):
    """The state of a page with a film. `shown`: a key of the film's training.

    `version`: how often the step was set from outside the film.
    """

    step: int = values.number(0, 0, LARGEST, "step", live=True)
    version: int = values.unlinked(0)
    shown: Any = values.unlinked(None, stays=False)


@dataclass(frozen=True)
class WithTokens(WithText):
    """The state of a page with the view of a text's tokens.

    `token`: the index of the first symbol of the chosen token; -1 for none. `subject`: the text and the vocabulary in
    the view. `changes`: how often the subject changed. `request`: the number of the view's last request.
    """

    step: int = values.number(LARGEST, 0, LARGEST, "step", live=True)
    ids: str = values.one_of("yes", ("yes", "list", "no"), "Ids", live=True)
    marks: str = values.one_of("yes", YES_OR_NO, "Show spaces as · and line ends as ⏎", live=True)
    window: str = values.one_of("128000", WINDOWS, "context window", live=True)
    price: str = value("", "price per million", values.amount, live=True)
    letters: str = values.one_of("no", YES_OR_NO, "Letters", live=True)
    letter: str = value("r", "letter to count", values.letter, live=True)
    token: int = values.number(-1, 0, LARGEST, "token", live=True)
    subject: Any = values.unlinked(None, stays=False)
    changes: int = values.unlinked(0)
    request: int = values.unlinked(0)


@dataclass(frozen=True)
class WithChat(PageState):
    """The state of a page that shows a chat, which all such pages share.

    `turns`: as JSON. `chat_template`: a key of `CHAT_TEMPLATES`, or one of `chats`. `own_template`: a pasted template.
    `answer`: whether the beginning of an answer ends the chat. `chat_changes`: how often turns changed their places.
    `pasting_template`, `pasting_turns`: whether the menu with the box is open.
    """

    turns: str = value(chats.FIRST, "your chat", chats.read, live=True, shared=True, most=LINK_LENGTH)
    chat_template: str = value(chats.FITTING, "Chat template", values.key, live=True, shared=True, set_here=True)
    own_template: str = value(
        "", "your chat template", chats.read_template, live=True, shared=True, set_here=True, most=LINK_LENGTH
    )
    answer: str = values.one_of("yes", YES_OR_NO, "Begin the answer", live=True, shared=True)
    chat_changes: int = values.unlinked(0, shared=True)
    pasting_template: bool = values.unlinked(False, widget=True)
    pasting_turns: bool = values.unlinked(False, widget=True)


@dataclass(frozen=True)
class WithOpening(PageState):
    """The state of a page that opens tokenizers: see `opening_box`.

    `opening`: whether the box is open. `asked`: the name of a model to fetch from the Hub; None for none.
    `files_before`: the names of the files in the box at its last change. `unopened`: why the last model or file could
    not be opened; "" if it could.
    """

    opening: bool = values.unlinked(False)
    asked: str | None = values.unlinked(None)
    files_before: tuple[str, ...] = values.unlinked(())
    unopened: str = values.unlinked("")


class WithVocabulary(PageState):
    """The state of a page that may show the Train page's vocabulary. `training`: its training (`last_training`)."""

    training: str


def _training() -> Any:
    """Declare `training`. Texts take their room in a link in the order of their declaration."""
    return values.text(LINK_LENGTH, "the text that the vocabulary was trained on", live=True)


@dataclass(frozen=True)
class Learn(PageState):
    """The state of Learn. `answers`: see `learn.answers`. `done`: the lessons whose questions are all answered.

    `former`: the answers to the lessons that were open before, each with its lesson, text and seed. `pasted`: how many
    characters the text had if only its beginning was taken, else 0. `types`: whether answers are typed. `round`: how
    often a lesson was started again. `focus`: the id of the element that gets the focus; "" for none. `moves`: how
    often the focus was moved.
    """

    PAGE = "learn"
    lesson: str = value("pairs", "lesson", values.key)
    text: str = values.text(LESSON_CHARACTERS, "your text", set_here=True)
    seed: int = values.number(1, 1, MOST_SEED, "number that draws the questions")
    answers: str = value("", "answers", values.spelt("0123456789abcdef=s-.", ANSWERS_CHARACTERS))
    done: tuple[str, ...] = values.keys((), "done", names)
    former: tuple[tuple[tuple[str, str, int], str], ...] = values.unlinked(())
    pasted: int = values.unlinked(0)
    types: bool = values.unlinked(False)
    round: int = values.unlinked(0)
    focus: str = values.unlinked("")
    moves: int = values.unlinked(0)


@dataclass(frozen=True)
class Start(WithTokens):
    """The state of the start page."""

    PAGE = "start"
    corpus: str = _corpus("bytes-into-words")


@dataclass(frozen=True)
class Playground(WithChat, WithVocabulary, WithOpening, WithTokens):
    """The state of the Playground. `sought` to `order` belong to the view of the vocabulary; `script`: "" for all.

    `sentences`: a sentence in several languages, a line each. `word` belongs to the view of letters. `end` and
    `end_request` belong to the view of a prompt's end: where it is in the text, in characters, -1 for after the last
    space; and the number of the view's last request. `bos` belongs to the view of a chat: whether the tokenizer adds
    its special tokens to it.

    `opening`: whether the menu with the box that opens a tokenizer is open.
    """

    PAGE = "playground"
    corpus: str = _corpus("keepers-dog")
    tokenizer: str = value(tokenizer_keys.FAVOURITE, "Tokenizer", tokenizer_keys.tokenizer)
    against: tuple[str, ...] = values.keys(
        tuple(tokenizer_keys.BESIDE),
        "tokenizers side by side",
        tokenizer_keys.tokenizers,
        tokenizer_keys.without_files,
        tokenizer_keys.tokenizer,
    )
    training: str = _training()
    specials: str = values.one_of("yes", YES_OR_NO, "Special tokens")
    view: str = value("tokens", "View", values.key, live=True, set_here=True)
    compared: str = values.one_of("text", ("text", "languages", "scorecard"), "What is compared", live=True)
    sentences: str = values.text(LINK_LENGTH, "your list of sentences", default=SENTENCES, live=True)
    sought: str = values.text(100, "Search", live=True)
    among: str = value("text", "Search in", values.key, live=True)
    kind: str = value("all", "Show", values.key, live=True)
    script: str = values.text(40, "Script", live=True)
    order: str = value("id", "Sort", values.key, live=True)
    word: str = values.text(40, "word", default="strawberry", live=True)
    end: int = values.number(-1, -1, LARGEST, "end of the prompt", live=True)
    end_request: int = values.unlinked(0)
    bos: str = values.one_of("no", YES_OR_NO, "Add special tokens", live=True)
    opening: bool = values.unlinked(False, widget=True)


@dataclass(frozen=True)
class Train(WithFilm, WithOpening, ChosenSettings, WithText):
    """The state of Train. `words`, `sort`: the search among the film's words, and their order.

    `stage`: which stage of the training is shown. `find`: the search in the view below the film. `tried`: a text to
    tokenize. `marker_chosen`: whether the visitor or a link chose a word marker that does not follow from the split;
    None until the page is open.
    """

    PAGE = "train"
    corpus: str = _corpus("newest-widest")
    pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace", set_here=True)
    alphabet: Alphabet = values.setting("alphabet", "characters", set_here=True)
    word_marker: WordMarker = values.setting("word_marker", "end", set_here=True)
    tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", set_here=True)
    normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), set_here=True)
    start: str = _start()  # type: ignore[assignment]  # the start may be a tokenizer that the visitor opened
    then_across_words_from: int = values.setting("then_across_words_from", 0, set_here=True)
    then_split_by: AcrossKey = values.setting("then_split_by", "line", set_here=True)
    marker_chosen: bool | None = values.unlinked(None)
    stage: str = values.one_of("last", STAGES, "Stage")
    glyph: str = values.one_of("_", "_Ġ▁", "Marker symbol")
    words: str = values.text(100, "Find in words", live=True)
    sort: str | None = values.one_of(None, SORTS, "Sort the words", live=True)
    view: str = value("vocabulary", "View", values.key, live=True)
    find: str = values.text(100, "Find", live=True)
    tried: str = values.text(100, "text to try", live=True, name="try")


@dataclass(frozen=True)
class Pipeline(WithChat, WithVocabulary, WithText):
    """The state of Pipeline. At first its stages are BERT's.

    `input`: what goes through the stages, your text or a chat. `second`: a second text, joined to yours as a pair.
    """

    PAGE = "pipeline"
    corpus: str = _corpus("accents")
    input: str = values.one_of("text", ("text", "chat"), "Input")
    second: str = values.text(LINK_LENGTH, "second text")
    normalizers: tuple[NormalizerKey, ...] = values.setting(
        "normalizers",
        ("bert",),
        set_here=True,
        fits={key: row.normalizers for key, row in PUBLISHED.items()},
        by="model",
    )
    pretokenizer: str = values.one_of(OWN, [OWN, *PRETOKENIZERS], "Split by", set_here=True)
    model: str = values.one_of("bert", tokenizer_keys.TOKENIZERS, "Model")
    training: str = _training()
    template: str = values.one_of(
        "bert",
        TEMPLATES,
        "Template",
        set_here=True,
        fits={key: row.template for key, row in PUBLISHED.items()},
        by="model",
    )


@dataclass(frozen=True)
class Compare(WithFilm, WithText):
    """The state of Compare. The sides share the vocabulary size; each has its own value of the other settings.

    `held`: the key of the held-out text (see `held_out`). `held_text`: your own held-out text.
    """

    PAGE = "compare"
    corpus: str = _corpus("my-dog")
    left_pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace", "left")
    right_pretokenizer: PretokenizerKey = values.setting("pretokenizer", "gpt2", "right")
    left_pattern: str = values.setting("pattern", DEFAULT_PATTERN, "left")
    right_pattern: str = values.setting("pattern", DEFAULT_PATTERN, "right")
    left_normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), "left")
    right_normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), "right")
    left_alphabet: Alphabet = values.setting("alphabet", "characters", "left")
    right_alphabet: Alphabet = values.setting("alphabet", "characters", "right")
    left_word_marker: WordMarker = values.setting("word_marker", "none", "left")
    right_word_marker: WordMarker = values.setting("word_marker", "none", "right")
    left_tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", "left")
    right_tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", "right")
    left_min_count: int = values.setting("min_count", 1, "left")
    right_min_count: int = values.setting("min_count", 1, "right")
    left_start: str = _start("left")
    right_start: str = _start("right")
    left_then_across_words_from: int = values.setting("then_across_words_from", 0, "left")
    right_then_across_words_from: int = values.setting("then_across_words_from", 0, "right")
    left_then_split_by: AcrossKey = values.setting("then_split_by", "line", "left")
    right_then_split_by: AcrossKey = values.setting("then_split_by", "line", "right")
    vocab_size: int = values.setting("vocab_size", 300, set_here=True)
    held: str = values.one_of(FITTING, [FITTING, ITSELF, *EXAMPLES, PASTE], "Held-out text", live=True)
    held_text: str = values.text(LINK_LENGTH, "your held-out text")
    all_words: str = values.one_of("no", YES_OR_NO, "All words")  # chosen above the views
    spaces: str = values.one_of("no", YES_OR_NO, "Spaces", live=True)
    unit: str = values.one_of("tokens", ("tokens", "characters each"), "Unit", live=True)
    view: str = value("merges", "View", values.key, live=True)
    find: str = values.text(100, "Find", live=True)

    def chosen(self, side: Side) -> ChosenSettings:
        """Return the settings of one side, unchecked."""
        names = [name for name in values.rows(ChosenSettings) if hasattr(self, of_side(side, name))]
        chosen = {name: getattr(self, of_side(side, name)) for name in names}
        return ChosenSettings(vocab_size=self.vocab_size, **chosen)


def _fitting(index: int, declare: Callable[..., Any]) -> Any:
    """Declare a value whose default depends on the example.

    `index`: of the default in `Example.algorithms`. `declare`: takes the first default, and the defaults by example.
    """
    fits = {key: row.algorithms[index] for key, row in EXAMPLES.items() if row.algorithms}
    return declare(fits["cats-eat"], fits)


@dataclass(frozen=True)
class Algorithms(WithFilm, WithText):
    """The state of Algorithms. `sentence`: a text to tokenize. `word`: a word to segment. `round`: of Unigram."""

    PAGE = "algorithms"
    corpus: str = _corpus("cats-eat")
    pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace")
    pattern: str = values.setting("pattern", DEFAULT_PATTERN)
    vocab_size: int = _fitting(
        0,
        lambda default, fits: values.number(default, 1, MOST_ENTRIES, "Vocabulary size", fits=fits, set_here=True),
    )
    view: str = value("compare", "View", values.key, live=True)
    sentence: str = _fitting(
        1,
        lambda default, fits: values.text(
            1000, "text to tokenize", default=default, fits=fits, live=True, set_here=True
        ),
    )
    round: int = values.number(0, 0, 1000, "round", live=True)
    word: str = _fitting(
        2,
        lambda default, fits: values.text(
            WORD_CHARACTERS, "word", default=default, fits=fits, live=True, set_here=True
        ),
    )

    def settings(self) -> Settings:
        """Return the settings of all models; raise `SettingsError` or `PatternError` if no training can use them."""
        return ChosenSettings(
            self.pretokenizer, "characters", vocab_size=self.vocab_size, pattern=self.pattern
        ).checked()


def of_side(side: str, name: str) -> str:
    """Return the name that a setting has on one side of a comparison.

    >>> of_side("left", "alphabet"), of_side("", "alphabet")
    ('left_alphabet', 'alphabet')
    """
    return f"{side}_{name}" if side else name
