"""The lesson about rivals: by what BPE, WordPiece and Unigram choose their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from bpe_core import UNKNOWN, Run
from bpe_core.files.tokenizer_json_write import CONTINUING
from bpe_core.models import unigram, wordpiece
from bpe_core.models.unigram import UnigramRun
from bpe_core.models.wordpiece import PairScore, WordPiece, WordPieceRun
from bpe_core.pictures.film.wordpiece_side import fraction
from bpe_core.pictures.shared.in_words import counted, times
from bpe_core.text.alphabet import MARKER, encode_text
from pages.parts.algorithms.algorithms_state import Algorithms
from pages.parts.learn import wording
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, simple_run, with_settings, words_of
from pages.parts.learn.questions import AnswerOption, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import Scores
from pages.parts.texts.corpora import algorithms_start, example

TRIED = "jumper"
ONE_UNKNOWN = "one unknown token"
MOST_WRONG = 3
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
    about = ("first_score", "new_word", "pruning")
    takes_beginning = True
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
        return simple_run(self.text, replace(SIMPLE, vocab_size=self.size))

    @cached_property
    def rounds(self) -> UnigramRun:
        """The run of Unigram."""
        return unigram.train(self.text, replace(SIMPLE, vocab_size=self.size))

    def first_score(self) -> Question:
        """Ask for the pair with the best score. Wrong answers: the most frequent pair, and the next best scores."""
        scores = self.pieces.scores(0)
        if len(scores) <= 1 or not self.pieces.steps:
            raise Omission("it has too few pairs")
        best = scores[0]
        frequent = max(scores, key=lambda pair: pair.count)
        tempting = list(dict.fromkeys([frequent, *scores[1 : MOST_WRONG + 1]]))
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
            f"{_score(best)}, and {so}.",
            *(self._tempting(pair, best, frequent) for pair in tempting),
            look=wording.corpus(self.pieces, 0, CONTINUING)
            + wording.sentence(
                f"One pair is worked out for you: {_named(worked)} is seen {times(worked.count)}, its halves "
                f"{times(worked.left_count)} and {times(worked.right_count)}, so its score is {fraction(worked)}."
            ),
            steps=[f"{_score(pair)}." for pair in dict.fromkeys([*tempting[::-1], best])],
        )

    def _tempting(self, pair: PairScore, best: PairScore, frequent: PairScore) -> AnswerOption:
        label = wording.pair_label(pair.left, pair.right, CONTINUING)
        if pair.score == best.score:
            return wrong_answer(
                label, f"{_score(pair)}, as good; between equals the pair seen first is merged.", near=True
            )
        end = (
            ". It is the most frequent pair, BPE's choice, but its halves are frequent too."
            if pair is frequent
            else ", less."
        )
        return wrong_answer(label, f"{_score(pair)}{end}")

    def _new_word(self) -> str:
        """Return a new word that WordPiece cannot write or, failing that, a word that BPE splits differently."""
        model, other = self.pieces.tokenizer(), self.merges.tokenizer()
        words = [TRIED] if self.is_own else list(recombined(words_of(self.text)))
        known = [word for word in words if UNKNOWN not in other.encode_word(word)]
        unknown = (word for word in known if model.encode_word(word) == (UNKNOWN,))
        different = (
            word for word in known if _spelt(model, word) != [other.tokens[i] for i in other.encode_word(word)]
        )
        if (word := next(unknown, None) or next(different, None)) is None:
            raise Omission("WordPiece splits every new word that is made of its words as BPE does")
        return word

    def new_word(self) -> Question:
        """Ask what WordPiece makes of a new word.

        Wrong answers: BPE's tokens, single characters, the beginning that fits.
        """
        word, model = self._new_word(), self.pieces.tokenizer()
        tokens = self.merges.tokenizer().encode(word, specials=True).tokens
        begun = [model.tokens[i] for i in model.matches(word)]
        unknown = model.encode_word(word) == (UNKNOWN,)
        split = wording.split_label(begun, CONTINUING)
        single = [encode_text(word[0]), *(MARKER + encode_text(char) for char in word[1:])]
        fits = f"The longest that fits, from the beginning: {wording.row(begun, CONTINUING)}."
        rest = "Nothing fits the rest, so the whole word is one unknown token." if unknown else "Nothing is left over."
        return question(
            f"No word of the text is {wording.text(word)}. What does WordPiece make of it?",
            ONE_UNKNOWN if unknown else split,
            f"{fits if begun else 'Nothing fits its beginning.'} {rest}",
            wrong_answer(wording.split_label(tokens), "That is BPE: a character is the same wherever it is in a word."),
            wrong_answer(f"{split}, then unknown", "What was found so far is given up: the whole word is unknown.")
            if unknown
            else wrong_answer(ONE_UNKNOWN, "Tokens of its vocabulary fit all of the word."),
            None
            if unknown
            else wrong_answer(
                wording.split_label(single, CONTINUING), "It takes longer tokens where the vocabulary has them."
            ),
            look=wording.sentence(
                "WordPiece goes through a word from its beginning and takes the longest token of its vocabulary that "
                "fits, "
                "again and again. A letter inside a word is another token than at its beginning. Where no token fits, "
                f"the whole word becomes one unknown token. The vocabulary: {_chips(sorted(model.tokens))}"
            ),
            steps=(fits if begun else "Nothing fits its beginning.", rest),
        )

    def pruning(self) -> Question:
        """Ask which token Unigram's first round prunes. Wrong answers: tokens of a larger loss, a single character."""
        run = self.rounds
        if not run.steps:
            raise Omission("Unigram has nothing to prune")
        losses, first = run.first_losses(), set(run.rounds[1].pruned.tolist())
        longer = sorted(range(run.characters, len(run.seed)), key=losses.__getitem__)
        # An estimated loss may be a little below zero. To explain that would take more words than the rule itself.
        pruned = [token for token in longer if token in first and losses[token] >= 0]
        if not pruned:
            raise Omission("what Unigram prunes first would be no loss at all")
        right = pruned[0]
        kept = {_shown(losses[token]): token for token in longer if token not in first}
        kept.pop(_shown(losses[right]), None)
        wrong_answers = list(kept.values())[:: max(len(kept) // MOST_WRONG, 1)][:MOST_WRONG]
        if not wrong_answers:
            raise Omission("Unigram's tokens have no losses that differ")
        character = 0
        table = sorted([right, *wrong_answers], key=lambda token: run.seed[token])
        sizes = ", ".join(f"{len(run.alive(number)):,}" for number in range(run.steps + 1))
        rows = [(wording.tok(run.seed[token]), _shown(losses[token])) for token in table]
        return question(
            "Which of these tokens does Unigram's first round throw away?",
            wording.split_label([run.seed[right]]),
            f"Its loss is the smallest, {_shown(losses[right])}. Round by round the vocabulary shrinks: {sizes}.",
            *(
                wrong_answer(
                    wording.split_label([run.seed[token]]),
                    f"Its loss is {_shown(losses[token])}, and that of {wording.tok(run.seed[right])} is smaller.",
                )
                for token in wrong_answers
            ),
            wrong_answer(
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
            + wording.html_table(("token", "loss"), [*rows, (wording.tok(run.seed[character]), "a character")]),
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
        """Return a state of Algorithms with its view of WordPiece's steps."""
        settings = replace(SIMPLE, vocab_size=self.size)
        return with_settings(Algorithms, self.text, settings, view="wordpiece", step=min(1, self.pieces.steps))


def _spelt(model: WordPiece, word: str) -> list[bytes]:
    """Return the tokens of a word, without the mark of a token that continues the word."""
    return [model.tokens[i].removeprefix(MARKER) for i in model.encode_word(word)]


def _named(pair: PairScore) -> str:
    return wording.row((pair.left, pair.right), CONTINUING)


def _score(pair: PairScore) -> str:
    """Return a pair and the calculation of its score."""
    return f"{_named(pair)}: {fraction(pair)}"


def _chips(tokens: Sequence[bytes]) -> str:
    return " ".join(wording.tok(token, CONTINUING) for token in tokens)


def _shown(loss: float) -> str:
    return f"{abs(loss):.1f}"
