"""What a training costs. The cost decides when and where the training runs.

cost ≤ MOMENT                        at once, in the server
cost ≤ LIMITS.training_characters    in the server, when it is its turn; the page shows the progress
more                                 in a process of its own, with limits of time and memory: see `training_jobs`
"""

from __future__ import annotations

from bpe_core import Settings
from bpe_core.settings import CUSTOM
from pages.parts.server.limits import LIMITS
from pages.parts.texts.corpora import Corpus

# Costs, as measured. The unit is the time to count one character of a text that is split into words.
MERGE = 30  # one merge
UNSPLIT = 10  # one character of a text that is not split into words: see `LONG_PIECES`
SPECIAL = 5  # one special token in the text
MODELS = 100  # one character if all models are trained
STARTING = 3  # one character, if the text is first written in the tokens of the tokenizer that the training starts from
OPENING = 10  # one token of that tokenizer, since all its tokens are opened
ACROSS = 8  # one character, if a second stage joins tokens across words
NAMES = 50  # special tokens: the search for this many costs 1 at each character
# The pretokenizers that may leave pieces longer than words, few of which are equal.
LONG_PIECES = ("none", "line", "digits", "punctuation", CUSTOM)
MOMENT = 200_000  # a training that costs more waits for its turn


def waits(cost: int) -> bool:
    """Return whether a training of this cost waits for its turn."""
    return cost > MOMENT


def needs_process(cost: int) -> bool:
    """Return whether a training of this cost runs in a process of its own."""
    return cost > LIMITS.training_characters


def cost(text: Corpus, chosen: Settings) -> int:
    """Return the most that a training may cost. The unit is the time to count one character.

    >>> cost(Corpus("a text", "low lower"), Settings(vocab_size=1000))
    279
    >>> cost(Corpus("a text", "low lower"), Settings(vocab_size=1000, then_across_words_from=500))
    351
    >>> cost(Corpus("a text", "low lower"), Settings(vocab_size=50_357, start="gpt2"))
    503876
    """
    characters = len(text.text)
    split = characters * (UNSPLIT if chosen.pretokenizer in LONG_PIECES else 1) + MERGE * min(
        characters, chosen.vocab_size
    )
    across = characters * ACROSS if chosen.then_across_words_from else 0
    start = characters * STARTING + OPENING * chosen.vocab_size if chosen.start != "none" else 0
    return split + across + start + _special_cost(characters, chosen.special_tokens)


def _special_cost(characters: int, names: tuple[str, ...]) -> int:
    """Return the most that it may cost to find special tokens in a text and to split the text there.

    >>> _special_cost(1000, ("<s>", "</s>")), _special_cost(1000, ())
    (1705, 0)
    """
    shortest = min(map(len, names), default=characters + 1)
    return SPECIAL * (characters // shortest) + characters * len(names) // NAMES
