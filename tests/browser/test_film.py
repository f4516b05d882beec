"""Random frames of trainings, read off the screen, say what the engine says."""

from pathlib import Path
from random import Random

import pytest

from bpe_core import Settings, train
from bpe_core.display.token_text import token_text
from bpe_core.record.frames import PAIRS
from bpe_core.text.alphabet import encode_text
from pages.parts.session.corpora import example

SCRIPT = Path(__file__).with_name("film.js").read_text(encoding="utf-8")
FILMS = [
    ("short-story", {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "900"}, 100),
    ("hug-pug-pun", {}, 30),
    (
        "many-languages",
        {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "tie_rule": "greatest"},
        60,
    ),
    ("python-code", {"pretokenizer": "cl100k", "alphabet": "characters", "word_marker": "start"}, 60),
]


def sentence(run, step):
    if not step:
        return "Before any merge: every word is split into single symbols."
    merge = run.merges[step - 1]
    left, right, made = (token_text(token) for token in merge[:3])
    parts = run.contributions(step - 1, merge.left, merge.right)
    named = [f"{part.count:,} in {token_text(encode_text(run.pretokens[part.row]))}" for part in parts[:3]]
    rest = len(parts) - 3
    said = ", ".join(named)
    if rest > 0:
        left = sum(part.count for part in parts[3:])
        said += f" and {f'{left:,} ' * (left != rest)}in {rest:,} more word{'s' * (rest > 1)}"
    times = "once" if merge.count == 1 else f"{merge.count:,} times"
    return f"Step {step:,} joined {left} + {right} → {made}, seen {times}: {said}."


def same(shown, token):
    """Whether a token is shown as it is; of a long one the beginning."""
    text = token_text(token)
    return text.startswith(shown[:-1]) if shown.endswith("…") else shown == text


def check(run, step, shown):
    assert shown["sentence"].startswith(sentence(run, step))
    assert len(shown["words"]) >= min(5, len(run.pretokens))
    for row, count, tokens, new in shown["words"]:
        expected, times = run.words(step, [row])[0]
        assert (count, tokens) == (f"{times:,} ×", [token_text(token) for token in expected])
        assert bool(new) == (row in run.changed(step))
    labels, names = shown["bars"] or ([], [])  # no chart where no pair is left
    pairs = run.pair_counts(step, PAIRS)
    best = run.merges[step].count if step < run.steps else -1
    assert len(names) == len(labels) == len(pairs)
    for name, label, (left, right, count) in zip(names, labels, pairs, strict=True):
        assert all(map(same, name.split("  "), (left, right)))
        assert label.split()[0] == f"{count:,}"
        assert label.endswith(("next", "tied")) == (count == best)
    assert shown["current"] == (f"{step:,}" if step else "")
    assert shown["merges"]
    for number, tokens, tie, count in shown["merges"]:
        merge = run.merges[int(number.replace(",", "")) - 1]
        assert all(map(same, tokens, merge[:3]))
        assert (tie, count) == ("tie" if merge.tied > 1 else "", f"{merge.count:,}")


THOROUGH = [pytest.param(*film[:2], 5 * film[2], marks=pytest.mark.thorough) for film in FILMS]


@pytest.mark.parametrize(("corpus", "query", "frames"), FILMS[:1] + THOROUGH)
def test_random_frames_equal_the_engine(open_page, corpus, query, frames):
    values = {
        "pretokenizer": "whitespace",
        "alphabet": "characters",
        "word_marker": "end",
        "vocab_size": "1000",
    } | query
    chosen = Settings(
        values["pretokenizer"],
        values["alphabet"],
        values["word_marker"],
        values.get("tie_rule", "first-seen"),
        vocab_size=int(values["vocab_size"]),
    )
    run = train(example(corpus).text, chosen)
    page = open_page("train", {"corpus": corpus} | query)
    page.evaluate(SCRIPT)
    page.evaluate("film.drawn(0)")
    steps = [0, run.steps, *(Random(7).randint(0, run.steps) for _ in range(frames))]
    for first in range(0, len(steps), 100):
        some = steps[first : first + 100]
        for step, shown in zip(some, page.evaluate("steps => film.readAll(steps)", some), strict=True):
            check(run, step, shown)
