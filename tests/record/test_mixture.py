"""Mixtures found backwards: held to mixtures that the test itself made. Needs scipy; tests/requirements.txt has it."""

import sys
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import numpy
import pytest

from bpe_core import Settings, load, train
from bpe_core.extras import MissingExtraError
from bpe_core.record.mixture import Mixture, MixtureError, mixture
from tests.texts import EXAMPLE_TEXTS, example_text

SETTINGS = Settings("gpt2", vocab_size=500)


def sample(text: str, part: float, seed: int = 1) -> str:
    """Some of a text's lines, taken at random."""
    chance = Random(seed)
    return "".join(line for line in text.splitlines(keepends=True) if chance.random() < part)


def cut(texts: dict[str, str], percent: dict[str, int], size: int) -> dict[str, str]:
    """Of each text so many percent of `size` bytes."""
    return {name: texts[name].encode()[: size * part // 100].decode(errors="ignore") for name, part in percent.items()}


def true_shares(texts: dict[str, str]) -> dict[str, float]:
    sizes = {name: len(text.encode()) for name, text in texts.items()}
    return {name: size / sum(sizes.values()) for name, size in sizes.items()}


def test_a_mixture_of_three_with_a_decoy():
    pytest.importorskip("scipy")
    texts = {"story": EXAMPLE_TEXTS["short-story"], "code": EXAMPLE_TEXTS["python-code"]}
    texts["many"] = EXAMPLE_TEXTS["many-languages"]
    texts = cut(texts, {"story": 50, "code": 30, "many": 20}, 14_000)
    decoy = "\n".join(f"select {n} from rows_{n % 7} where id = {n * n}" for n in range(200))
    found = mixture(train(texts, SETTINGS), {**texts, "decoy": decoy}, steps=60)
    for name, share in (true_shares(texts) | {"decoy": 0}).items():
        assert found.shares[name] == pytest.approx(share, abs=0.01), name
    assert (found.steps, found.kept) == (60, 60)
    assert sum(found.shares.values()) == pytest.approx(1)


def test_samples_that_are_other_texts_break_most_merges():
    """So nobody need believe such shares: the mixture says that its samples do not explain the merges."""
    pytest.importorskip("scipy")
    texts = {"story": EXAMPLE_TEXTS["short-story"], "code": EXAMPLE_TEXTS["python-code"]}
    found = mixture(
        train(texts, SETTINGS),
        {"story": example_text("another-story"), "code": EXAMPLE_TEXTS["numbers-dates"]},
        steps=60,
    )
    assert found.kept < 30


@pytest.mark.parametrize("run", [load("gpt2"), "gpt2", None])
def test_a_published_vocabulary_gets_no_verdict(run):
    with pytest.raises(MixtureError, match="nobody has samples of the text of a published vocabulary"):
        mixture(run, {"story": "low low"})


@pytest.mark.parametrize(
    ("settings", "samples", "said"),
    [
        (Settings(start="gpt2", vocab_size=50_260), {"a": "low"}, "starts from no tokenizer"),
        (Settings(vocab_size=270, then_across_words_from=260), {"a": "low"}, "of one stage"),
        (Settings(vocab_size=256), {"a": "low"}, "a training with merges"),
        (SETTINGS, {"a": "low", "<b>": ""}, "the sample of '<b>' has no words"),
        (SETTINGS, {}, "there are no sources"),
    ],
)
def test_what_no_mixture_can_be_found_for(settings, samples, said):
    with pytest.raises(ValueError, match=said):
        mixture(train("low lower lowest low, low lower", settings), samples)


def test_a_characters_alphabet_that_lacks_a_letter_of_a_sample():
    pytest.importorskip("scipy")
    run = train(
        {"en": "low low lower", "de": "los los"}, Settings("whitespace", "characters", vocab_size=9, word_marker="end")
    )
    found = mixture(run, {"en": "low low lower", "de": "los los", "other": "चाय चाय"})
    assert isinstance(found, Mixture)
    assert found.shares["other"] == pytest.approx(0, abs=0.01)


def test_without_scipy_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match=r'a mixture needs scipy.*pip install "\.\[mixture\]"'):
        mixture(train("low low lower", Settings(vocab_size=258)), {"a": "zoo zoo", "b": "slower"})


def files(folder: Path, pattern: str, size: int) -> str:
    """The text of some installed files, up to a size."""
    parts: Iterator[str] = (path.read_text(encoding="utf-8", errors="ignore") for path in sorted(folder.glob(pattern)))
    return "".join(islice(parts, 200))[:size]


@pytest.mark.thorough
def test_a_mixture_of_five_with_a_decoy_from_half_of_the_lines():
    """The shares of 2.5 MB of what is installed, found from a random half of the lines of each source."""
    pytest.importorskip("scipy")
    from pydoc_data.topics import topics

    packages, library = Path(numpy.__file__).parents[1], Path(sysconfig.get_path("stdlib"))
    texts = {
        "manual": "\n".join(topics.values()) * 2,
        "python": files(library, "*.py", 10**6),
        "headers": files(packages, "pyarrow/include/**/*.h", 10**6),
        "script": files(packages, "playwright/driver/package/lib/utilsBundle.js", 10**6),
        "types": files(packages, "numpy/**/*.pyi", 10**6),
    }
    percent = {"manual": 35, "python": 10, "headers": 25, "script": 5, "types": 25}
    texts = cut(texts, percent, 2_500_000)
    assert true_shares(texts) == pytest.approx({name: part / 100 for name, part in percent.items()}, abs=0.01)
    run = train(texts, Settings("gpt2", vocab_size=856))
    samples = {name: sample(text, 0.5) for name, text in texts.items()}
    samples["decoy"] = EXAMPLE_TEXTS["many-languages"]
    found = mixture(run, samples)
    for name, share in true_shares(texts).items():
        assert found.shares[name] == pytest.approx(share, abs=0.02), name
    assert found.shares["decoy"] < 0.01
