"""The lesson about dead, glitch and special tokens."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from markupsafe import Markup

from bpe_core import Run, Settings
from bpe_core.pictures.paper import html
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted
from pages.parts.learn import word_merges, wording
from pages.parts.learn.facts import Facts, NoPoint, Phrase, WrongAnswer
from pages.parts.learn.lesson_text import lesson_text
from pages.parts.learn.lessons.lesson import SMALL, Lesson, on_tokens, published, simple_run
from pages.parts.learn.lessons.ties import MARKED, MERGES
from pages.parts.learn.reveal_drawings import LastTokens, Merging
from pages.parts.learn.texts import GLITCH, GPT2_KEY, SPECIAL
from pages.parts.learn.word_merges import single_bytes
from pages.parts.state.tokens_state import Tokens
from pages.parts.texts.corpora import example

STORY, OTHER = "short-story", "another-story"
_TOKENS = Markup('<div class="tokens">{}</div>')
WORDS, LEARNT, FEWEST = 30, 12, 5  # words of each text; the most and the fewest merges to ask about


class UnusedTokens(Lesson):
    """The lesson "Tokens nobody uses, or merged"."""

    sentences = lesson_text(__file__)
    own = example("newest-widest").text
    fixed = ("special",)
    takes_beginning = True
    others = SMALL

    @cached_property
    def run(self) -> Run:
        """The run of the first question."""
        return simple_run(self.text, MARKED, MERGES)

    @cached_property
    def beginnings(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Two texts as (title, first words). The vocabulary is learnt on the first, the model reads the second."""
        other = STORY if self.whole == example(OTHER).text else OTHER
        title, text = (f"“{example(STORY).name}”", example(STORY).text) if self.is_own else ("this text", self.text)
        return (title, _first_words(text)), (f"“{example(other).name}”", _first_words(example(other).text))

    @cached_property
    def vocabulary(self) -> Run:
        """The run on the first text of `beginnings`."""
        return simple_run(self.beginnings[0][1], Settings(GPT2_KEY), LEARNT)

    def outgrown(self) -> Facts:
        """Count the tokens that the text no longer uses."""
        run, learnt = self.run, self.run.steps
        if not learnt:
            raise NoPoint()
        uses = run.token_uses(learnt)[len(run.vocabulary(0)) :].tolist()
        tokens = [(merge.token, used) for merge, used in zip(run.merges, uses, strict=True)]
        dead, alive = [token for token, used in tokens if not used], [token for token, used in tokens if used]
        return Facts(
            len(dead),
            WrongAnswer(0, "none"),
            WrongAnswer(learnt, "all", alive=alive[0]) if alive else None,
            WrongAnswer(len(dead) - 1, "one fewer") if len(dead) > 1 else None,
            WrongAnswer(len(dead) + 1, "one more"),
            why=Phrase("some" if dead else "none"),
            steps=[
                *(
                    Phrase("used", token=token, count=used) if used else Phrase("dead", token=token)
                    for token, used in tokens
                ),
                Phrase("together", count=len(dead)),
            ],
            of=learnt,
            merged=counted(learnt, "merged token"),
            merges=counted(learnt, "merge"),
            list=wording.merge_list(word_merges.merge_steps(run)),
            words=wording.corpus(run, learnt),
            dead=wording.chips(dead) or Phrase("none"),
        )

    def elsewhere(self) -> Facts:
        """Count the tokens that another text never uses. Some of their bytes may be in that text all the same."""
        run, learnt = self.vocabulary, self.vocabulary.steps
        (title, text), (other, read) = self.beginnings
        if learnt < FEWEST:
            raise NoPoint("few merges", fewest=counted(FEWEST, "merge"))
        words = run.tokenizer().encode(read, specials=True).tokens
        merged = Counter({merge.token: words.count(merge.token) for merge in run.merges})
        never, met = [token for token in merged if not merged[token]], [token for token in merged if merged[token]]
        if not met:
            raise NoPoint("all new", other=other)
        spelt = [token for token in never if token in encode_text(read)]
        inside = wording.listed([wording.tok(token) for token in spelt])
        return Facts(
            len(never),
            WrongAnswer(0, "none") if never else None,
            WrongAnswer(len(merged), "all", met=met[0]),
            WrongAnswer(len(never) - len(spelt), "letters", inside=inside),
            WrongAnswer(len(never) + 1, "one more"),
            why=Phrase("some" if never else "none"),
            steps=[
                *(
                    Phrase("met", token=token, times=times) if times else Phrase("never", token=token)
                    for token, times in merged.items()
                ),
                Phrase("together", times=len(never)),
            ],
            of=len(merged),
            read_words=WORDS,
            count=len(merged),
            merges=counted(learnt, "merge"),
            learnt_words=len(text.split()),
            title=title,
            list=wording.merge_list(word_merges.merge_steps(run)),
            text=self._to_read(title),
            other=other,
            tokens=_TOKENS.format(html.row(list(words))),
            other_text=self._to_read(other),
            never=wording.chips(never) or Phrase("none"),
        )

    def _to_read(self, title: str) -> str:
        """Return a line that opens the text with this title; "" for the lesson's text, shown above the questions."""
        names = {f"“{example(key).name}”": key for key in (STORY, OTHER)}
        return wording.text_to_open(title, example(names[title]).text) if title in names else ""

    def special(self) -> Facts:
        """Count the tokens of a special token's name if the name is read as text."""
        tokens = published().encode(SPECIAL, specials=False).tokens
        special = published().encode(SPECIAL, specials=True).ids[0]
        pieces = word_merges.pieces(published(), SPECIAL)
        count = Phrase("together", count=counted(len(tokens), "token"))
        return Facts(
            len(tokens),
            WrongAnswer(1, "special", id=str(special)),
            WrongAnswer(len(SPECIAL), "characters"),
            WrongAnswer(len(pieces), "pieces"),
            steps=[*(step for piece in pieces for step in wording.way(single_bytes(piece[0]), piece[1])), count],
            name=wording.text(SPECIAL),
            piece_count=counted(len(pieces), "piece"),
            pieces=wording.merges_inside(pieces),
            tokens=tokens,
        )

    def reveal(self) -> tuple[LastTokens | Merging, ...]:
        """Return the uses of each token, and the merges of a token that a model hardly ever met."""
        return (LastTokens(self.run), Merging(GLITCH))

    def taken(self) -> Phrase:
        """Return a famous glitch token."""
        glitch, merges = encode_text(GLITCH), word_merges.inside(published(), GLITCH)
        step = next(merge.step for merge in merges if merge.left + merge.right == glitch)
        return Phrase(glitch=glitch, step=step)

    def go_on(self) -> Tokens:
        """Return a state of Tokens with the special token's name as text."""
        return on_tokens(SPECIAL, specials=False)


def _first_words(text: str) -> str:
    """Return the first `WORDS` words of a text, with the white space between them."""
    words = list(re.finditer(r"\S+", text))[:WORDS]
    return text[words[0].start() : words[-1].end()] if words else ""
