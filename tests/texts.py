"""The textbook loop under each tie rule, and the texts that the engine is held to it on."""

from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from bpe_core import TIE_RULES, Settings, reference
from bpe_core.corpus.counting import count_pretokens
from bpe_core.corpus.text_files import ENDINGS
from bpe_core.settings import ALPHABETS, WORD_MARKERS
from bpe_core.text.alphabet import GPT2_BYTE_ORDER, symbols_of

TINY = st.text("ab", max_size=24)
FEW_LETTERS = st.text("abc d", max_size=40)
# Not a text that `train` takes for the name of a file: Hypothesis tries the endings that it finds in our own code.
ANY_TEXT = st.text(st.characters(), max_size=40).filter(lambda text: not text.lower().endswith(ENDINGS))
MIXED = st.lists(st.sampled_from(["a", "b", "ab", "aa", " ", "  ", "\n", "'s", "12", "é", "🦜", "न", "."]), max_size=30)
TEXTS = TINY | FEW_LETTERS | ANY_TEXT | MIXED.map("".join)

# Each of these broke someone's tokenizer or visualizer.
NASTY = [
    "", "a", " ", " \n\t ", "aaaa", "aaabdaaabac", "Hello, world!", ", / _ | \\d \\ Ġ Ġword", "<b>&\"'</b>", "$x$ *y* `z`",
    "<|endoftext|>", "a<|endoftext|>b", "\ufeffBOM first", "one\r\ntwo\r\n", "tab\there", "no\u00a0break zero\u200dwidth \u202edibi",
    "e\u0301 é", "🦜", "👨‍👩‍👧‍👦 family", "🇳🇵🇩🇪", "नमस्ते दुनिया", "สวัสดีชาวโลก", "مرحبا بالعالم", "lone \ud83e surrogate", "\ud83e\udd9c",
    "nul\0nul", "a" * 2000, "x  y   z\n  indented\n\n\nend ", "I'll DON'T we're'", "3.14 1,000,000 2nd x² ½", "ſ's K'S",
]  # fmt: skip
EXAMPLES = Path(__file__).parents[1] / "pages/parts/examples"


def example_text(name: str) -> str:
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")


_NAMES = ["short-story", "python-code", "many-languages", "numbers-dates"]
EXAMPLE_TEXTS = {name: example_text(name) for name in _NAMES}
# Without lone surrogates, which other libraries do not take.
NASTY_UNICODE = [text for text in NASTY if not any(0xD800 <= ord(char) < 0xE000 for char in text)]
# For what takes long, such as a page: a text of nothing, of one character, of one long word, and all the others in one.
NASTY_PAGES = ["", " \n\t ", "a", "a" * 2000, "\n".join(text for text in NASTY_UNICODE if len(text) < 2000)]

CORPUS = "".join(text[:3000] for text in EXAMPLE_TEXTS.values())
WRITABLE = TEXTS.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))

# White space of every kind, between words and signs.
SPACES = [
    "a",
    "b1",
    ".",
    "'s",
    "!/",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u2028",
    "\u3000",
    "\x1c",
    "\x01",
    "\ufeff",
]
SPACED = st.lists(st.sampled_from(SPACES), max_size=25).map("".join)

# Settings of every kind, with a target that no short text reaches.
ALL_SETTINGS = st.builds(
    Settings,
    pretokenizer=st.sampled_from(["none", "whitespace", "gpt2", "gpt2-notebook"]),
    alphabet=st.sampled_from(list(ALPHABETS)),
    word_marker=st.sampled_from(list(WORD_MARKERS)),
    tie_rule=st.sampled_from(list(TIE_RULES)),
    vocab_size=st.just(10_000),
)


def ids_by(order: list[bytes]) -> dict[bytes, int]:
    return {token: i for i, token in enumerate(order)}


def textbook_train(text: str, settings: Settings):
    """The textbook run of `text`: an iterator of (pair, count, words)."""
    counts = count_pretokens(text, settings)
    words = {symbols_of(word, settings.alphabet, settings.word_marker): n for word, n in counts.items()}
    if settings.tie_rule == "corpus-order":
        return words, _train_moving_words(words)
    return words, reference.train(words, _choice(settings, words))


def _train_moving_words(words):
    """The textbook loop where a changed word moves to the end of the corpus."""
    while counts := reference.count_pairs(words):
        pair = reference.most_frequent(counts)
        joined = {word: reference.join(word, pair) for word in words}
        same = {word: n for word, n in words.items() if joined[word] == word}
        words = same | {joined[word]: n for word, n in words.items() if joined[word] != word}
        yield pair, counts[pair], words


def _choice(settings: Settings, words):
    if settings.tie_rule == "first-seen":
        return reference.most_frequent
    if settings.tie_rule == "greatest":
        return lambda counts: max(counts, key=lambda pair: (counts[pair], pair))
    assert settings.tie_rule in {"lowest-id", "hugging-face"}, f"the rule {settings.tie_rule} has no textbook here"
    return partial(_lowest, symbol_ids(settings, words))


def symbol_ids(settings: Settings, words) -> dict[bytes, int]:
    """Return the base symbols with their ids, as the rules that compare ids have them."""
    order = GPT2_BYTE_ORDER if settings.tie_rule == "hugging-face" else bytes(range(256))
    symbols = [bytes([b]) for b in order]
    if settings.alphabet == "characters":
        symbols = sorted({symbol for word in words for symbol in word})
    return ids_by(symbols)


def _lowest(ids: dict[bytes, int], counts):
    pair = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
    ids.setdefault(pair[0] + pair[1], len(ids))
    return pair


# What people type as a price of a million tokens. In `NO_PRICES` is what is no price, or could be two.
PRICES = {
    "2.50": 2.5, "2,50": 2.5, "2,50 €": 2.5, "$2.50": 2.5, " £ 3 ": 3, ".5": 0.5, "0.5": 0.5, "2.": 2, "0": 0, "1.000": 1,
    "1,000.50": 1000.5, "1.000,50": 1000.5, "1 000": 1000, "1,000,000": 1e6, "1'000,5": 1000.5, "$2.50 / 1M": 2.5,
    "$2.50/M tokens": 2.5, "0.15 per million": 0.15, "USD 3": 3, "3 USD": 3, "US$ 3": 3, "$3 a million tokens": 3,
}  # fmt: skip
NO_PRICES = (
    "", "2..5", "1,000", "$1,000", "abc", "-3", "2.5.0", "2,5,0", "1e3", "2.50 apples", "€", "12,34.5", "1,0000.5", "inf", "nan",
    "$2.50 / 1K", "2.50 / 3M", "½", "٣",
)  # fmt: skip
