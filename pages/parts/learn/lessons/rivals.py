"""The lesson about rivals: by what BPE, WordPiece and Unigram choose their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from bpe_core import UNKNOWN, Run
from bpe_core.display.in_words import counted, times
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
ONE_UNKNOWN = "one unknown token"
LURES = 3
CORPUS = "cats-eat"


class Rivals(Lesson):
    """The lesson "WordPiece and Unigram"."""

    name = "Rivals"
    title = "WordPiece and Unigram"
    can = "name what each model goes by"
    opening = (
        "Two rivals of BPE, byte-pair encoding, learn a [vocabulary] too, each by something else than how often a pair "
        "occurs."
    )
    own = example(CORPUS).text
    about = ("first_score", "unknown_word", "pruning")
    short = True
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
        tempting = list(dict.fromkeys([frequent, *scores[1 : LURES + 1]]))
        as_good = sum(pair.score == best.score for pair in scores) - 1
        so = (
            f"{counted(as_good, 'other pair has', 'other pairs have')} the same"
            if as_good
            else "no other pair has more"
        )
        worked = scores[-1]
        return question(
            "WordPiece divides a pair's count by the counts of both halves, multiplied. Which pair does it merge "
            "first: which has the highest score?",
            wording.pair_label(best.left, best.right, CONTINUING),
            f"{_score(best)}: {so}.",
            *(self._tempting(pair, best, frequent) for pair in tempting),
            look=wording.corpus(self.pieces, 0, CONTINUING)
            + wording.sentence(
                f"One pair is worked out for you: {_named(worked)} is seen {times(worked.count)}, its halves "
                f"{times(worked.left_count)} and {times(worked.right_count)}, so its score is {fraction(worked)}."
            ),
            steps=[f"{_score(pair)}." for pair in dict.fromkeys([*tempting[::-1], best])],
        )

    def _tempting(self, pair: PairScore, best: PairScore, frequent: PairScore) -> Option:
        label = wording.pair_label(pair.left, pair.right, CONTINUING)
        if pair.score == best.score:
            return lure(label, f"{_score(pair)}, as good; between equals the pair seen first is merged.", near=True)
        end = ". It is the most frequent pair, BPE's choice, but so are its halves." if pair is frequent else ", less."
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
        named = wording.listed([wording.tok(MARKER + encode_text(char), CONTINUING) for char in lacking], "or")
        lack = f"There is no {named} in it" if lacking else "Nothing in it fits the end"
        found = f"At first {wording.row(begun, CONTINUING)} fits." if begun else "Not even a beginning fits."
        return question(
            f"No word of the text is {wording.text(word)}. What does WordPiece make of it?",
            ONE_UNKNOWN,
            f"{lack}, and where no token fits, the whole word is unknown.",
            lure(wording.split_label(tokens), "That is BPE: a character is the same wherever it is in a word."),
            lure(
                f"{wording.split_label(begun, CONTINUING)}, then unknown",
                "What was found so far is given up: the whole word is unknown.",
            ),
            look=wording.sentence(
                "WordPiece goes through a word from its beginning and takes the longest token of its vocabulary that "
                "fits, "
                "again and again. A letter inside a word is another token than at its beginning. Where no token fits, "
                f"the whole word becomes one unknown token. The vocabulary: {_chips(sorted(model.tokens))}"
            ),
            steps=(found, f"Then the rest of the word has to fit. {lack}.", "So the whole word is one unknown token."),
        )

    def pruning(self) -> Question:
        """Ask which token Unigram's first round prunes. Lures: tokens of a larger loss, a single character."""
        run = self.rounds
        if not run.steps:
            raise Omission("Unigram has nothing to prune")
        losses, first = run.first_losses(), set(run.rounds[1].pruned.tolist())
        longer = sorted(range(run.characters, len(run.seed)), key=losses.__getitem__)
        right = next(token for token in longer if token in first)
        kept = {_shown(losses[token]): token for token in longer if token not in first}
        kept.pop(_shown(losses[right]), None)
        lures = list(kept.values())[:: max(len(kept) // LURES, 1)][:LURES]
        if not lures:
            raise Omission("Unigram's tokens have no losses that differ")
        character = 0
        table = sorted([right, *lures], key=lambda token: run.seed[token])
        sizes = ", ".join(f"{len(run.alive(number)):,}" for number in range(run.steps + 1))
        rows = [(wording.tok(run.seed[token]), _shown(losses[token])) for token in table]
        return question(
            "Which of these tokens does Unigram's first round throw away?",
            wording.split_label([run.seed[right]]),
            f"Its loss is the smallest, {_shown(losses[right])}. Round by round the vocabulary shrinks: {sizes}.",
            *(
                lure(
                    wording.split_label([run.seed[token]]),
                    f"Its loss is {_shown(losses[token])}, and that of {wording.tok(run.seed[right])} is smaller.",
                )
                for token in lures
            ),
            lure(
                wording.split_label([run.seed[character]]),
                "A single character always stays, so that every word of the text can be written.",
            ),
            look=wording.sentence(
                f"Unigram starts from the other end: with the characters and all that is seen often, {len(run.seed):,} "
                f"tokens here. The first round throws away {counted(len(first), 'token')}, those with the smallest "
                "loss. A "
                "token's loss is how much less likely the text becomes without it, when other tokens have to write it "
                "(as a logarithm). Single characters always stay."
            )
            + wording.table(("token", "loss"), [*rows, (wording.tok(run.seed[character]), "a character")]),
            steps=(
                f"The smallest loss of the table: {_shown(losses[right])}.",
                f"That is {wording.tok(run.seed[right])}.",
            ),
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


def _named(pair: PairScore) -> str:
    return wording.row((pair.left, pair.right), CONTINUING)


def _score(pair: PairScore) -> str:
    """Return a pair and the calculation of its score."""
    return f"{_named(pair)}: {fraction(pair)}"


def _chips(tokens: Sequence[bytes]) -> str:
    return " ".join(wording.tok(token, CONTINUING) for token in tokens)


def _shown(loss: float) -> str:
    return f"{loss:.1f}"
