"""The base class of the lessons: a text, questions about it, drawings that reveal the answers, and a way to go on."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import permutations, product
from typing import ClassVar, TypeVar

from markupsafe import Markup

from bpe_core import Run, Settings, Tokenizer, train
from bpe_core.record.record import PairCount, Steps
from bpe_core.text.in_words import counted, times
from pages.parts.learn import wording
from pages.parts.learn.facts import FilledSection, NoPoint, Phrase, WrongAnswer, question_of
from pages.parts.learn.lesson_text import HEAD, LessonText
from pages.parts.learn.questions import Omission, Question
from pages.parts.learn.reveal_drawings import RevealDrawing
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.state.chosen_settings import chosen_as
from pages.parts.state.compare_state import NOT_OF_A_SIDE, SIDES, Compare
from pages.parts.state.links import OWN
from pages.parts.state.page_states import PageState
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.state.values import changed, rows
from pages.parts.texts.corpora import example
from pages.parts.texts.examples import EXAMPLES
from pages.parts.vocabularies import page_vocabulary

S = TypeVar("S", Train, Algorithms)
EVERYTHING = 1_000_000  # a vocabulary size that no text of a lesson reaches
SMALL = ("newest-widest", "hug-pug-pun", "cats-eat", "my-dog", "one-dinosaur")  # examples to count by hand
STORIES = ("short-story", "another-story")
SIMPLE = Settings("whitespace", "characters", vocab_size=EVERYTHING)
MOST_WORDS, MOST_CHARACTERS = 24, 600  # the most of a text that is counted by hand
MOST_LISTED = 40  # the most merges in the list above a question


class Lesson(ABC):
    """A lesson, on its own text or on another text.

    `sentences`: all that the lesson says. From there come its `name` in a list, its `title`, what a learner `can` do
    afterwards, its `opening`, in which a `[term]` is explained (see `terms.with_terms`), and in `about` the names of
    its questions. For each question the lesson has a method of that name, which returns the facts.

    `own`: the lesson's own text. `fixed`: the names of the questions whose answer is the same on every text; Mixed five
    does not ask these questions. `takes_beginning`: whether the lesson takes only the beginning of a long text, to
    count by hand. `others`: the keys of other examples on which the lesson's questions have a point.
    """

    sentences: ClassVar[LessonText]
    name: ClassVar[str]
    title: ClassVar[str]
    can: ClassVar[str]
    opening: ClassVar[str]
    own: ClassVar[str]
    about: ClassVar[tuple[str, ...]]
    fixed: ClassVar[tuple[str, ...]] = ()
    takes_beginning: ClassVar[bool] = False
    others: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Take from the lesson's text what the lesson says of itself."""
        if "sentences" in cls.__dict__:
            cls.name, cls.title, cls.can, cls.opening = map(cls.sentences.head, HEAD)
            cls.about = cls.sentences.questions

    def __init__(self, text: str = "") -> None:
        """Prepare the lesson on `text`. If `text` is "", prepare the lesson on its own text."""
        self.whole = text or self.own
        self.is_own = self.whole == self.own
        self.text = beginning(self.whole) if self.takes_beginning else self.whole

    @property
    def part_note(self) -> str:
        """How much of the text the lesson takes; "" if it takes the whole text."""
        if self.text == self.whole:
            return ""
        words = counted(len(set(self.text.split())), "different word")
        return (
            f"Counting by hand, this lesson takes the first {len(self.text):,} of the text’s {len(self.whole):,} "
            f"characters: {words}."
        )

    @cached_property
    def asked(self) -> dict[str, Question]:
        """The questions that have a point on this text, by name. Notes explain the signs in the questions."""
        return dict(zip(self.without_notes, wording.with_signs(self.without_notes.values()), strict=True))

    @property
    def without_notes(self) -> dict[str, Question]:
        """The questions that have a point on this text, by name."""
        return {name: one for name, one in self._asked.items() if isinstance(one, Question)}

    @cached_property
    def _asked(self) -> dict[str, Question | Omission]:
        return dict(self._ask())

    def _ask(self) -> Iterator[tuple[str, Question | Omission]]:
        for name in self.about:
            try:
                yield name, question_of(self.sentences, name, getattr(self, name)())
            except Omission as reason:
                yield name, reason
            except NoPoint as reason:
                yield name, Omission(FilledSection(self.sentences, name).plain("left out", reason.sentence))

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that have a point on this text."""
        return tuple(self.asked.values())

    @property
    def left_out(self) -> tuple[str, ...]:
        """The reason for each question that is left out."""
        return tuple(str(reason) for reason in self._asked.values() if isinstance(reason, Omission))

    @abstractmethod
    def reveal(self) -> tuple[RevealDrawing, ...]:
        """Return the drawings that show what the questions were about."""

    def taken(self) -> Phrase:
        """Return the sentence that says what to remember."""
        return Phrase()

    def take_away(self) -> Markup:
        """Return what to remember."""
        return FilledSection(self.sentences).html("take away", self.taken())

    @abstractmethod
    def go_on(self) -> PageState:
        """Return the state of a page that goes on with the lesson's subject."""


def on_tokens(text: str, **values: object) -> Tokens:
    """Return the state of Tokens with a text, the tokenizer of the lessons, and other values.

    >>> from pages.parts.state.links import written
    >>> written(on_tokens("light house", specials=False))
    {'text': 'light house', 'tokenizer': 'gpt2', 'specials': 'no'}
    """
    return changed(Tokens(tokenizer=GPT2_KEY), {**_text(text), **values})


def with_settings(page: type[S], text: str, settings: Settings, **values: object) -> S:
    """Return the state of a page with a text, the settings of a training, and other values."""
    chosen = {name: value for name, value in chosen_as(settings).items() if name in rows(page)}
    return changed(page(), {**_text(text), **chosen, **values})


def comparison(text: str, left: Settings, right: Settings, **values: object) -> Compare:
    """Return the state of Compare with a text, the settings of both sides, and other values."""
    sides = {
        f"{side}_{name}": value
        for side, settings in zip(SIDES, (left, right), strict=True)
        for name, value in chosen_as(settings).items()
        if name not in NOT_OF_A_SIDE
    }
    return changed(Compare(vocab_size=left.vocab_size), {**_text(text), **sides, **values})


def _text(text: str) -> dict[str, object]:
    """Return the values that set a page's text: the key of an example or, for any other text, the text itself."""
    known = next((key for key in EXAMPLES if example(key).text == text), None)
    return {"corpus": known} if known else {"corpus": OWN, "text": text}


def simple_run(text: str, settings: Settings, merges: int | None = None) -> Run:
    """Return a run on a text. `merges`: the most merges; None for as many as the settings allow.

    >>> simple_run("hug hug pug", SIMPLE, merges=1).steps
    1
    """
    run = train((text,), settings)
    if merges is None or run.steps <= merges:
        return run
    return train((text,), replace(settings, vocab_size=len(run.vocabulary(merges))))


def beginning(text: str) -> str:
    """Return as much of a text's beginning as can be counted by hand, up to the end of a word if possible.

    >>> beginning("low lower"), len(beginning("a" * 2000))
    ('low lower', 600)
    """
    words: set[str] = set()
    end = 0
    for found in re.finditer(r"\S+", text):
        words.add(found[0])
        if len(words) > MOST_WORDS or found.end() > MOST_CHARACTERS:
            return text[:end] or found[0][:MOST_CHARACTERS]
        end = found.end()
    return text


def other_pairs(run: Steps, step: int, most: int) -> list[PairCount]:
    """Return the most frequent pairs except the next merge after `step`. At most one of them ties with that merge.

    Pairs that are written alike are left out: a typed · looks like the sign for a space.

    >>> [pair[:2] for pair in other_pairs(simple_run("ab ab cd cd de", SIMPLE), 0, 2)]
    [(b'c', b'd'), (b'd', b'e')]
    """
    merge, every = run.merges[step], run.pair_counts(step)
    written = Counter(wording.pair_label(*pair[:2]) for pair in every)
    pairs = [pair for pair in every if pair[:2] != merge[:2] and written[wording.pair_label(*pair[:2])] == 1]
    equal = [pair for pair in pairs if pair.count == merge.count]
    return [*equal[:1], *(pair for pair in pairs if pair.count < merge.count)][:most]


def wrong_pairs(run: Steps, step: int, most: int) -> list[WrongAnswer]:
    """Return the most frequent pairs except the next merge after `step`, as wrong answers: "tie" and "fewer"."""
    best, found = run.merges[step].count, list[WrongAnswer]()
    for pair in other_pairs(run, step, most):
        label, seen, fewer = wording.pair_label(*pair[:2]), times(pair.count), best - pair.count
        if fewer:
            found.append(WrongAnswer(label, "fewer", pair=pair[:2], times=seen, fewer=fewer))
        else:
            found.append(WrongAnswer(label, "tie", near=True, pair=pair[:2], times=seen))
    return found


def counting(run: Steps, step: int, most: int) -> list[Phrase]:
    """Return the steps that find the next merge after `step`: "pair" for each frequent pair, and "most"."""
    merge = run.merges[step]
    pairs = [*other_pairs(run, step, most)[::-1], PairCount(merge.left, merge.right, merge.count)]
    seen = (Phrase("pair", pair=pair[:2], times=times(pair.count)) for pair in pairs)
    return [*seen, Phrase("most", pair=merge[:2])]


def published() -> Tokenizer:
    """Return the published tokenizer that the lessons are about."""
    return page_vocabulary.published(GPT2_KEY).tokenizer


def words_of(text: str) -> list[str]:
    """Return the different words of a text, split at white space."""
    return list(dict.fromkeys(text.split()))


def recombined(words: list[str], most: int = 150) -> Iterator[str]:
    """Yield at most `most` new words, each the beginning of one word and the end of another.

    New words made of lower-case words come first, since they look most like words.

    >>> list(recombined(["low", "new"]))[:2]
    ['lew', 'lw']
    """
    known, made = set(words), 0
    for one, other in permutations(sorted(words, key=lambda word: not (word.isalpha() and word.islower())), 2):
        for at, begin in product(range(1, len(one)), range(1, len(other))):
            word = one[:at] + other[begin:]
            if word not in known:
                known.add(word)
                made += 1
                yield word
            if made >= most:
                return
