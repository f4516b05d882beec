"""The timeline of a training in stages: a film shows one stage, and the others are blocks before and after it.

    GPT-2            Within words         Across words
    829 of 50,000    50 merges            step 3 of 50
    a block          a block              the stage that is shown

Each stage has a record of its own (see `run_training`), and so a film of its own. A reader enters a block, and the
source answers with the film of that stage. A start is the tokenizer that a training begins with. The start's own
corpus is not known, so the start's film has only the merges that the words need (see `start_merges`).
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.pictures.shared.cache import cached
from bpe_core.pictures.shared.in_words import counted
from bpe_core.record.run import Record, Run
from bpe_core.record.start_merges import ranks_needed, start_merges
from bpe_core.settings import GIVEN, STARTS


class Block(NamedTuple):
    """A stage of a training. `size`: its number of merges, as text. `last`: its last step. `stage`: its index, from 0.

    `about`: a sentence that explains the size, shown when a reader points at the block.
    """

    title: str
    size: str
    last: int
    stage: int
    about: str


class Timeline(NamedTuple):
    """The stages before and after the shown stage. `title`: the name of the shown stage, such as "new merges"."""

    title: str
    before: tuple[Block, ...]
    after: tuple[Block, ...]


def blocks(run: Run) -> list[Block]:
    """Return a training's stages, first the tokenizer that it starts from, if any. `run`: the run of the last stage.

    >>> from bpe_core import Settings, train
    >>> for block in blocks(train("to be to be", Settings(vocab_size=259, then_across_words_from=257))):
    ...     print(block[:4])
    ('Within words', '1 merge', 1, 0)
    ('Across words', '2 merges', 2, 1)
    """
    first = run.stages[0]
    begun = []
    if first.start is not None:
        needed = len(cached(first, "ranks needed", lambda: ranks_needed(first)))
        title = start_title(first)
        every = len(first.start.merges)
        about = f"The {needed:,} of {title}'s {every:,} merges that this text needs: press to step through them."
        begun = [Block(title[0].upper() + title[1:], f"{needed:,} of {every:,}", needed, 0, about)]
    stages = zip(_titles(run.stages), run.stages, strict=True)
    return begun + [
        Block(title, counted(stage.steps, "merge"), stage.steps, number, "Press to step through this stage.")
        for number, (title, stage) in enumerate(stages, len(begun))
    ]


def timeline(run: Run, shown: int) -> Timeline | None:
    """Return the timeline of a training; None for a training with only one stage.

    `run`: the run of the last stage. `shown`: the index of the stage that is shown.

    >>> from bpe_core import Settings, train
    >>> timeline(train("rot", Settings(vocab_size=50_257, start="gpt2")), 1)
    ... # doctest: +NORMALIZE_WHITESPACE
    Timeline(title='new merges',
             before=(Block(title='GPT-2', size='2 of 50,000', last=2, stage=0,
                           about="The 2 of GPT-2's 50,000 merges that this text needs: press to step through them."),),
             after=())
    """
    every = blocks(run)
    if len(every) == 1:
        return None
    is_start = shown < len(every) - len(run.stages)
    title = f"merges of {start_title(run.stages[0])}" if is_start else every[shown].title.lower()
    return Timeline(title, tuple(every[:shown]), tuple(every[shown + 1 :]))


def record_of(run: Run, stage: int) -> Record:
    """Return the record of a stage. `run`: the run of the last stage. `stage`: the index of the stage in `blocks`."""
    number = stage - (run.stages[0].start is not None)
    return start_merges(run.stages[0]) if number < 0 else run.stages[number]


def _titles(runs: tuple[Run, ...]) -> list[str]:
    unit = runs[0].settings.splitter.unit
    return [f"Within {unit}s", f"Across {unit}s"] if len(runs) > 1 else ["New merges"]


def start_title(run: Record) -> str:
    """Return the name of the tokenizer that a training started from; "the start" if it has no name.

    >>> from bpe_core import Settings, load, train
    >>> start_title(train("a parrot", Settings(vocab_size=50_257, start="gpt2")))
    'GPT-2'
    >>> start_title(train("a parrot", Settings(vocab_size=50_257), start=load("gpt2")))
    'the start'
    """
    asked = run.asked if isinstance(run, Run) and run.asked else run.settings
    named = asked.starts_from not in (STARTS["none"], STARTS[GIVEN])
    return asked.starts_from.removeprefix("the tokens of ") if named else "the start"
