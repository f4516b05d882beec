"""The timeline of a training in stages: a film shows one stage, and the others are blocks before and after it.

    GPT-2            Within words         Across words
    50,000 merges    50 merges            step 3 of 50
    a block          a block              the stage that is shown

Each stage has a record of its own (see `recording`), so each has a film of its own. A reader enters a block, and the
source answers with the film of that stage. The merges of a start are known, but not the text that taught them: its
block cannot be entered.
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.record.run import Record, Run
from bpe_core.settings import STARTS


class Block(NamedTuple):
    """A stage that is not shown. `stage`: its index in `Run.stages`; None for a start, which cannot be entered."""

    title: str
    merges: int
    stage: int | None


class Timeline(NamedTuple):
    """The blocks before and after the stage that is shown. `title`: of that stage, for the end of a phrase."""

    title: str
    before: tuple[Block, ...]
    after: tuple[Block, ...]


def timeline(last: Run, shown: Run) -> Timeline | None:
    """Return the timeline of a training. `last`: the run of its last stage; `shown`: of the stage that is shown.

    Return None for a training of one stage that started from bytes or characters.

    >>> from bpe_core import Settings, train
    >>> run = train("to be to be", Settings(vocab_size=259, then_across_words_from=257))
    >>> timeline(run, run)
    Timeline(title='across words', before=(Block(title='Within words', merges=1, stage=0),), after=())
    """
    runs = last.stages
    start = runs[0].start
    if len(runs) == 1 and start is None:
        return None
    titles = _titles(runs)
    blocks = [Block(title, run.steps, stage) for stage, (title, run) in enumerate(zip(titles, runs, strict=True))]
    published = (Block(start_title(runs[0]) or "The start", len(start.merges), None),) if start is not None else ()
    at = next(stage for stage, run in enumerate(runs) if run is shown)
    return Timeline(blocks[at].title.lower(), (*published, *blocks[:at]), tuple(blocks[at + 1 :]))


def _titles(runs: tuple[Run, ...]) -> list[str]:
    """Return the titles of stages; a stage alone needs none."""
    unit = runs[0].settings.splitter.unit
    return [f"Within {unit}s", f"Across {unit}s"] if len(runs) > 1 else [""]


def start_title(run: Record) -> str:
    """Return the title of the published vocabulary that a training started from; "" for another tokenizer.

    >>> from bpe_core import Settings, load, train
    >>> start_title(train("a parrot", Settings(vocab_size=50_257, start="gpt2")))
    'GPT-2'
    >>> start_title(train("a parrot", Settings(vocab_size=50_257), start=load("gpt2")))
    ''
    """
    asked = run.asked if isinstance(run, Run) and run.asked else run.settings
    return "" if asked.start == "none" else STARTS[asked.start].removeprefix("the tokens of ")
