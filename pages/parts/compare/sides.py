"""The two trainings of a comparison, with their figures and vocabularies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from bpe_core import Run
from bpe_core.pictures.shared.token_text import glyph_of, has
from bpe_core.record.run import Stage
from bpe_core.text.alphabet import MARKER
from bpe_core.text.in_words import percent
from bpe_core.text.words import MEANING
from bpe_core.tokenizer.cost_curve import CostCurve
from bpe_core.tokenizer.mixed_tokens import MIXTURES, mixture
from pages.parts.state.compare_state import ITSELF, Compare, Side
from pages.parts.state.values import LARGEST

SAMPLE = 1_000  # characters of a text whose split is shown

_LOST = (
    "Characters that the split throws away. Decoding puts one space between words instead.",
    "Characters that the split throws away: decoding cannot give them back.",
)
_BYTES = Side(alphabet="bytes")
_GPT2 = Side(pretokenizer="gpt2", alphabet="bytes")
_GROWN = replace(_GPT2, start="gpt2")
EXAMPLES = {  # comparisons to try, each with its text
    "my dog. your dog.": Compare(),
    "The same, not split": Compare(left=Side(pretokenizer="none")),
    "one dog. one dinosaur.": Compare(corpus="one-dinosaur", left=Side(pretokenizer="none")),
    "A short story": Compare(corpus="short-story", left=_BYTES, right=_GPT2, vocab_size=600, view="vocabularies"),
}
OF_SETTINGS = {  # comparisons to try on your own text or, if you have none, on the example that each comparison names
    "BPE and SuperBPE, same size": Compare(
        corpus="short-story",
        left=_GPT2,
        right=replace(_GPT2, then_across_words_from=428),
        vocab_size=600,
        view="vocabularies",
    ),
    "GPT-2 as it is and grown": Compare(
        corpus="many-languages",
        left=replace(_GROWN, min_count=LARGEST),
        right=_GROWN,
        vocab_size=50_357,
        held_out=ITSELF,
    ),
}


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """One of the two trainings that are compared.

    `run`: the training. The page compares its last stage. `cost`: what the held-out text costs with the vocabulary at
    each step of that stage.
    """

    title: str
    run: Run
    cost: CostCurve

    @property
    def stage(self) -> Stage:
        """The record of the training's last stage."""
        return self.run.stages[-1]

    @cached_property
    def glyph(self) -> str:
        """The character that stands for the side's word marker on the screen."""
        return glyph_of(self.stage.settings.word_marker, self.stage.tokens)

    def at(self, step: int) -> int:
        """Return the step that this side shows at `step` of the comparison: at most the side's last step."""
        return min(step, self.stage.steps)

    @cached_property
    def characters(self) -> int:
        """The number of characters of the corpus that are in the side's pretokens."""
        return sum(
            len(word) * n for word, n in zip(self.stage.pretokens, self.stage.pretoken_counts.tolist(), strict=True)
        )

    @property
    def has_whole_pretokens(self) -> bool:
        """Whether the last step leaves no boundary inside a pretoken of the corpus: each is one token."""
        return int(self.stage.corpus_tokens[-1]) == int(self.stage.pretoken_counts.sum())

    @property
    def loses(self) -> bool:
        """Whether the side's pretokenizer may throw away characters."""
        return not self.stage.settings.splitter.lossless

    def step_of(self, token: bytes, step: int) -> int | None:
        """Return the step that made a token, or None if no step up to `step` made it."""
        made = self.stage.ids.get(token, -1) - self.stage.base + 1
        return made if 0 < made <= self.at(step) else None

    @cached_property
    def made_before(self) -> list[bytes]:
        """The tokens of the training's earlier stages, whose merges stay within words."""
        return [merge.token for merge in self.run.merges[: self.run.begins[-1]]]

    def made(self, step: int) -> list[bytes]:
        """Return the tokens of earlier stages, then the tokens that the merges up to `step` made, in merge order."""
        return [*self.made_before, *(merge.token for merge in self.stage.merges[: self.at(step)])]

    @property
    def begun_with(self) -> tuple[bytes, ...]:
        """The tokens of the vocabulary that the training started from; () if the training started from the alphabet."""
        return self.run.start.tokens if self.run.start is not None else ()


Sides = tuple[ComparedRun, ComparedRun]


def split_figures(side: ComparedRun, length: int) -> list[tuple[str, str, str]]:
    """Return figures about a side's split of the corpus, as `elements.figures` takes them.

    `length`: how many characters the corpus has.
    """
    counts, characters = side.stage.pretoken_counts, side.characters
    return [
        (f"{int(counts.sum()):,}", "pretokens", "What the text is split into; no merge crosses the end of one."),
        (f"{len(counts):,}", "different", "How many of them differ; training counts each once."),
        (
            f"{characters / max(int(counts.sum()), 1):,.2f}",
            "average length",
            "The average length of a pretoken, in characters.",
        ),
        (f"{length - characters:,}", "thrown away", _LOST[side.stage.settings.word_marker == "none"]),
    ]


def cost_figures(side: ComparedRun, step: int) -> list[tuple[str, str, str]]:
    """Return figures about the cost of the held-out text at a step, as `elements.figures` takes them."""
    curve, at = side.cost, side.at(step)
    cost = curve.at(at)
    each, whole = curve.per_word[at], curve.whole[at] / max(curve.words, 1)
    return [
        (f"{cost.tokens:,}", "tokens", "What the held-out text becomes."),
        (f"{cost.each:.2f}", "characters each", "Characters that the tokens give back, divided by tokens."),
        (f"{cost.lost:,}", "lost", "Characters that the tokens do not give back: thrown away, or not known."),
        (f"{each:.2f}" if each > 0 else "–", "tokens per word", f"How many tokens reach into a word. {MEANING}"),
        (percent(whole), "of words in one token", f"Words that no token boundary cuts. {MEANING}"),
    ]


def vocabularies(sides: Sides, step: int, find: str = "", spaces: bool = True) -> dict[str, list[bytes]]:
    """Return three lists of the tokens made up to `step`, by title: only on the left, on both sides, only on the right.

    A token that one side made and the other side started from counts as on both sides. Each list is in the order of the
    merges. `spaces`: whether tokens that differ only in the spaces and word markers around them count as different. If
    `spaces` is false, a list has only the first of such tokens.
    """
    one, other = (distinct(side.made(step), spaces) for side in sides)
    begun_with, others = ({_compared(token, spaces) for token in side.begun_with} for side in sides)
    split = {
        f"Only {sides[0].title}": [token for text, token in one.items() if text not in other and text not in others],
        "Both": [
            *(token for text, token in one.items() if text in other or text in others),
            *(token for text, token in other.items() if text not in one and text in begun_with),
        ],
        f"Only {sides[1].title}": [
            token for text, token in other.items() if text not in one and text not in begun_with
        ],
    }
    glyph = shared_glyph(sides)
    return {title: [token for token in tokens if has(token, find, glyph)] for title, tokens in split.items()}


def shared_glyph(sides: Sides) -> str:
    """Return the sign of the word marker in a list of both sides' tokens; "" if neither side has a marker."""
    return sides[0].glyph or sides[1].glyph


def distinct(tokens: Iterable[bytes], spaces: bool) -> dict[bytes, bytes]:
    """Return the different tokens. Of the tokens that `vocabularies` counts as equal, return only the first.

    The keys are the bytes that `vocabularies` compares. `spaces`: see `vocabularies`.

    >>> distinct([b" dog", b"dog"], spaces=False)
    {b'dog': b' dog'}
    """
    found: dict[bytes, bytes] = {}
    for token in tokens:
        found.setdefault(_compared(token, spaces), token)
    return found


def _compared(token: bytes, spaces: bool) -> bytes:
    """Return a token as `vocabularies` compares it."""
    return token if spaces else token.replace(MARKER, b"").strip(b" ") or token


def mixtures(sides: Sides, step: int) -> dict[str, tuple[list[bytes], list[bytes]]]:
    """Return each side's tokens that mix kinds of characters, by the kind of mixture: a key of `MIXTURES`.

    A kind without tokens is left out.
    """
    found: dict[str, tuple[list[bytes], list[bytes]]] = {kind: ([], []) for kind in MIXTURES}
    for number, side in enumerate(sides):
        for token in side.made(step):
            if kind := mixture(token):
                found[kind][number].append(token)
    return {kind: both for kind, both in found.items() if any(both)}
