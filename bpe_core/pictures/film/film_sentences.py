"""The sentences of a film: which pair a step joined, which pairs tied with that pair, what the next step joins.

A sentence is a list of parts, which sentence.js draws. A part is a text, a token by its id, or a word of the corpus.

    ["Step 1 joined ", {"token": 108}, " + ", {"token": 111}, " → ", {"token": 256, "new": True},
     ", seen 3 times: 2 in ", {"word": "low"}, " and in 1 more word", "."]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bpe_core.pictures.shared.token_text import shortened
from bpe_core.pictures.shared.training_in_words import unmerged
from bpe_core.record.frames import Frame
from bpe_core.record.record import Record
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, percent, times

Part = str | dict[str, int | bool | str]
NAMED = 3  # words that a sentence names
LONGEST = 3  # tokens of equal length that a summary names
LONG_WORD = 30  # characters of a word in a sentence


def token_part(token_id: int, new: bool = False) -> Part:
    """Return a token as a part of a sentence; `new`: whether the sentence's step made the token.

    >>> token_part(108), token_part(256, new=True)
    ({'token': 108}, {'token': 256, 'new': True})
    """
    return {"token": token_id, "new": True} if new else {"token": token_id}


def pair_parts(left: int, right: int) -> list[Part]:
    """Return two tokens with a + between them.

    >>> pair_parts(108, 111)
    [{'token': 108}, ' + ', {'token': 111}]
    """
    return [token_part(left), " + ", token_part(right)]


def length(sentence: Sequence[Any], lengths: Sequence[int] | np.ndarray) -> int:
    """Return about how many characters a sentence has. `lengths`: the length of each token, by id.

    >>> length(["Next: ", {"token": 1}, " in ", {"word": "low"}], [1, 4])
    17
    """
    return sum(
        len(part) if isinstance(part, str) else len(part["word"]) if "word" in part else int(lengths[part["token"]])
        for part in sentence
    )


def step_sentence(record: Record, frame: Frame, begin: int = 0) -> list[Part]:
    """Return a sentence: which pair the frame's step joined, and in which words the pair occurred.

    In aaaa the pair a + a occurs three times, and only two of these can be joined.

    `begin`: how many steps of the training came before the record's steps.
    """
    step = frame.step
    if not step:
        return [unmerged(record.settings.splitter.unit)]
    lifetimes = record.lifetimes
    count = int(lifetimes.counts[step - 1])
    made = record.base + step - 1
    head: list[Part] = [
        f"Step {begin + step:,} joined ",
        *pair_parts(*lifetimes.pair(step)),
        " → ",
        token_part(made, new=True),
    ]
    yours = [" This pair was chosen by hand."] if step in record.settings.forced else []
    words = counted_words(record, frame.parts, count, frame.changed, NAMED)
    joined = int(record.corpus_tokens[step - 1] - record.corpus_tokens[step])
    overlap = [f" They overlap: {joined:,} {'was' if joined == 1 else 'were'} joined."] if joined < count else []
    return [*head, f", seen {times(count)}: ", *words, ".", *overlap, *wanted(record, step), *yours]


def wanted(record: Record, step: int) -> list[Part]:
    """Return which sources wanted the pair of a step, the first first; an empty list for a training on a text.

    >>> from bpe_core import Settings, train
    >>> wanted(train({"en": "low low lower", "de": "los"}, Settings("whitespace", vocab_size=258)).stages[0], 1)
    [' Sources: ', '75% ', {'word': 'en'}, ', ', '25% ', {'word': 'de'}, '.']
    """
    if record.by_source is None:
        return []
    counts = record.ledger.merged[step - 1].tolist()
    rows = sorted(zip(counts, record.ledger.names, strict=True), key=lambda row: -row[0])
    shown = [(percent(count, sum(counts)), name) for count, name in rows[:NAMED] if count]
    sentence: list[Part] = []
    for text, name in shown:
        name = name if len(name) <= LONG_WORD else f"{name[: LONG_WORD - 1]}…"
        sentence += [", " if sentence else " Sources: ", f"{text} ", {"word": shortened(encode_text(name))}]
    more = sum(1 for count in counts if count) - len(shown)
    return [*sentence, f" and {counted(more, 'other')}." if more > 0 else "."] if sentence else []


def counted_words(
    record: Record, parts: tuple[tuple[int, int], ...], count: int, different: int, named: int
) -> list[Part]:
    """Return in which words a pair occurs, and how often: "6 in newest, 3 in widest".

    `count`: how often the pair occurs in the corpus. `parts`: (row of a word, the word's share of the count), largest
    share first. `different`: how many words contain the pair. `named`: how many words the sentence names at most.
    """
    sentence: list[Part] = []
    for row, times_in in parts[:named]:
        text = record.pretokens[row]
        shown = shortened(encode_text(text[:LONG_WORD])) + "…" * (len(text) > LONG_WORD)
        sentence += [", " if sentence else "", f"{times_in:,} in ", {"word": shown}]
    rest = different - len(parts[:named])
    if rest:
        left = count - sum(times_in for _, times_in in parts[:named])
        once = "" if left == rest else f"{left:,} "  # "and in 1 more word" if each other word adds 1 to the count
        sentence.append(f" and {once}in {counted(rest, f'more {record.settings.splitter.unit}')}")
    return [part for part in sentence if part]


def tie_sentence(record: Record, frame: Frame) -> list[Part]:
    """Return which other pairs were as frequent as the pair that the step joined, and which rule chose between them."""
    step = frame.step
    number = int(record.ties[step - 1]) if step and step not in record.settings.forced else 1
    if number < 2:
        return []
    others = [pair for pair in frame.tied if pair != record.lifetimes.pair(step)][:2]
    sentence: list[Part] = [" Tied with "]
    for i, (left, right) in enumerate(others):
        sentence += [", " if i else "", *pair_parts(left, right)]
    rest = number - 1 - len(others)
    if rest:
        sentence.append(f" and {rest:,} more" if others else f"{rest:,} other pairs")
    rule = record.settings.tie_rule.replace("-", " ")
    return [part for part in sentence if part] + [f"; the rule “{rule}” took this one."]


def next_sentence(record: Record, step: int, goes_on: bool = False) -> list[Part]:
    """Return which pair the step after `step` joins, or why there is no such step. `goes_on`: see `stopped`."""
    if step == record.steps:
        return [stopped(record, goes_on)]
    count = int(record.lifetimes.counts[step])
    return ["Next: ", *pair_parts(*record.lifetimes.pair(step + 1)), f", seen {times(count)}."]


def summary(record: Record) -> list[list[Part]]:
    """Return sentences about a training that ended because no pair was left; an empty list for any other training.

    >>> from bpe_core import Settings, train
    >>> for sentence in summary(train("low low lower", Settings("whitespace", "characters", vocab_size=99))):
    ...     print(sentence)
    ['No pair is left: every word is one token.']
    ['11 tokens of the corpus became 3.']
    ['5 base symbols and 4 merges are 9 tokens.']
    ['The longest: ', {'token': 8}, ' ']
    """
    if record.stop_reason != "no pairs left" or not record.steps:
        return []
    tokens, after = int(record.corpus_tokens[0]), int(record.corpus_tokens[-1])
    size = record.base + record.steps
    base = counted(record.base, "old id" if record.start is not None else "base symbol")
    # The text may not use the long tokens of a start, the tokenizer that the training began with.
    made = range(record.base if record.start is not None else 0, size)
    most = max(len(record.tokens[token_id]) for token_id in made)
    longest = [token_id for token_id in made if len(record.tokens[token_id]) == most]
    others = [f" and {len(longest) - LONGEST:,} more"] if len(longest) > LONGEST else []
    return [
        [f"No pair is left: every {record.settings.splitter.unit} is one token."],
        [f"{counted(tokens, 'token')} of the corpus became {after:,}."],
        [f"{base} and {counted(record.steps, 'merge')} are {size:,} tokens."],
        ["The longest: ", *(part for token_id in longest[:LONGEST] for part in (token_part(token_id), " ")), *others],
    ]


def stopped(record: Record, goes_on: bool = False) -> str:
    """Return why a stage ended. `goes_on`: whether a second stage follows.

    >>> from bpe_core import Settings, train
    >>> first, _ = train("to be, to be", Settings(vocab_size=261, then_across_words_from=258)).stages
    >>> stopped(first, goes_on=True)
    'The vocabulary has the 258 tokens of the first stage. In the second stage, merges go on across words.'
    """
    asked, got = record.settings.vocab_size, record.vocab_size
    wanted = "of the first stage" if goes_on else "asked for"
    reason = {
        "target reached": f"The vocabulary has the {got:,} tokens {wanted}.",
        "no pairs left": f"Done after {counted(record.steps, 'merge')}: nothing left to join."
        if record.steps
        else _no_merge(record),
        "below min_count": f"No pair is seen {times(record.settings.min_count)} any more: the vocabulary has "
        f"{got:,} of the {asked:,} tokens {wanted}.",
        "tokens too long": "The tokens have become too long, with over 16 million symbols together: the vocabulary has "
        f"{got:,} of the {asked:,} tokens {wanted}.",
    }[record.stop_reason]
    return f"{reason} In the second stage, merges go on across words." if goes_on else reason


def _no_merge(record: Record) -> str:
    unit = record.settings.splitter.unit
    if record.start is not None:
        return f"There is no new merge: every {unit} is one token already. Train on a longer text."
    return f"There is no merge: no {unit} has two symbols to join."
