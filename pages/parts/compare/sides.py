"""Two trainings on one text, side by side, as figures and tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import NORMALIZERS, Run, Settings
from bpe_core.display.token_text import glyph_of, has
from bpe_core.text.alphabet import MARKER
from bpe_core.tokenizer.cost_curve import CostCurve
from bpe_core.tokenizer.mixed_tokens import MIXTURES, mixture

SAMPLE = 1_000  # characters of a text whose split is shown
CONTRACTION = "a contraction"  # which pretokenizers mean to keep

_LOST = (
    "What the split throws away. Decoding puts one space between words instead",
    "What the split throws away: decoding cannot give it back",
)
EXAMPLES = {
    "my dog. your dog.": {},
    "The same, not split": {"left_pretokenizer": "none"},
    "one dog. one dinosaur.": {"corpus": "one-dinosaur", "left_pretokenizer": "none"},
    "A short story": {
        "corpus": "short-story",
        "left_alphabet": "bytes",
        "right_alphabet": "bytes",
        "vocab_size": 600,
        "view": "vocabularies",
    },
}


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two trainings, and what the held-out text costs under it."""

    title: str
    run: Run
    held: CostCurve

    @property
    def glyph(self) -> str:
        """How its word marker is drawn."""
        return glyph_of(self.run.settings.word_marker)

    def at(self, step: int) -> int:
        """The step of this side when the other is at `step`: its last one where it has ended."""
        return min(step, self.run.steps)

    @cached_property
    def kept(self) -> int:
        """How many characters of the corpus are in some pretoken."""
        return sum(len(word) * n for word, n in zip(self.run.pretokens, self.run.pretoken_counts.tolist(), strict=True))

    @property
    def loses(self) -> bool:
        """Whether its pretokenizer drops any of the text."""
        return not self.run.settings.splitter.lossless

    def step_of(self, token: bytes, step: int) -> int | None:
        """The step that made a token, if it is one of the steps up to `step`."""
        made = self.run.ids.get(token, -1) - self.run.base + 1
        return made if 0 < made <= self.at(step) else None

    def made(self, step: int) -> list[bytes]:
        """The tokens that the merges up to `step` made, in order."""
        return [merge.token for merge in self.run.merges[: self.at(step)]]


Sides = tuple[Side, Side]


def titles(left: Settings, right: Settings) -> tuple[str, str]:
    """What tells the two apart: the pretokenizers, and the settings in which they differ.

    >>> titles(Settings("gpt2", "bytes"), Settings("gpt2", "characters"))
    ('GPT-2, bytes', 'GPT-2, characters')
    """
    names = [[side.splitter.title] for side in (left, right)]
    if left.normalizers != right.normalizers:
        for name, side in zip(names, (left, right), strict=True):
            name.append(" + ".join(NORMALIZERS[key].title for key in side.normalizers) or "not normalized")
    for field, said in (("alphabet", "{}"), ("word_marker", "marker: {}"), ("tie_rule", "ties: {}")):
        values = [getattr(side, field) for side in (left, right)]
        if values[0] != values[1]:
            for name, value in zip(names, values, strict=True):
                name.append(said.format(value.replace("-", " ")))
    one, other = (", ".join(name) for name in names)
    return (one, other) if one != other else (f"{one} (left)", f"{other} (right)")


def split_figures(side: Side, length: int) -> list[tuple[str, str, str]]:
    """The split of a text of `length` characters in figures: (value, what it is, what that means)."""
    counts, kept = side.run.pretoken_counts, side.kept
    return [
        (f"{int(counts.sum()):,}", "pretokens", "What the text is split into; no merge crosses the end of one"),
        (f"{len(counts):,}", "different", "How many of them differ; training counts each once"),
        (f"{kept / max(int(counts.sum()), 1):,.2f}", "characters each", "The average length of a pretoken"),
        (f"{length - kept:,}", "characters thrown away", _LOST[side.run.settings.word_marker == "none"]),
    ]


def held_figures(side: Side, step: int) -> list[tuple[str, str, str]]:
    """What the held-out text costs at a step: (value, what it is, what that means)."""
    held, at = side.held, side.at(step)
    tokens = int(held.tokens[at])
    each, whole = tokens / max(held.spaced, 1), held.whole[at] / max(held.words, 1)
    return [
        (f"{tokens:,}", "tokens", "What the held-out text becomes"),
        (f"{held.size / max(tokens, 1):.2f}", "bytes per token", "Bytes that the split keeps, divided by tokens"),
        (
            f"{each:.2f}",
            "tokens per word",
            "Tokens divided by words; a word is what stands between white space: isn't is one",
        ),
        (f"{whole:.0%}", "letter runs whole", "Runs of letters that are one token each; isn't has two runs, isn and t"),
    ]


def vocabularies(sides: Sides, step: int, find: str = "", spaces: bool = True) -> dict[str, list[bytes]]:
    """The tokens made up to `step`: only on the left, on both sides, only on the right; in the order of creation.

    `spaces`: whether a token with a space or a word marker around it is another than the same without.
    """
    one, other = (dict.fromkeys(side.made(step)) for side in sides)
    texts = [{_named(token, spaces) for token in tokens} for tokens in (one, other)]
    split = {
        f"Only {sides[0].title}": [token for token in one if _named(token, spaces) not in texts[1]],
        "Both": [token for token in one if _named(token, spaces) in texts[1]],
        f"Only {sides[1].title}": [token for token in other if _named(token, spaces) not in texts[0]],
    }
    return {title: [token for token in tokens if has(token, find, sides[0].glyph)] for title, tokens in split.items()}


def _named(token: bytes, spaces: bool) -> bytes:
    return token if spaces else token.replace(MARKER, b"").strip(b" ") or token


def unwanted(token: bytes) -> str:
    """What a token mixes that splitting into words would keep apart; "" for none. Contractions are meant to be."""
    kind = mixture(token)
    return "" if kind == CONTRACTION else kind


def mixtures(sides: Sides, step: int) -> dict[str, tuple[list[bytes], list[bytes]]]:
    """The tokens of each side that are mixtures, by what they mix; kinds that neither has are left out."""
    found: dict[str, tuple[list[bytes], list[bytes]]] = {kind: ([], []) for kind in MIXTURES}
    for place, side in enumerate(sides):
        for token in side.made(step):
            if kind := mixture(token):
                found[kind][place].append(token)
    return {kind: both for kind, both in found.items() if any(both)}
