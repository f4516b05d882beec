"""Sentences about the moment before the first merge of a training, or of a stage: what its words are made of."""

from __future__ import annotations

from bpe_core.record.frames import freed_pairs
from bpe_core.record.run import Run, Stage
from bpe_core.settings import GIVEN, STARTS
from bpe_core.text.in_words import counted

_WHERE = {"line": "a line", "none": "the text"}  # what merges across words stay inside, by pretokenizer


def start_title(run: Run) -> str:
    """Return the name of the tokenizer that a training started from; "the start" if it has no name.

    >>> from bpe_core import Settings, load, train
    >>> start_title(train("a parrot", Settings(vocab_size=50_257, start="gpt2")))
    'GPT-2'
    >>> start_title(train("a parrot", Settings(vocab_size=50_257), start=load("gpt2")))
    'the start'
    """
    named = run.settings.starts_from not in (STARTS["none"], STARTS[GIVEN])
    return run.settings.starts_from.removeprefix("the tokens of ") if named else "the start"


def unmerged(unit: str) -> str:
    """Return a sentence: before any merge, every word is split into symbols. `unit`: the noun for a word.

    >>> unmerged("line")
    'Before any merge: every line is split into single symbols.'
    """
    return f"Before any merge: every {unit} is split into single symbols."


def first_sentence(run: Run, number: int = 0) -> str:
    """Return a sentence about the first step of a stage: what the words are made of, or what has changed.

    `number`: the index of the stage in `run.stages`.

    >>> from bpe_core import Settings, train
    >>> first_sentence(train("a parrot", Settings(vocab_size=50257, start="gpt2")))
    'Before any new merge: every word is written in the tokens of GPT-2.'
    >>> print(first_sentence(train("to be to be", Settings(vocab_size=259, then_across_words_from=257)), 1))
    ... # doctest: +NORMALIZE_WHITESPACE
    The walls between words have fallen: from here merges may join any tokens that touch in a line, and 2 pairs that
    were blocked are candidates now. The text has 9 tokens.
    """
    stage = run.stages[number]
    if run.settings.then_across_words_from and number == len(run.stages) - 1:
        return _walls_fallen(stage, run.stages[number - 1] if number else None, run.start is not None)
    unit = stage.settings.splitter.unit
    if run.start is None:
        return unmerged(unit)
    return f"Before any new merge: every {unit} is written in the tokens of {start_title(run)}."


def _walls_fallen(run: Stage, first: Stage | None, grown: bool) -> str:
    """Return what changes when the stage of merges across words begins.

    `first`: the stage before, if any. `grown`: whether the training started from a tokenizer.
    """
    unit = first.settings.splitter.unit if first else "word"
    where = _WHERE.get(run.settings.pretokenizer, f"a pretoken of {run.settings.splitter.title}")
    freed = len(freed_pairs(first, run))
    were = "was blocked is a candidate" if freed == 1 else "were blocked are candidates"
    candidates = f", and {counted(freed, 'pair')} that {were} now" if freed else ""
    now = int(run.corpus_tokens[0])
    was = int(first.corpus_tokens[-1]) if first else now
    within = f"; within {unit}s it had {was:,}" if was != now else ""
    own = " Texts are split so from here on: some have other tokens than with the start, whose ids stay."
    fallen = f"The walls between {unit}s have fallen: from here merges may join any tokens that touch in {where}"
    return f"{fallen}{candidates}. The text has {counted(now, 'token')}{within}.{own if grown else ''}"
