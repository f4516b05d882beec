"""The lesson about rivals: by what BPE, WordPiece and Unigram choose their tokens."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from bpe_core import UNKNOWN, Run
from bpe_core.files.tokenizer_json import CONTINUING
from bpe_core.live.wordpiece_film import fraction
from bpe_core.models import unigram, wordpiece
from bpe_core.models.unigram import UnigramRun
from bpe_core.models.wordpiece import PairScore, WordPieceRun
from bpe_core.text.alphabet import MARKER, encode_text
from pages.parts.learn import wording
from pages.parts.learn.instruments import Scores
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, trained, with_settings, words_of
from pages.parts.learn.questions import Omission, Option, Question, lure, question
from pages.parts.session.corpora import algorithms_start, example
from pages.parts.session.page_states import Algorithms

TRIED = "jumper"
LURES = 3
CORPUS = "cats-eat"


class Rivals(Lesson):
    """The lesson "WordPiece and Unigram"."""

    name = "Rivals"
    title = "WordPiece and Unigram"
    can = "name what each model goes by"
    opening = "Two rivals of BPE learn a vocabulary too, each by something else than how often a pair occurs."
    own = example(CORPUS).text
    about = ("first_score", "unknown_word", "pruning")
    others = SMALL

    @cached_property
    def size(self) -> int:
        """The vocabulary size of every model: enough for its alphabet and a few steps."""
        return algorithms_start(CORPUS if self.is_own else "", self.text)[0]

    @cached_property
    def pieces(self) -> WordPieceRun:
        """The run of WordPiece."""
        return wordpiece.train(self.text, replace(SIMPLE, vocab_size=self.size))

    @cached_property
    def merges(self) -> Run:
        """The run of BPE."""
        return trained(self.text, replace(SIMPLE, vocab_size=self.size))

    @cached_property
    def rounds(self) -> UnigramRun:
        """The run of Unigram."""
        return unigram.train(self.text, replace(SIMPLE, vocab_size=self.size))

    def first_score(self) -> Question:
        """Ask for the pair with the best score. Lures: the most frequent pair, and the next best scores."""
        scores = self.pieces.scores(0)
        if len(scores) <= 1 or not self.pieces.steps:
            raise Omission("it has too few pairs")
        best = scores[0]
        frequent = max(scores, key=lambda pair: pair.count)
        tempting = dict.fromkeys([frequent, *scores[1 : LURES + 1]])
        return question(
            "WordPiece divides a pair's count by the counts of both halves. Which pair does it join first?",
            wording.pair_label(best.left, best.right, CONTINUING),
            f"{_score(best)}, more than any other: its halves are hardly ever seen apart.",
            *(self._tempting(pair, best, frequent) for pair in tempting),
            look=wording.corpus(self.pieces, 0, CONTINUING),
        )

    def _tempting(self, pair: PairScore, best: PairScore, frequent: PairScore) -> Option:
        label = wording.pair_label(pair.left, pair.right, CONTINUING)
        if pair.score == best.score:
            return lure(label, f"{_score(pair)}, as good; between equals the pair seen first is joined.", near=True)
        end = ". That is BPE's choice: it is frequent, but so are its halves." if pair is frequent else ", less."
        return lure(label, f"{_score(pair)}{end}")

    def _unknown(self) -> str | None:
        """Return a new word that BPE can write and WordPiece cannot; None if there is none."""
        model, other = self.pieces.tokenizer(), self.merges.tokenizer()
        words = words_of(self.text)
        for word in [TRIED] if self.is_own else recombined(words):
            if model.encode_word(word) == (UNKNOWN,) and UNKNOWN not in other.encode(word).ids:
                return word
        return None

    def unknown_word(self) -> Question:
        """Ask what WordPiece makes of a new word. Lures: BPE's tokens, and the tokens that fit its beginning."""
        word = self._unknown()
        if word is None:
            raise Omission("WordPiece can write every word that is made of its words")
        model, other = self.pieces.tokenizer(), self.merges.tokenizer()
        tokens = other.encode(word).tokens
        begun = [model.tokens[i] for i in model.matches(word)]
        lacking = [char for char in dict.fromkeys(word[1:]) if MARKER + encode_text(char) not in model.ids]
        named = " or ".join(wording.text(char) for char in lacking) or "such an end"
        return question(
            f"{wording.text(word)} is not in the text. What does WordPiece make of it?",
            "one unknown token",
            f"No {named} stands inside a word of the text, and where no token fits, the whole word is unknown.",
            lure(wording.split_label(tokens), "That is BPE: a character is the same wherever it stands."),
            lure(
                f"{wording.split_label(begun, CONTINUING)}, then unknown",
                "What was found so far is given up: the whole word is unknown.",
            ),
        )

    def pruning(self) -> Question:
        """Ask what Unigram's vocabulary does in training. Lures: it grows, it stays."""
        run = self.rounds
        sizes = [len(run.alive(number)) for number in range(run.steps + 1)]
        if not run.steps:
            raise Omission("Unigram has nothing to prune")
        named = ", ".join(f"{size:,}" for size in sizes)
        return question(
            "And Unigram: what does its vocabulary do as it trains?",
            "it shrinks",
            f"It starts with everything that might serve, and prunes what costs least: {named}.",
            lure("it grows", "So do the other two, which start from characters."),
            lure("it keeps its size", f"Only the probabilities would change then; each round prunes: {named}."),
        )

    def reveal(self) -> tuple[Scores, ...]:
        """Return the pairs of WordPiece by score and by count."""
        return (Scores(self.pieces),)

    def take_away(self) -> str:
        """Return by what each model chooses its tokens."""
        return (
            "BPE asks how often; WordPiece, how unexpectedly often; Unigram, what the text would lose without a token."
        )

    def go_on(self) -> Algorithms:
        """Return the way to WordPiece's steps on the Algorithms page."""
        settings = replace(SIMPLE, vocab_size=self.size)
        return with_settings(Algorithms, self.text, settings, view="wordpiece", step=min(1, self.pieces.steps))


def _score(pair: PairScore) -> str:
    """Return a pair and the calculation of its score."""
    named = f"{wording.tok(pair.left, CONTINUING)} {wording.tok(pair.right, CONTINUING)}"
    return f"{named}: {fraction(pair)}"
