"""The web modules do what their tests say, and write, colour and cut tokens as Python does."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bpe_core import PRETOKENIZERS, Settings, Tokenizer, train
from bpe_core.counting.prices import money, price_of, why_no_price
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.shared.colours import HUES, hue, shades
from bpe_core.pictures.shared.drawing import Chip, Drawing, Whole, text_drawing
from bpe_core.pictures.shared.layout import SIZES, layout, text_width
from bpe_core.pictures.shared.token_text import MARKS, paired, parts, token_text
from bpe_core.pictures.shared.view import PICTURE
from bpe_core.pictures.tokens.tokens_data import text_data
from bpe_core.published import PUBLISHED
from bpe_core.text.in_words import percent
from bpe_core.tokenizer.letters import spelled
from tests.pictures import deno
from tests.pictures.deno import TESTS, needs_deno
from tests.texts import NASTY, NO_PRICES, PRICES

pytestmark = needs_deno
GLYPH = "_"
STORY = "the newest low tower, lower than the 12 widest towers 🦜 नमस्ते"


def test_the_modules_alone():
    assert " 0 failed" in deno.printed("test", "--no-check", TESTS)  # `make lint` checks their types


@pytest.fixture
def compare(tmp_path: Path) -> Callable[..., None]:
    """Let deno compare examples with what the web modules make."""

    def compare(**examples: Any) -> None:
        written = tmp_path / "examples.json"
        written.write_text(json.dumps({"hues": HUES, "glyph": GLYPH, "marks": MARKS, **examples}))
        options = ("--no-check", f"--allow-read={tmp_path}", TESTS / "shared/same_as_python_test.js", "--", written)
        assert "1 passed" in deno.printed("test", *options)

    return compare


def tokens() -> Iterator[bytes]:
    """Yield every mark, the nasty texts whole and cut at every byte, and random bytes."""
    rng = random.Random(1)
    texts = [*MARKS, *(f"a{mark}b" for mark in MARKS), *NASTY, *(chr(n) for n in range(0x0, 0x3100, 7))]
    encoded = [paired(text).encode("utf-8", "surrogatepass")[:200] for text in texts]
    yield from encoded
    for raw in encoded[-20:] + encoded[:80]:
        yield from (raw[i:j] for i in range(min(len(raw), 9)) for j in (i + 1, i + 4))
    yield from ("\ufe0f".encode(), "\ufe00a".encode(), "\U000e0100".encode(), "☂\ufe0f".encode())
    for _ in range(3000):
        yield bytes(rng.choices([*range(256), 0xF0, 0x9F, 0xE0, 0xED, 0xA0, 0x80, 0xFF], k=9))


def is_new(token: bytes) -> bool:
    """Return whether a token has a character that Python's Unicode does not know yet; deno's may be newer."""
    return any(unicodedata.category(char) == "Cn" for char in token.decode("utf-8", "ignore"))


def raw_text(token: bytes) -> str:
    """Return a token as it is copied: lone surrogates too are characters, other bytes are named one by one."""
    written = []
    while token:
        for size in (1, 2, 3, 4):
            try:
                written.append(token[:size].decode("utf-8", "surrogatepass"))
                break
            except UnicodeDecodeError:
                continue
        else:
            size = 1
            written.append(f"<0x{token[0]:02X}>")
        token = token[size:]
    return "".join(written)


def test_tokens_are_written_and_coloured_alike(compare: Callable[..., None]):
    known = [token for token in tokens() if not is_new(token)]
    compare(tokens=[(t.hex(), parts(t, GLYPH), parts(t), hue(t), raw_text(t)) for t in known])


def test_prices_are_read_and_percentages_written_alike(compare: Callable[..., None]):
    written = [*PRICES, *NO_PRICES]
    rng = random.Random(2)
    pairs = [(rng.randrange(whole * 2), whole) for whole in (1, 3, 8, 40, 999, 1000, 128_000) for _ in range(300)]
    compare(
        prices=[(text, price_of(text), why_no_price(text), money(text, "1.50")) for text in written],
        percents=[(part, whole, percent(part, whole)) for part, whole in [*pairs, (0, 0), (1, 10**6), (999, 1000)]],
    )


def text_example(tok: Tokenizer, text: str, tokenizers: dict[int, Tokenizer]) -> dict[str, Any]:
    """Return the data of a text for a view, and the text's tokens under the tokenizer of each step."""
    text = paired(text)
    cuts = [(step, list(cut_tokens(tok, at_step, text))) for step, at_step in tokenizers.items()]
    walk = tok.encode(text, specials=True).walk
    spellings = [(step, [part.letters for part in spelled(walk.tokens(step))]) for step in tokenizers]
    return {"answer": text_data(walk, GLYPH, {}), "cuts": cuts, "spellings": spellings}


def cut_tokens(tok: Tokenizer, at_step: Tokenizer, text: str) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield each token of a text: its bytes in hex, id, colour, where it starts and ends in UTF-16, and 1 if lost."""
    encoding = at_step.encode(text, specials=True)
    specials = set(at_step.special_tokens.values())
    units = [len(text[:n].encode("utf-16-le", "surrogatepass")) // 2 for n in range(len(text) + 1)]
    shown = zip(encoding.ids, encoding.drawn, shades(encoding.drawn), encoding.spans, encoding.lost, strict=True)
    for token_id, token, shade, (start, end), lost in shown:
        # this special token has the last id of the vocabulary, which grows with it
        is_special = token_id in specials and token == b"<|endoftext|>"
        last_id = tok.special_tokens["<|endoftext|>"] if is_special else token_id
        yield token.hex(), last_id, 2 * hue(token) + shade, units[start], units[end], int(lost)


SYMBOLS = [("bytes", "none"), ("bytes", "start"), ("characters", "end")]
SPLITS = ["none", "gpt2", "whitespace", "bert"]
GRID = [
    pytest.param(
        Settings(split, *symbols, vocab_size=500, special_tokens=("<|endoftext|>",)),
        marks=[] if i % 4 == 0 else pytest.mark.thorough,
        id=f"{split} {' '.join(symbols)}",
    )
    for i, (split, symbols) in enumerate(product(SPLITS, SYMBOLS))
]


@pytest.mark.parametrize("settings", GRID)
def test_tokens_of_a_text_at_any_step_are_the_engines(compare: Callable[..., None], settings: Settings):
    run = train(STORY, settings)
    tokenizers = {step: run.tokenizer(step) for step in (0, run.steps // 2, run.steps)}
    compare(texts=[text_example(run.tokenizer(), text, tokenizers) for text in NASTY])


def test_tokens_of_a_published_vocabulary_are_the_engines(compare: Callable[..., None]):
    tok = PUBLISHED["gpt2"].load()
    compare(texts=[text_example(tok, text, {50_000: tok}) for text in NASTY])


def test_what_a_wordpiece_vocabulary_cannot_write_is_lost_and_what_continues_a_word_is_marked(
    compare: Callable[..., None],
):
    tok, text = PUBLISHED["bert"].load(), "unaffable [UNK] tokens 🦜 \u0f00\u0f00 weil"
    assert tok.encode(text, specials=True).lost.count(True) == 2, "not the name of the unknown token itself"
    assert b"\xffffa" in tok.encode(text, specials=True).drawn
    compare(texts=[text_example(tok, text, {0: tok})])


def test_every_position_of_a_text_merges_something_and_says_what(compare: Callable[..., None]):
    text, tok = "the newest lighthouse, the newest", PUBLISHED["gpt2"].load()
    encoding = tok.encode(text, specials=True)
    changing = sorted({step for i in encoding.ids for step in tok.inside(i)})
    counts, said = [len(text)], [f"Before any merge: {len(text)} symbols."]
    for step in changing:
        left, right, made = (token_text(tok.tokens[i]) for i in tok.merges[step - 1])
        here = int((encoding.merged_at == step).sum())
        times = f", {here} times" * (here > 1)
        counts.append(counts[-1] - here)
        said.append(f"GPT-2's step {step:,} joined {left} + {right} → {made}{times}.")
    assert counts[-1] == len(encoding.ids)
    steps = [0, *changing[:-1], len(tok.merges)]  # the last position is the whole vocabulary
    positions = list(zip(steps, counts, said, strict=True))
    compare(meltings=[{"answer": text_data(encoding.walk, "", {}), "title": "GPT-2 (2019)", "positions": positions}])


def picture_example(tokens: Sequence[bytes], below: Sequence[str], heading: str = "") -> dict[str, Any]:
    """Return tokens, the estimated widths of all texts, and where Python's picture puts them."""
    drawn = text_drawing("", tokens, range(len(tokens)), heading=heading)
    chips = iter(below)

    def with_below(item: Chip | Whole | str) -> Chip | Whole | str:
        if isinstance(item, Whole):
            return replace(item, chips=tuple(replace(chip, below=next(chips)) for chip in item.chips))
        return replace(item, below=next(chips)) if isinstance(item, Chip) else item

    found = layout(Drawing("", tuple(tuple(map(with_below, row)) for row in drawn.rows)))
    written = [
        *((SIZES.chip_font, box.text) for box in found.boxes),
        *((SIZES.below_font, box.chip.below) for box in found.boxes),
        *((SIZES.words_font, words.text) for words in found.words),
        *((SIZES.whole_font, words.text) for words in found.labels),
    ]
    return {
        "sizes": PICTURE,
        "heading": heading,
        "tokens": [(token.hex(), under) for token, under in zip(tokens, below, strict=True)],
        "total": len(tokens),
        "widths": {f"{font.family} {font.size} {text}": text_width(text, font) for font, text in written},
        "boxes": [(box.x, box.y, box.width, box.text, box.chip.below) for box in found.boxes],
        "words": found.words,
        "labels": found.labels,
        "brackets": found.brackets,
        "size": (found.width, found.height),
    }


def test_a_picture_of_tokens_has_its_boxes_where_python_puts_them(compare: Callable[..., None]):
    tok = PUBLISHED["gpt2"].load()
    texts = [*NASTY, "\ufffe", "low\n\n低い lower 🦜🦜\nनमस्ते", "", "a\n" * 200, "word " * 2100]
    examples = []
    for text in texts:
        encoding = tok.encode(paired(text), specials=True)
        ids = [str(i) for i in encoding.ids]
        plain = [""] * len(ids)
        examples.append(picture_example(encoding.tokens, ids))
        examples.append(picture_example(encoding.tokens, plain, "GPT-2: 12, 3 words"))
        some = [under if i % 3 else "" for i, under in enumerate(ids)]
        examples.append(picture_example([*encoding.tokens, "é".encode() * 200], [*some, "a long name of a token"]))
    bird = "🦜".encode()
    across = [bird[:2], *[bird[2:] + bird[:2]] * 70, bird[2:], b"a"]  # parts of characters, more than a line of them
    damaged = [b"\x80", b"a", *across[:3], b"\xff", b"\xed\xa0", b"\x80", b"\xf0\xff", *across[:2], bird[2:]]
    examples += [picture_example(tokens, [""] * len(tokens)) for tokens in ([b"a", *across, *across[:3]], damaged)]
    compare(pictures=examples)


@pytest.mark.thorough
def test_tokens_of_every_pretokenizer_are_the_engines(compare: Callable[..., None]):
    text = "".join(NASTY)
    runs = [train(STORY, Settings(name, vocab_size=300)) for name in PRETOKENIZERS]
    compare(texts=[text_example(run.tokenizer(), text, {run.steps: run.tokenizer()}) for run in runs])


def test_words_of_a_training_at_any_step_are_the_engines(compare: Callable[..., None]):
    run = train(STORY, Settings("gpt2", vocab_size=300))
    side = RunSide(run, GLYPH)
    example = {
        "facts": side.facts(),
        "steps": run.steps,
        "words": side.words(range(side.word_count)),
        "names": [token_text(token, GLYPH) for token in run.tokens],
        "cuts": [[[t.hex() for t in word] for word, _ in run.words(step)] for step in range(run.steps + 1)],
    }
    compare(runs=[example])
