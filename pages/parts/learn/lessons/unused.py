"""The lesson about unused tokens, and tokens that no merge made."""

from __future__ import annotations

from functools import cached_property

from bpe_core import Run, Settings
from bpe_core.display.in_words import counted
from bpe_core.tokenizer.biography import trace
from pages.parts.learn import wording
from pages.parts.learn.instruments import Merging, Vocabulary
from pages.parts.learn.lessons.lesson import STORIES, Lesson, playground, published, trained
from pages.parts.learn.lessons.ties import MARKED, MERGES, STORY_SIZE
from pages.parts.learn.questions import NUMBER, Omission, Question, lure, question
from pages.parts.learn.texts import GLITCH, GPT2, GPT2_KEY, SPECIAL
from pages.parts.session.corpora import example
from pages.parts.session.page_states import Playground

STORY, OTHER = "short-story", "another-story"
FEWEST, SHOWN = 10, 5  # merges of a training; tokens in an answer


class UnusedTokens(Lesson):
    """The lesson "Tokens nobody uses, or merged"."""

    name = "Unused tokens"
    title = "Tokens nobody uses, or merged"
    can = "tell dead, glitch and special tokens apart"
    opening = "Every merge adds a token for good, but not every token goes on being used."
    own = example("newest-widest").text
    about = ("outgrown", "elsewhere", "special")
    others = STORIES

    @cached_property
    def run(self) -> Run:
        """A short run."""
        return trained(self.text, MARKED, MERGES)

    @cached_property
    def story(self) -> Run:
        """A longer run, on a story instead of the lesson's own text, which is too short for it."""
        text = example(STORY).text if self.is_own else self.text
        return trained(text, Settings(GPT2_KEY, vocab_size=STORY_SIZE))

    def outgrown(self) -> Question:
        """Ask how many tokens the text no longer uses. Lures: none, all, the number of used tokens."""
        run, learnt = self.run, self.run.steps
        if not learnt:
            raise Omission("it has no pair to join")
        uses = run.token_uses(learnt)[len(run.vocabulary(0)) :]
        dead = [merge.token for merge, used in zip(run.merges, uses, strict=True) if not used]
        alive = next((merge.token for merge, used in zip(run.merges, uses, strict=True) if used), b"")
        named = " ".join(map(wording.tok, dead))
        return question(
            f"Of the {counted(learnt, 'token')} learnt, how many does the text itself no longer use?",
            len(dead),
            f"{named or 'None'}: " + ("steps to longer tokens." if dead else "each still stands in a word."),
            lure(0, f"{named}: these were steps to longer ones, and are not in any word now."),
            lure(learnt, f"{wording.tok(alive)} still stands in a word.") if alive else None,
            lure(learnt - len(dead), f"So many are still used; not used any more: {named or 'none'}."),
            look=wording.learnt(run) + wording.corpus(run, learnt),
            typed=NUMBER,
        )

    def elsewhere(self) -> Question:
        """Ask how many tokens another text never uses. Lures: none, all, the number of used tokens."""
        run, learnt = self.story, self.story.steps
        other = STORY if self.text == example(OTHER).text else OTHER
        if learnt < FEWEST:
            raise Omission(f"it has fewer than {counted(FEWEST, 'merge')}")
        tokenizer = run.tokenizer()
        met, base = set(tokenizer.encode(example(other).text).ids), len(run.vocabulary(0))
        ids = range(base, base + learnt)
        uses = run.token_uses(learnt)
        never = [i for i in ids if i not in met]
        here = [run.vocabulary(learnt)[i] for i in sorted(never, key=lambda i: -uses[i])]
        both = [run.vocabulary(learnt)[i] for i in sorted(set(ids) & met, key=lambda i: -uses[i])]
        name = f"“{example(STORY).name}”" if self.is_own else "this text"
        return question(
            f"A vocabulary of {base + learnt:,} was learnt from {name}. Of the {counted(learnt, 'token')} learnt, how "
            f"many never occur in “{example(other).name}”?",
            len(never),
            f"{' '.join(map(wording.tok, here[:SHOWN]))} are among them." if here else "Each of them occurs in it.",
            lure(0, f"A merge pays on the text that it was learnt from; {wording.tok(here[0])} is not in the other.")
            if here
            else None,
            lure(learnt, f"{wording.tok(both[0])} serves both.") if both else None,
            lure(learnt - len(never), "So many do occur in it; the question is how many do not."),
            typed=NUMBER,
        )

    def special(self) -> Question:
        """Ask how many tokens the name of a special token is when it is read as text. Lures: one, its characters."""
        tokens = published().encode(SPECIAL, specials=False).tokens
        special = published().encode(SPECIAL, specials=True).ids[0]
        return question(
            f"A user types {wording.text(SPECIAL)}, and it is read as text. How many tokens are that to {GPT2}?",
            len(tokens),
            f"{wording.row(tokens)}: text like any other.",
            lure(1, f"Only where it is read as a special token, id {special}, which no merge makes."),
            lure(len(SPECIAL), "Those are its characters; merges have joined some of them."),
            typed=NUMBER,
        )

    def reveal(self) -> tuple[Vocabulary | Merging, ...]:
        """Return the uses of each token, and the merges of a token that a model hardly ever met."""
        return (Vocabulary(self.run), Merging(GLITCH))

    def take_away(self) -> str:
        """Return that a model may never have met some tokens of its vocabulary."""
        last = trace(published(), GLITCH)[-1]
        return (
            "A vocabulary is often learnt from another text than the model, which may then never have met some of its "
            "tokens. "
            f"{wording.tok(GLITCH.encode())}, a user's name, is one token of {GPT2} (step {last.step:,})."
        )

    def go_on(self) -> Playground:
        """Return the way to the Playground, with the special token's name as text."""
        return playground(SPECIAL, specials="no")
