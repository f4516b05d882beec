"""Texts that look like something else: no detector raises, runs what is in them, or takes long.

Each attack is asked of every kind of text, and has up to 100,000 characters. In the app, they are typed on each page
that has a box: see `hostile.texts`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import process_time

from pages.parts.page.recognised import KINDS, Asked, recognised
from pages.parts.state.links import OWN
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.vocabularies import page_vocabulary

Row = tuple[str, float, str, float | None]
SIZE = 100_000
SECONDS = 0.02  # of the processor, for all kinds together
MESSAGE = '{"role":"user","content":"Hi"}'


def _filled(part: str) -> str:
    return (part * (SIZE // len(part) + 1))[:SIZE]


ATTACKS = {
    **{f"only {part!r}": _filled(part) for part in "[{(\"'-?:#&*!|>%@`,;\t\n \0a1Ã\ud800"},
    **{f"many {part!r}": _filled(part) for part in ("- ", "? ", "a:", "a: b\n", "[a,", "{a:", "[[1],", "f(", "<a ")},
    **{f"many {part!r}": _filled(part) for part in ("ids: ", "INFO ", "&a ", "*a ", "!!a ", "{}\n", "Ã©")},
    "surrogate pairs": _filled("\ud83d\ude00"),
    "objects in objects": _filled('{"a":'),
    "messages in messages": _filled('{"messages":'),
    "a large number": "[" + "9" * (SIZE - 2) + "]",
    "a larger number": "[1e999999]",
    "no number": '{"messages": [NaN, Infinity]}',
    "a billion laughs": "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else 'lol'}]\n" for n in range(9)),
    "a program in YAML": 'a: 1\nb:\n  - c: !!python/object/apply:os.system ["exit 1"]\n    d: 2\n',
    "names in YAML": "a:\n" + "".join(f"  - k: {n}\n    b: 2\n" for n in range(5_000)),
    "deep YAML": "".join(" " * n + "k:\n" for n in range(400)),
    "columns": ",".join(f"c{n}" for n in range(SIZE // 7)) + "\n" + "1," * 9,
    "records": "id,name\n" + "1,Ada\n" * 16_000,
    "an open quote": 'a,b\n"' + _filled("x,\n"),
    "messages": "[" + ",".join([MESSAGE] * 3_000) + "]",
    "lines of messages": "\n".join([MESSAGE] * 3_000),
    "one role": '[{"role": "user", "content": [' + '{"type": "text"},' * 5_000 + "{}]}]",
    "a chat that is none": '{"messages": {"role": "user"}, "tools": 5, "system": [5]}',
    "broken blocks": '{"messages": [{"role": "user", "content": [{"type": "tool_use"}, {"type": "tool_result"}, 5]}]}',
    "roles": json.dumps({"role": ["user"], "from": {}, "content": 5}),
    "a name twice": "{" + '"a":1,' * 15_000 + '"a":2}',
    "ids": str([7] * 30_000),
    "a vocabulary": json.dumps({"model": {"vocab": {f"t{n}": n for n in range(6_000)}}}),
    "ranks": "".join(f"IQ== {n}\n" for n in range(9_000))[:SIZE],
    "mojibake": _filled("cafÃ© "),
    "escaped bytes": _filled("\udcc3\udca9"),
    "scripts": _filled("बच्चे 孩子 дети "),
    "markup": "[{\"role\": \"user\", \"content\": \"<script>alert(1)</script>\"}]",
}  # fmt: skip


def asked(text: str) -> Iterator[Asked]:
    """Yield the questions of two pages about a text: one has a tokenizer, the other a split."""
    yield Asked(Tokens(corpus=OWN, text=text), page_vocabulary.published("gpt2"))
    yield Asked(Train(corpus=OWN, text=text))


def wrong(text: str) -> list[str]:
    """Return what goes wrong with a text: a kind that raises, or a sentence that is none."""
    said = []
    for each in asked(text):
        for key, kind in KINDS.items():
            try:
                kind.found(each)
            except Exception as error:
                said.append(f"{key}: {type(error).__name__}: {error}"[:200])
        try:
            line = recognised(each)
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}"[:200])
        else:
            if line and (len(line.sentence) > 200 or "<" in line.sentence):
                said.append(line.sentence[:200])
    return said


def seconds(text: str) -> float:
    """Return the seconds of the processor in which all kinds answer, on the slower of both pages; the best of three."""

    def once(question: Asked) -> float:
        begun = process_time()
        for kind in KINDS.values():
            if kind.found(question):
                break
        return process_time() - begun

    return max(min(once(each) for _ in range(3)) for each in asked(text))


def measure() -> Iterator[Row]:
    """What is recognised of hostile texts: what raises, and the slowest."""
    found = {name: wrong(text) for name, text in ATTACKS.items()}
    for name, said in found.items():
        if said:
            print("   ", name, said[:3])
    yield f"of {len(ATTACKS)} pasted attacks, where something was wrong", float(sum(map(bool, found.values()))), "", 0.0
    times = {name: seconds(text) for name, text in ATTACKS.items()}
    slowest = max(times, key=times.__getitem__)
    yield f"the slowest to be recognised of 100,000 characters: {slowest}", 1000 * times[slowest], "ms", 1000 * SECONDS
