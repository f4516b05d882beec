"""The timeline of a training in stages: a film shows one stage, and the others are blocks before and after it.

    GPT-2            Within words         Across words
    829 of 50,000    50 merges            step 53 of 100
    a block          a block              the stage that is shown

Each stage has a record of its own (see `run_training`), and so a film of its own. Its steps count through the
stages. A reader enters a block, and the source answers with the film of that stage. A start is the tokenizer that a
training begins with. The start's own corpus is not known, so the start's film has only the merges that the words need
(see `start_merges`), and its steps are numbered separately.
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.pictures.shared.cache import cached
from bpe_core.pictures.shared.training_in_words import start_title
from bpe_core.record.run import Run, Stage
from bpe_core.record.start_merges import ranks_needed
from bpe_core.text.in_words import counted


class Block(NamedTuple):
    """A stage of a training. `size`: its number of merges, as text. `stage`: its index, from 0.

    `first`, `last`: its first and its last step. `about`: a sentence that explains the size, shown when a reader points
    at the block.
    """

    title: str
    size: str
    first: int
    last: int
    stage: int
    about: str


class Timeline(NamedTuple):
    """The stages before and after the shown stage. `title`: the name of the shown stage, such as "new merges"."""

    title: str
    before: tuple[Block, ...]
    after: tuple[Block, ...]


def blocks(run: Run) -> list[Block]:
    """Return a training's stages, first the tokenizer that it starts from, if any.

    >>> from bpe_core import Settings, train
    >>> for block in blocks(train("to be to be", Settings(vocab_size=259, then_across_words_from=257))):
    ...     print(block[:5])
    ('Within words', '1 merge', 0, 1, 0)
    ('Across words', '2 merges', 1, 3, 1)
    """
    begun = []
    if run.start is not None:
        first = run.stages[0]
        needed = len(cached(first, "ranks needed", lambda: ranks_needed(first)))
        title = start_title(run)
        every = run.merges_before
        about = f"The {needed:,} of {title}'s {every:,} merges that this text needs: press to step through them."
        begun = [Block(title[0].upper() + title[1:], f"{needed:,} of {every:,}", 0, needed, 0, about)]
    stages = zip(_titles(run.stages), run.begins, run.stages, strict=True)
    about = "Press to step through this stage."
    return begun + [
        Block(title, counted(stage.steps, "merge"), begin, begin + stage.steps, number, about)
        for number, (title, begin, stage) in enumerate(stages, len(begun))
    ]


def timeline(run: Run, shown: int) -> Timeline | None:
    """Return the timeline of a training; None for a training with only one stage.

    `shown`: the index in `blocks` of the stage that is shown.

    >>> from bpe_core import Settings, train
    >>> timeline(train("rot", Settings(vocab_size=50_257, start="gpt2")), 1)
    ... # doctest: +NORMALIZE_WHITESPACE
    Timeline(title='new merges',
             before=(Block(title='GPT-2', size='2 of 50,000', first=0, last=2, stage=0,
                           about="The 2 of GPT-2's 50,000 merges that this text needs: press to step through them."),),
             after=())
    """
    every = blocks(run)
    if len(every) == 1:
        return None
    is_start = shown < len(every) - len(run.stages)
    title = f"merges of {start_title(run)}" if is_start else every[shown].title.lower()
    return Timeline(title, tuple(every[:shown]), tuple(every[shown + 1 :]))


def _titles(stages: tuple[Stage, ...]) -> list[str]:
    unit = stages[0].settings.splitter.unit
    return [f"Within {unit}s", f"Across {unit}s"] if len(stages) > 1 else ["New merges"]
