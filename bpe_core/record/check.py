"""Checks that recompute a step of a run from scratch: nobody has to trust the fast algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, NamedTuple

from bpe_core import reference
from bpe_core.record.run import Run, Stage
from bpe_core.settings import ForcedPairError
from bpe_core.text.alphabet import MARKER, symbols_of
from bpe_core.text.in_words import counted, times
from bpe_core.ties import TIE_RULES

SECONDS = 4.0  # after this time the check by the textbook algorithm, which is slow, stops


class Finding(NamedTuple):
    """The result of one check: the claim, whether the claim holds, and the figures or the first difference.

    `finished`: whether all steps were checked before the time was up.
    """

    claim: str
    holds: bool
    figures: str
    finished: bool = True


def check(run: Run, step: int) -> list[Finding]:
    """Recompute a step's bytes, its pair counts, and, by the textbook algorithm, every step of its stage up to it.

    The textbook algorithm also decides every tie by the tie rule of the settings. A forced pair may be any pair of a
    tie; the claim about the textbook algorithm does not hold if another pair had a higher count.

    >>> from bpe_core import Settings, train
    >>> [finding.holds for finding in check(train("low lower", Settings("whitespace", vocab_size=258)), 2)]
    [True, True, True]
    """
    stage, own = run.at(step)
    return [_bytes(stage, own), _pairs(stage, own), _textbook(stage, own, step - own)]


def check_choices(run: Run) -> None:
    """Raise `ForcedPairError` for the first forced pair that the settings would not let a training choose at its step.

    Such a pair is not tied for the highest count, is seen less often than `min_count`, or comes after the last step.

    >>> from bpe_core import Settings, train
    >>> check_choices(train("low low lower", Settings(vocab_size=258, forced={1: (b"o", b"w")})))
    >>> check_choices(train("low low lower", Settings(vocab_size=258, forced={1: (b"e", b"r")})))
    Traceback (most recent call last):
        ...
    bpe_core.settings.ForcedPairError: the pair e + r, chosen for step 1, is not tied for the highest count there
    """
    for step, pair in sorted(run.settings.forced.items()):
        if step > run.steps:
            raise ForcedPairError.of(pair, step, f"comes after the last step, {run.steps:,}")
        stage, before = run.at(step - 1)
        _, counts = stage.history.most_frequent(before, 1)
        if stage.lifetimes.counts[before] < counts.max():
            raise ForcedPairError.of(pair, step, "is not tied for the highest count there")
        if counts.max() < run.settings.min_count:
            raise ForcedPairError.of(pair, step, f"is seen less often than {run.settings.min_count:,} times there")


def _bytes(stage: Stage, step: int) -> Finding:
    claim = "The tokens joined are the corpus"
    settings, size = stage.settings, 0
    for word, (tokens, count) in zip(stage.pretokens, stage.words(step), strict=True):
        raw = b"".join(symbols_of(word, settings.alphabet, settings.word_marker))
        if b"".join(tokens) != raw:
            return Finding(claim, False, f"{raw!r} became {tokens!r}")
        size += len(raw.replace(MARKER, b"")) * count
    return Finding(claim, True, f"{counted(len(stage.pretokens), 'different word')}, {counted(size, 'byte')} in all")


def _pairs(stage: Stage, step: int) -> Finding:
    claim = "The pairs counted again are the pairs shown"
    counts = reference.count_pairs(dict(stage.words(step)))
    shown = {(left, right): count for left, right, count in stage.pair_counts(step)}
    for pair in counts.keys() | shown.keys():
        if counts.get(pair, 0) != shown.get(pair, 0):
            return Finding(claim, False, f"{pair!r}: counted {counts.get(pair, 0):,}, shown {shown.get(pair, 0):,}")
    return Finding(claim, True, f"{counted(len(counts), 'pair')}, {counted(sum(counts.values()), 'occurrence')}")


def _textbook(stage: Stage, step: int, begin: int) -> Finding:
    """Replay a stage up to its own step `step`. `begin`: the step of the run at which the stage begins."""
    claim = (
        "The textbook algorithm comes to the same corpus, every merge had the highest count, and every tie went to "
        f"{'your pair or to ' if stage.settings.forced else ''}{TIE_RULES[stage.settings.tie_rule].picks}"
    )
    end = monotonic() + SECONDS
    steps = counted(step, "step")
    ties = 0
    for done, words, tied, problem in _replay(stage, step, begin):
        ties += tied
        if problem:
            return Finding(claim, False, problem)
        if done == step:
            same = words == dict(stage.words(step))
            figures = f"{steps}, {ties:,} with a tie" if same else f"the words differ after step {begin + step:,}"
            return Finding(claim, same, figures)
        if monotonic() > end:
            same = words == dict(stage.words(done))
            return Finding(claim, same, f"only the first {done:,} of {steps}, in {SECONDS:g} seconds", False)
    return Finding(claim, False, "the textbook algorithm found no pair to join")


def _in_symbols(stage: Stage) -> dict[reference.Word, int]:
    """Split the words of a training into base symbols, from the words' text; for a training from the alphabet."""
    counts = zip(stage.pretokens, stage.pretoken_counts.tolist(), strict=True)
    return {symbols_of(word, stage.settings.alphabet, stage.settings.word_marker): count for word, count in counts}


def _replay(stage: Stage, step: int, begin: int) -> Iterator[tuple[int, dict[reference.Word, int], bool, str]]:
    """Join the stage's merges one by one. Yield (steps done, the words after them, was it a tie, the problem or "")."""
    words = dict(stage.words(0)) if stage.start is not None else _in_symbols(stage)
    yield 0, words, False, ""
    for done, merge in enumerate(stage.merges[:step], 1):
        counts, pair, problem = reference.count_pairs(words), (merge.left, merge.right), ""
        best = max(counts.values(), default=0)
        tied = [each for each, count in counts.items() if count == best]
        if counts.get(pair) != merge.count or merge.count < best:
            problem = f"{pair!r} occurs {times(counts.get(pair, 0))}, the best pair {times(best)}"
        elif done not in stage.settings.forced and pair != (by_rule := _by_rule(stage, tied)):
            problem = f"{len(tied):,} pairs occur {times(best)}, and the rule takes {by_rule!r}, not {pair!r}"
        words = _joined(words, pair, TIE_RULES[stage.settings.tie_rule].moves_words)
        yield done, words, len(tied) > 1, problem and f"step {begin + done:,}: {problem}"


def _by_rule(stage: Stage, tied: list[reference.Pair]) -> reference.Pair:
    """Return the pair that the tie rule takes. `tied`: the pairs in the order in which they are first seen."""
    key, alphabet = TIE_RULES[stage.settings.tie_rule].name_key, stage.settings.alphabet
    if key is None:
        return tied[0]
    names: dict[bytes, Any] = {half: key(alphabet, stage.ids[half], half) for pair in tied for half in pair}
    return min(tied, key=lambda pair: (names[pair[0]], names[pair[1]]))


def _joined(words: dict[reference.Word, int], pair: reference.Pair, moves_words: bool) -> dict[reference.Word, int]:
    """Join a pair in every word. `moves_words`: the words that change move to the end."""
    joined = reference.join_in_all(words, pair)
    if not moves_words:
        return joined
    return dict(sorted(joined.items(), key=lambda each: each[0] not in words))
