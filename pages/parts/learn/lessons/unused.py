"""The lesson about unused tokens, and tokens that no merge made."""

from __future__ import annotations

import re
from functools import cached_property

from markupsafe import Markup

from bpe_core import Run, Settings
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.in_words import counted
from bpe_core.text.alphabet import encode_text
from pages.parts.learn import word_merges, wording
from pages.parts.learn.lessons.lesson import SMALL, Lesson, playground, published, simple_run
from pages.parts.learn.lessons.ties import MARKED, MERGES
from pages.parts.learn.questions import NUMBER, Omission, Question, question, wrong_answer
from pages.parts.learn.reveal_drawings import LastTokens, Merging
from pages.parts.learn.texts import GLITCH, GPT2, GPT2_KEY, SPECIAL
from pages.parts.playground.playground_state import Playground
from pages.parts.texts.corpora import example

STORY, OTHER = "short-story", "another-story"
_TOKENS = Markup('<div class="tokens">{}</div>')
WORDS, LEARNT, FEWEST = 30, 12, 5  # words of each text; the most and the fewest merges to ask about


class UnusedTokens(Lesson):
    """The lesson "Tokens nobody uses, or merged"."""

    name = "Unused tokens"
    title = "Tokens nobody uses, or merged"
    can = "tell dead, glitch and special tokens apart"
    opening = (
        "Every [merge] adds a token for good. A dead token is one that its own text no longer uses. A glitch token is "
        "one that a language model never met. A special token is one that no merge made."
    )
    own = example("newest-widest").text
    about = ("outgrown", "elsewhere", "special")
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

    def outgrown(self) -> Question:
        """Ask how many tokens the text no longer uses. Wrong answers: none, all, one too many or few."""
        run, learnt = self.run, self.run.steps
        if not learnt:
            raise Omission("it has no pair to merge")
        uses = run.token_uses(learnt)[len(run.vocabulary(0)) :]
        dead = [merge.token for merge, used in zip(run.merges, uses, strict=True) if not used]
        alive = [merge.token for merge, used in zip(run.merges, uses, strict=True) if used]
        named = " ".join(map(wording.tok, dead))
        name = f"The {counted(learnt, 'merge')} of a training on these words, in their order, and the words after it:"
        return question(
            f"How many of the {counted(learnt, 'merged token')} are dead: in none of the words now?",
            len(dead),
            f"{named}: steps to longer tokens, in none of the words now." if dead else "Each is still in a word.",
            wrong_answer(0, f"{named}: these were steps to longer ones, and are in none of the words now."),
            wrong_answer(learnt, f"{wording.tok(alive[0])} is still in a word.") if alive else None,
            wrong_answer(len(dead) - 1, f"One more: {named}.") if len(dead) > 1 else None,
            wrong_answer(len(dead) + 1, f"Not more than {named or 'none'}: every other token is still in a word."),
            look=wording.merge_list(word_merges.merge_steps(run), name=name) + wording.corpus(run, learnt),
            typed=NUMBER,
            steps=[
                *(
                    f"{wording.tok(merge.token)}: " + (f"used {used:,} ×." if used else "in no word, dead.")
                    for merge, used in zip(run.merges, uses, strict=True)
                ),
                f"Dead: {len(dead):,}.",
            ],
            of=learnt,
        )

    def elsewhere(self) -> Question:
        """Ask how many tokens another text never uses.

        Wrong answers: none, all, the tokens whose bytes that text lacks.
        """
        run, learnt = self.vocabulary, self.vocabulary.steps
        (title, text), (other, read) = self.beginnings
        if learnt < FEWEST:
            raise Omission(f"its first words have fewer than {counted(FEWEST, 'merge')}")
        words = run.tokenizer().encode(read, specials=True).tokens
        merged = list(dict.fromkeys(merge.token for merge in run.merges))
        never = [token for token in merged if token not in words]
        met = [token for token in merged if token in words]
        if not met:
            raise Omission(f"the first words of {other} have none of its tokens")
        spelt = [token for token in never if token in encode_text(read)]
        named = " ".join(map(wording.tok, never))
        inside = wording.listed([wording.tok(token) for token in spelt])
        return question(
            f"A model reads only these {WORDS:,} words. How many of the {len(merged):,} tokens does it never meet? To "
            "this model they would be glitch tokens.",
            len(never),
            f"{named}." if never else "It meets each of them.",
            wrong_answer(0, f"It never meets {named}.") if never else None,
            wrong_answer(len(merged), f"It meets {wording.tok(met[0])}."),
            wrong_answer(
                len(never) - len(spelt),
                f"The letters of {inside} are there, but only inside of longer tokens or across two of them: the model "
                "reads tokens.",
            ),
            wrong_answer(len(never) + 1, f"Every other one is met; never met: {named or 'none'}."),
            look=wording.merge_list(
                word_merges.merge_steps(run),
                name=f"{counted(learnt, 'merge')}, learnt from the first {len(text.split()):,} words of {title}:",
            )
            + self._to_read(title)
            + wording.sentence(f"The first {WORDS:,} words of {other}, in the tokens of this vocabulary:")
            + str(_TOKENS.format(html.row(list(words))))
            + self._to_read(other),
            typed=NUMBER,
            steps=[
                *(
                    f"{wording.tok(token)}: " + (f"met {words.count(token):,} ×." if token in words else "never met.")
                    for token in merged
                ),
                f"Never met: {len(never):,}.",
            ],
            of=len(merged),
        )

    def _to_read(self, title: str) -> str:
        """Return a line that opens the text with this title; "" for the lesson's text, shown above the questions."""
        names = {f"“{example(key).name}”": key for key in (STORY, OTHER)}
        return wording.text_to_open(title, example(names[title]).text) if title in names else ""

    def special(self) -> Question:
        """Ask how many tokens a special token's name is if the name is read as text.

        Wrong answers: one, its characters.
        """
        tokens = published().encode(SPECIAL, specials=False).tokens
        special = published().encode(SPECIAL, specials=True).ids[0]
        pieces = word_merges.pieces(published(), SPECIAL)
        steps = [step for piece, merges in pieces for step in wording.way(word_merges.single_bytes(piece), merges)]
        return question(
            "A user types this name, and it is read as text. How many tokens are that?",
            len(tokens),
            f"{wording.row(tokens)}: text like any other, and no end of a text.",
            wrong_answer(
                1,
                f"Only where it is read as a special token, number {special} of the vocabulary, which no merge makes.",
            ),
            wrong_answer(len(SPECIAL), "Those are its characters; merges have joined some of them."),
            wrong_answer(len(pieces), "Those are the pieces of the split; not every piece is one token."),
            look=wording.sentence(
                f"{wording.text(SPECIAL)} is the name of a special token of {GPT2}: alone between two texts it tells "
                f"the model that one of them has ended. As text it is split into {counted(len(pieces), 'piece')}:"
            )
            + wording.merges_inside(pieces),
            typed=NUMBER,
            steps=[*steps, f"Together {counted(len(tokens), 'token')}."],
        )

    def reveal(self) -> tuple[LastTokens | Merging, ...]:
        """Return the uses of each token, and the merges of a token that a model hardly ever met."""
        return (LastTokens(self.run), Merging(GLITCH))

    def take_away(self) -> str:
        """Return the three kinds of tokens, with a famous glitch token."""
        whole = encode_text(GLITCH)
        step = next(
            merge.step for merge in word_merges.inside(published(), GLITCH) if merge.left + merge.right == whole
        )
        return (
            "Dead: a step to longer tokens. Special: made by no merge. Glitch: learnt from one text, and not in the "
            f"text that the model reads. {wording.tok(GLITCH.encode())}, a user's name, is one token of {GPT2} (step "
            f"{step:,}); models that had hardly met it did odd things with it."
        )

    def go_on(self) -> Playground:
        """Return a state of the Playground with the special token's name as text."""
        return playground(SPECIAL, specials=False)


def _first_words(text: str) -> str:
    """Return the first `WORDS` words of a text, with the white space between them."""
    words = list(re.finditer(r"\S+", text))[:WORDS]
    return text[words[0].start() : words[-1].end()] if words else ""
