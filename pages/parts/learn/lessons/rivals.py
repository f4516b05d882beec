"""The lesson about rivals: by what BPE, WordPiece and Unigram choose their tokens."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from markupsafe import Markup

from bpe_core import UNKNOWN, Run
from bpe_core.files.tokenizer_json_write import CONTINUING
from bpe_core.models import unigram, wordpiece
from bpe_core.models.unigram import UnigramRun
from bpe_core.models.wordpiece import PairScore, WordPiece, WordPieceRun
from bpe_core.pictures.film.wordpiece_side import fraction
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.in_words import counted, times
from pages.parts.learn import wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, Table, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import SIMPLE, SMALL, Lesson, recombined, simple_run, with_settings, words_of
from pages.parts.learn.reveal_drawings import Scores
from pages.parts.state.algorithms_state import Algorithms
from pages.parts.texts.corpora import algorithms_start, example

TRIED = "jumper"
MOST_WRONG = 3
CORPUS = "cats-eat"


class Rivals(Lesson):
    """The lesson "WordPiece and Unigram"."""

    sentences = lesson_text(__file__)
    own = example(CORPUS).text
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

    def first_score(self) -> Facts:
        """Find the pair with the best score."""
        scores = self.pieces.scores(0)
        if len(scores) <= 1 or not self.pieces.steps:
            raise NoPoint()
        best, worked = scores[0], scores[-1]
        frequent = max(scores, key=lambda pair: pair.count)
        tempting = list(dict.fromkeys([frequent, *scores[1 : MOST_WRONG + 1]]))
        as_good = sum(pair.score == best.score for pair in scores) - 1
        tie = Phrase("tie", others=counted(as_good, "other pair has", "other pairs have"))
        return Facts(
            _label(best),
            *(_tempting(pair, best, frequent) for pair in tempting),
            why=tie if as_good else Phrase("alone"),
            steps=[Phrase("score", scored=_score(pair)) for pair in dict.fromkeys([*tempting[::-1], best])],
            words=wording.corpus(self.pieces, 0, CONTINUING),
            pair=_named(worked),
            times=times(worked.count),
            left_times=times(worked.left_count),
            right_times=times(worked.right_count),
            score=fraction(worked),
            scored=_score(best),
        )

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
            raise NoPoint()
        return word

    def new_word(self) -> Facts:
        """Find what WordPiece makes of a new word."""
        word, model = self._new_word(), self.pieces.tokenizer()
        tokens = self.merges.tokenizer().encode(word, specials=True).tokens
        begun = [model.tokens[i] for i in model.matches(word)]
        split = wording.split_label(begun, CONTINUING)
        bpe = WrongAnswer(wording.split_label(tokens), "bpe")
        if unknown := model.encode_word(word) == (UNKNOWN,):
            wrong = [bpe, WrongAnswer(Phrase("then unknown", begun=split), "then unknown")]
        else:
            single = [encode_text(word[0]), *(MARKER + encode_text(char) for char in word[1:])]
            alone = WrongAnswer(wording.split_label(single, CONTINUING), "single")
            wrong = [bpe, WrongAnswer(Phrase("unknown"), "unknown"), alone]
        return Facts(
            Phrase("unknown") if unknown else split,
            *wrong,
            word=wording.text(word),
            vocabulary=wording.chips(sorted(model.tokens), CONTINUING),
            begun=wording.row(begun, CONTINUING),
            rest=Phrase("unknown" if unknown else "whole"),
        )

    def pruning(self) -> Facts:
        """Find a token that Unigram's first round prunes, tokens of a larger loss, and a character."""
        run = self.rounds
        if not run.steps:
            raise NoPoint("nothing")
        losses, first = run.first_losses(), set(run.rounds[1].pruned.tolist())
        longer = sorted(range(run.characters, len(run.seed)), key=losses.__getitem__)
        # An estimated loss may be a little below zero. To explain that would take more words than the rule itself.
        pruned = [token for token in longer if token in first and losses[token] >= 0]
        if not pruned:
            raise NoPoint("no loss")
        right = pruned[0]
        kept = {_shown(losses[token]): token for token in longer if token not in first}
        kept.pop(_shown(losses[right]), None)
        wrong = list(kept.values())[:: max(len(kept) // MOST_WRONG, 1)][:MOST_WRONG]
        if not wrong:
            raise NoPoint("equal")
        character, table = run.seed[0], sorted([right, *wrong], key=lambda token: run.seed[token])
        rows = [(wording.tok(run.seed[token]), _shown(losses[token])) for token in table]
        return Facts(
            wording.split_label([run.seed[right]]),
            *(
                WrongAnswer(wording.split_label([run.seed[token]]), "larger", loss=_shown(losses[token]))
                for token in wrong
            ),
            WrongAnswer(wording.split_label([character]), "character"),
            seed=len(run.seed),
            pruned=counted(len(first), "token"),
            losses=Table([*rows, (wording.tok(character), Phrase("character"))]),
            least=_shown(losses[right]),
            token=run.seed[right],
            sizes=", ".join(f"{len(run.alive(number)):,}" for number in range(run.steps + 1)),
        )

    def reveal(self) -> tuple[Scores, ...]:
        """Return the pairs of WordPiece by score and by count."""
        return (Scores(self.pieces),)

    def go_on(self) -> Algorithms:
        """Return a state of Algorithms with its view of WordPiece's steps."""
        settings = replace(SIMPLE, vocab_size=self.size)
        return with_settings(Algorithms, self.text, settings, view="wordpiece", step=min(1, self.pieces.steps))


def _spelt(model: WordPiece, word: str) -> list[bytes]:
    """Return the tokens of a word, without the mark of a token that continues the word."""
    return [model.tokens[i].removeprefix(MARKER) for i in model.encode_word(word)]


def _named(pair: PairScore) -> Markup:
    return wording.row((pair.left, pair.right), CONTINUING)


def _label(pair: PairScore) -> str:
    return wording.pair_label(pair.left, pair.right, CONTINUING)


def _score(pair: PairScore) -> Phrase:
    """Return a pair and the calculation of its score."""
    return Phrase("score", pair=_named(pair), score=fraction(pair))


def _tempting(pair: PairScore, best: PairScore, frequent: PairScore) -> WrongAnswer:
    if pair.score == best.score:
        return WrongAnswer(_label(pair), "tie", near=True, scored=_score(pair))
    return WrongAnswer(_label(pair), "most frequent" if pair is frequent else "less", scored=_score(pair))


def _shown(loss: float) -> str:
    return f"{abs(loss):.1f}"
