"""A training in words: its settings, those in which two trainings differ, and what is there before the first merge."""

from __future__ import annotations

from bpe_core.pictures.shared.token_text import shortened
from bpe_core.record.frames import freed_pairs
from bpe_core.record.run import Run, Stage
from bpe_core.settings import GIVEN, SETTINGS, STARTS, Settings
from bpe_core.text.in_words import counted
from bpe_core.text.normalizers import NORMALIZERS

NEVER_SEEN = 1_000_000  # a `min_count` that no pair reaches: the training keeps the tokenizer it starts from
NAMED = 5  # chosen pairs that a sentence names
_ALWAYS = ("pretokenizer", "vocab_size")  # shown even if they are the defaults
_TITLES = {"alphabet": "{}", "word_marker": "marker: {}", "tie_rule": "ties: {}", "vocab_size": "{:,} tokens"}


def settings_in_words(settings: Settings) -> str:
    """Return the pretokenizer, the vocabulary size, and every other setting that differs from its default.

    >>> settings_in_words(Settings("whitespace", "characters", "end", vocab_size=40))
    'Split by: Whitespace · Alphabet: characters · Word marker: end · Vocabulary size: 40'
    """
    usual, found = Settings(), []
    for name, row in SETTINGS.items():
        chosen = getattr(settings, name)
        if name in _ALWAYS or (chosen != getattr(usual, name) and name != "forced"):
            options = getattr(row.kind, "options", {}) if name == "pretokenizer" else {}
            value = options[chosen].title if chosen in options else row.kind.write(chosen)
            found.append(f"{row.title.removesuffix(' …')}: {value}")
    return " · ".join(found)


def chosen_in_words(settings: Settings, glyph: str = "_") -> str:
    """Return a sentence that names the first pairs of `forced`; "" if there are none.

    >>> chosen_in_words(Settings(forced={9: (b"w", b"i"), 3: (b"es", b"t")}))
    'Chosen by hand, not by the rule: es + t at step 3, w + i at step 9.'
    """
    pairs = sorted(settings.forced.items())
    named = [
        f"{' + '.join(shortened(half, glyph, 30) for half in pair)} at step {step:,}" for step, pair in pairs[:NAMED]
    ]
    rest = [f"and {counted(len(pairs) - NAMED, 'more pair')}"] if len(pairs) > NAMED else []
    return f"Chosen by hand, not by the rule: {', '.join([*named, *rest])}." if pairs else ""


def side_titles(left: Settings, right: Settings) -> tuple[str, str]:
    """Return a title for each of two trainings, the one name that pages, pictures and files have for it.

    A title has the training's split, and the training's value of each setting in which the two differ. Only a training
    that keeps a tokenizer as it is has the tokenizer's name.

    >>> side_titles(Settings("gpt2", "bytes"), Settings("gpt2", "characters"))
    ('GPT-2’s split, bytes', 'GPT-2’s split, characters')
    >>> side_titles(Settings(), Settings(start="gpt2", vocab_size=50257, min_count=NEVER_SEEN))[1]
    'GPT-2, 50,257 tokens, as it is'
    """
    names = [
        [side.starts_from.removeprefix("the tokens of ") if _is_as_published(side) else side.splitter.split_name]
        for side in (left, right)
    ]
    if left.normalizers != right.normalizers:
        for name, side in zip(names, (left, right), strict=True):
            name.append(" + ".join(NORMALIZERS[key].title for key in side.normalizers) or "not normalized")
    for field, title in _TITLES.items():
        values = [getattr(side, field) for side in (left, right)]
        if values[0] != values[1]:
            for name, value in zip(names, values, strict=True):
                name.append(title.format(value.replace("-", " ") if isinstance(value, str) else value))
    growth = [_growth(side) for side in (left, right)]
    if growth[0] != growth[1]:
        names = [[*name, how] for name, how in zip(names, growth, strict=True)]
    one, other = (", ".join(name) for name in names)
    return (one, other) if one != other else (f"{one} (left)", f"{other} (right)")


def _growth(settings: Settings) -> str:
    """Return whether a training begins with another tokenizer, and whether its merges may later cross words.

    >>> _growth(Settings()), _growth(Settings(then_across_words_from=500))
    ('within words', 'across words from 500')
    >>> _growth(Settings(start="gpt2", vocab_size=50357, min_count=NEVER_SEEN))
    'as it is'
    """
    if settings.then_across_words_from:
        return f"across words from {settings.then_across_words_from:,}"
    if settings.start == "none":
        return "within words"
    return "as it is" if _is_as_published(settings) else f"grown from {settings.starts_from}"


def _is_as_published(settings: Settings) -> bool:
    """Return whether a training keeps the tokenizer that it starts from, and learns nothing."""
    return settings.start != "none" and settings.min_count == NEVER_SEEN


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


def _walls_fallen(stage: Stage, first: Stage | None, grown: bool) -> str:
    """Return what changes when the stage of merges across words begins.

    `first`: the stage before, if any. `grown`: whether the training started from a tokenizer.
    """
    unit = first.settings.splitter.unit if first else "word"
    where = _WHERE.get(stage.settings.pretokenizer, f"a pretoken of {stage.settings.splitter.title}")
    freed = len(freed_pairs(first, stage))
    were = "was blocked is a candidate" if freed == 1 else "were blocked are candidates"
    candidates = f", and {counted(freed, 'pair')} that {were} now" if freed else ""
    now = int(stage.corpus_tokens[0])
    was = int(first.corpus_tokens[-1]) if first else now
    within = f"; within {unit}s it had {was:,}" if was != now else ""
    own = " Texts are split so from here on: some have other tokens than with the start, whose ids stay."
    fallen = f"The walls between {unit}s have fallen: from here merges may join any tokens that touch in {where}"
    return f"{fallen}{candidates}. The text has {counted(now, 'token')}{within}.{own if grown else ''}"
