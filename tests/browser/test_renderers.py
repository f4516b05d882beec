"""Tokens are written and coloured by the same rules in the browser as in Python."""

from __future__ import annotations

import random
import unicodedata
from base64 import b64encode
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page

from bpe_core import PRETOKENIZERS, Settings, Tokenizer, train
from bpe_core.display.colours import HUES, hue, shades
from bpe_core.display.token_text import MARKS, paired, parts
from bpe_core.live.script import script
from bpe_core.published import PUBLISHED
from pages.parts.live_text.payload import payload
from tests.texts import NASTY

IMPORT = """async scripts => {
  const address = script => URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  window.view = Object.assign({}, ...await Promise.all(scripts.map(script => import(address(script)))));
  window.bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
}"""
STORY = "the newest low tower, lower than the 12 widest towers 🦜 नमस्ते"
FACTS = {"version": 0, "key": "", "title": "", "step": 0, "options": {}}


@pytest.fixture(scope="module")
def module(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.evaluate(IMPORT, [script(module) for module in ("token_text.js", "cut.js", "figures.js")])
    yield page
    page.close()


def cases() -> list[bytes]:
    """Every mark, the nasty texts whole and cut at every byte, and random bytes."""
    rng = random.Random(1)
    texts = [*MARKS, *(f"a{mark}b" for mark in MARKS), *NASTY, *(chr(n) for n in range(0x0, 0x3100, 7))]
    encoded = [paired(text).encode("utf-8", "surrogatepass")[:200] for text in texts]
    cut = [raw[i:j] for raw in encoded[-20:] + encoded[:80] for i in range(min(len(raw), 9)) for j in (i + 1, i + 4)]
    noise = [bytes(rng.choices([*range(256), 0xF0, 0x9F, 0xE0, 0xED, 0xA0, 0x80, 0xFF], k=9)) for _ in range(3000)]
    return [token for token in [*encoded, *cut, *noise] if not is_new(token)]


def is_new(token: bytes) -> bool:
    """Whether it has a character that Python's Unicode does not know yet; the browser's may be newer."""
    return any(unicodedata.category(char) == "Cn" for char in token.decode("utf-8", "ignore"))


def test_tokens_are_written_alike(module: Page) -> None:
    tokens = cases()
    for glyph in ("_", ""):
        shown = module.evaluate(
            "([tokens, ...look]) => tokens.map(t => view.parts(bytesOf(t), ...look).map(p => [p.text, p.kind]))",
            [[b64encode(token).decode() for token in tokens], glyph, MARKS],
        )
        for token, theirs in zip(tokens, shown, strict=True):
            assert theirs == [list(part) for part in parts(token, glyph)], token


def test_hues_are_alike(module: Page) -> None:
    tokens = cases()
    encoded = [b64encode(token).decode() for token in tokens]
    script = "([tokens, hues]) => tokens.map(t => { const b = bytesOf(t); return view.hueOf(b, 0, b.length, hues) })"
    assert module.evaluate(script, [encoded, HUES]) == [hue(token) for token in tokens]


def test_a_price_is_never_read_as_another_number(module: Page) -> None:
    read = {
        "2.50": 2.5, "2,50": 2.5, "2,50 €": 2.5, "$2.50": 2.5, " £ 3 ": 3, ".5": 0.5, "2.": 2, "0": 0, "1.000": 1,
        "1,000.50": 1000.5, "1.000,50": 1000.5, "1 000": 1000, "1,000,000": 1e6, "1'000,5": 1000.5,
    }  # fmt: skip
    refused = ["", "2..5", "1,000", "abc", "-3", "2.5.0", "2,5,0", "1e3", "2.50 apples", "€", "12,34.5", "1,0000.5"]
    found = module.evaluate("texts => texts.map(view.priceOf)", [*read, *refused])
    assert found[: len(read)] == list(read.values())
    assert all(price != price for price in found[len(read) :])  # not a number


CUT = """([data, step]) => {
  const model = view.readAnswer(data), cut = view.cutAt(model, step, data.hues);
  return Array.from({ length: cut.count }, (_, t) => {
    const [a, b] = [cut.starts[t], cut.starts[t + 1]];
    return [Array.from(model.bytes.subarray(model.byteAt[a], model.byteAt[b])), cut.ids[t], cut.colours[t],
            model.from[a], model.to[b - 1]];
  });
}"""
SYMBOLS = [("bytes", "none"), ("bytes", "start"), ("characters", "end")]
CUTS = ["none", "gpt2", "whitespace", "bert"]
GRID = [
    pytest.param(
        Settings(cut, *symbols, vocab_size=500, special_tokens=("<|endoftext|>",)),
        marks=[] if i % 4 == 0 else pytest.mark.thorough,
    )
    for i, (cut, symbols) in enumerate(product(CUTS, SYMBOLS))
]


@pytest.mark.parametrize("chosen", GRID, ids=lambda s: f"{s.pretokenizer} {s.alphabet} {s.word_marker}")
def test_tokens_at_any_step_are_the_engines(module: Page, chosen: Settings) -> None:
    run = train(STORY, chosen)
    for text in NASTY:
        check(module, run.tokenizer(), paired(text), [0, run.steps // 2, run.steps], run.tokenizer)


@pytest.mark.parametrize("text", NASTY)
def test_gpt2_at_its_last_step(module: Page, text: str) -> None:
    tok = PUBLISHED["gpt2"].load()
    check(module, tok, paired(text), [50_000], lambda step: tok)


def check(module: Page, tok: Tokenizer, text: str, steps: list[int], tokenizer_at) -> None:
    data = payload(tok.encode(text).walk, "_", FACTS)
    for step in steps:
        encoding = tokenizer_at(step).encode(text)
        shown = module.evaluate(CUT, [data, step])
        special = set(tokenizer_at(step).special_tokens.values())
        assert [bytes(row[0]) for row in shown] == list(encoding.tokens), text
        expected = [
            tok.special_tokens["<|endoftext|>"] if i in special and len(token) > 1 else i
            for i, token in zip(encoding.ids, encoding.tokens, strict=True)
        ]
        assert [row[1] for row in shown] == expected, text
        colours = zip(map(hue, encoding.tokens), shades(list(encoding.tokens)), strict=True)
        assert [row[2] for row in shown] == [2 * h + shade for h, shade in colours], text
        units = [len(text[:n].encode("utf-16-le", "surrogatepass")) // 2 for n in range(len(text) + 1)]
        spans = [tuple(row[3:]) for row in shown]
        assert spans == [(units[a], units[b]) for a, b in encoding.spans], text


@pytest.mark.thorough
def test_every_pretokenizer_sends_a_whole_text(module: Page) -> None:
    text = paired("".join(NASTY))
    for name in PRETOKENIZERS:
        run = train(STORY, Settings(name, vocab_size=300))
        check(module, run.tokenizer(), text, [run.steps], run.tokenizer)
