"""The gallery: films and texts as saved pages, and an index that leads to them. No page needs a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from bpe_core.pictures.paper.html import text_tokens
from bpe_core.pictures.saved.page_file import SavedPage
from bpe_core.pictures.saved.saved_page import HEAD, STYLE, Back, film, view
from bpe_core.pictures.shared.style import TOKENS
from bpe_core.pictures.shared.token_text import glyph_in
from bpe_core.published import PUBLISHED
from bpe_core.record.run_training import train
from bpe_core.settings import Settings
from bpe_core.ties import TieRuleKey
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.writing import write_files

INDEX = "index.html"
_SHOWN = 12  # tokens of a page's text that the index shows
_SHELLS = "she sells sea shells by the sea shore. the shells she sells are sea shells, she is sure."
_EMOJI = "👩‍🚀 👨‍🚀 👩‍👧 👨‍👩‍👧 👩‍👩‍👧 🦜 🐈 🐈‍⬛ 🦜🦜 🐈 👩‍🚀 👨‍👩‍👧 🏳️‍🌈 👍🏽 👍 👩🏽‍🚀"
_HINDI = "बिल्ली चाय पीती है। बिल्ली बाज़ार जाती है। बाज़ार में चाय गरम है। बिल्ली घर आती है।"
_DOGS = "my dog. your dog, her dog; our dogs. dog? the dog! a good dog."
_NOTEBOOK = "low low low low low lower lower newest newest newest newest newest newest widest widest widest longer"
_CODE = """class Counter:
    def __init__(self):
        self.counts = {}

    def add(self, word):
        self.counts[word] = self.counts.get(word, 0) + 1

    def most(self):
        return max(self.counts, key=self.counts.get)

    def total(self):
        return sum(self.counts.values())


counter = Counter()
for word in "to be or not to be".split():
    counter.add(word)
print(counter.most(), counter.total())
"""
_THREE = {
    "English": "the cat drinks milk. the cat goes to the market. the milk at the market is warm. the cat comes home.",
    "Hindi": _HINDI,
    "Python": _CODE,
}
_POEM = """The tide comes in, the tide goes out,
the lamp goes round and round.
The keeper turns the lamp about
and listens to the sound

of tide on stone, of stone on tide,
of rope and bell and rain.
The tide goes out, the doors stand wide,
the tide comes in again.
"""
_ENDS = (
    "At the end of the day the end of the road is not the end of the world. Day by day, step by step, side by side: at "
    "the end of the day, day by day, we walk side by side to the end of the road."
)
_LEAVES = (
    "Photosynthesis turns light into sugar. The photosynthetic chloroplast holds chlorophyll; chlorophyll holds the "
    "light. Chloroplasts photosynthesise, chloroplasts respire: chlorophyll and chloroplasts, leaf by leaf."
)
# What Qwen 3's chat template makes of four turns, and of the wish for an answer.
_CHAT = """<|im_start|>system
Answer in one word.<|im_end|>
<|im_start|>user
Is a tomato a fruit?<|im_end|>
<|im_start|>assistant
Yes.<|im_end|>
<|im_start|>user
And a strawberry?<|im_end|>
<|im_start|>assistant
"""
_RULES: tuple[TieRuleKey, TieRuleKey] = ("first-seen", "greatest")
_AS_IN_NOTEBOOK = Settings("whitespace", "characters", "end", "corpus-order", vocab_size=21)

_BACK = Back(INDEX, "All films and texts")

Make = Callable[[str, Sequence[str]], tuple[SavedPage, Encoding]]


class GalleryPage(NamedTuple):
    """A page of the gallery. `about`: sentences on what there is to see.

    `make(title, [about])`: returns the saved page, and an encoding whose first tokens the index shows.
    """

    title: str
    about: str
    make: Make


def _film(text: str | Mapping[str, str], *sides: Settings, step: int = 0) -> Make:
    """Return a function that makes the film of one or two trainings on a text, opened at `step`.

    `sides`: the trainings' settings.
    """

    def make(title: str, about: Sequence[str]) -> tuple[SavedPage, Encoding]:
        run, *others = (train(text, settings) for settings in sides)
        page = film(run, step, title, beside=others[0] if others else None, about=about, back=_BACK)
        return page, run.tokenizer().encode(text if isinstance(text, str) else " ".join(text.values()))

    return make


def _published(name: str, text: str, step: int | None = None) -> Make:
    """Return a function that makes the page of a text under a published vocabulary. The page opens at `step`."""

    def make(title: str, about: Sequence[str]) -> tuple[SavedPage, Encoding]:
        row = PUBLISHED[name]
        encoding = row.load().encode(text, specials=True)
        return view(encoding, row.title, title=title, about=about, step=step, back=_BACK), encoding

    return make


def _unseen(title: str, about: Sequence[str]) -> tuple[SavedPage, Encoding]:
    encoding = train(_NOTEBOOK, _AS_IN_NOTEBOOK).tokenizer().encode("lowest")
    return view(encoding, "SELENE notebook", title=title, about=about, back=_BACK), encoding


PIECES = {
    "ties": GalleryPage(
        "Ties: two rules, two vocabularies",
        "At most steps several pairs are equally frequent, and a rule chooses: “first seen” takes the pair that the "
        "text has first, “greatest” the last one in the order of bytes. After two merges the two trainings part.",
        _film(_SHELLS, *(Settings("gpt2", "characters", tie_rule=rule, vocab_size=36) for rule in _RULES)),
    ),
    "emoji": GalleryPage(
        "Emoji: from bytes to families",
        "An emoji is several bytes, and a family is several emoji with invisible joiners (ZWJ) between them. Until its "
        "bytes have found each other, a part of a character is shown in hexadecimal.",
        _film(_EMOJI, Settings("gpt2", vocab_size=256 + 49)),
    ),
    "hindi": GalleryPage(
        "Hindi: three bytes a letter",
        "A letter of Devanagari is three bytes in UTF-8, a letter of English one. So the first merges are spent on "
        "making letters of bytes, which English has from the start.",
        _film(_HINDI, Settings("o200k", vocab_size=256 + 52)),
    ),
    "sources": GalleryPage(
        "Three languages learn one vocabulary",
        "English, Hindi and Python are trained on together, and the strip shows which of them wanted each merge. The "
        "first is Hindi's, whose letters are three bytes each. Python has the most text and gets the most merges; "
        "English waits for its first until step 13.",
        _film(_THREE, Settings("gpt2", vocab_size=256 + 70)),
    ),
    "two-splits": GalleryPage(
        "Two splits of one text",
        "Split at white space, the full stop stays at the dog: dog. and dog, and dog; are each learnt for themselves. "
        "GPT-2 splits them off before training, and one token ·dog serves in all three.",
        _film(_DOGS, *(Settings(split, "characters", vocab_size=40) for split in ("whitespace", "gpt2"))),
    ),
    "never-seen": GalleryPage(
        "A word never seen",
        "The training never saw lowest, and yet two tokens write it: l, o and w were joined for low and lower, and the "
        "end, est, for newest and widest. Start and Play show how they come together.",
        _unseen,
    ),
    "numbers": GalleryPage(
        "Numbers: threes from the left",
        "GPT-4 cuts a number into threes from the left: 1234567 is 123, 456 and 7, and 1024 is 102 and 4. So the same "
        "digit is part of another token as soon as a number grows.",
        _published("cl100k_base", "7, 42, 365, 1024, 86400; 1234567 + 89 = 1234656"),
    ),
    "code": GalleryPage(
        "Code: the dot joins the name",
        "GPT-4's split lets a name keep the dot or the bracket before it: .counts and (self become tokens like words. "
        "Of the spaces before a name, one goes to the name; the others become tokens of their own.",
        _film(_CODE, Settings("cl100k", vocab_size=256 + 64)),
    ),
    "gpt-2": GalleryPage(
        "GPT-2 melts a sentence",
        "This sentence begins as bytes, one a character. Play makes the merges that GPT-2 learnt, in the order in "
        "which it learnt them. A click on a token shows the tree of its merges.",
        _published("gpt2", "The keeper's dog slept on the lighthouse stairs and dreamt of strawberries.", 0),
    ),
    "chat": GalleryPage(
        "A chat, as Qwen reads it",
        "Four turns become one text. <|im_start|> and <|im_end|> say where a turn begins and ends: each is one token, "
        "which no merge makes. The last line asks for an answer, and the model writes on from there.",
        _published("qwen", _CHAT),
    ),
    "poem": GalleryPage(
        "A poem without a split",
        "Nothing splits this text, so that tokens grow over the ends of words and lines. Training ends when no pair is "
        "left that comes twice.",
        _film(_POEM, Settings("none", vocab_size=400, min_count=2)),
    ),
    "across-words": GalleryPage(
        "Across words, as SuperBPE does",
        "Twenty merges within words came first. Then the split falls, and the film shows what follows: the text says "
        "the end of the five times, so after three merges that is one token, with the space before it.",
        _film(_ENDS, Settings("gpt2", vocab_size=290, min_count=2, then_across_words_from=276), step=20),
    ),
    "grown": GalleryPage(
        "GPT-2, grown on a text about leaves",
        "At step 0 the text is in GPT-2's tokens, which lack the words of this field. Every merge adds one token; all "
        "old tokens keep their ids, and so does every text in which no new merge applies.",
        _film(_LEAVES, Settings("gpt2", start="gpt2", vocab_size=50_257 + 5, min_count=2)),
    ),
    "selene": GalleryPage(
        "The corpus of the SELENE notebook",
        "Seventeen words, five of them different. The nine merges of the notebook first find est, the end of newest "
        "and widest, and then the whole words newest and low. In its rule for ties, changed words move to the end.",
        _film(_NOTEBOOK, _AS_IN_NOTEBOOK),
    ),
}

_SITE = Path("site") / INDEX  # beside the gallery: `mergescope site gallery/site`
_OWN_TEXT = Markup("""\
<p class="about"><a href="{}">Your own text</a>: its tokens, and a training on it, in this browser.</p>
""")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_INDEX = HEAD + Markup("""\
<p class="about">Byte-pair encoding learns tokens from a text: it joins the most frequent pair of neighbours, again \
and again. Each page plays in the browser, without a server: press Play, or step with the arrow keys.</p>
{own_text}<ol>
{pieces}
</ol>
</main>
</body>
</html>
""")
_CARD = Markup('<li><h2><a href="{name}">{title}</a></h2>{tokens}<p>{about}</p></li>')
_INDEX_STYLE = f"""{STYLE}{TOKENS}
h1 {{ font-size: var(--size-title); }}
ol {{ list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: 1rem;
grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }}
li {{ border: 1px solid var(--hair); border-radius: 0.4rem; padding: 0.7rem 1rem; }}
li:focus-within {{ border-color: var(--accent); }}
h2 {{ font-size: var(--size-large); margin: 0 0 0.3rem; }}
li p {{ margin: 0.4rem 0 0; color: var(--soft); font-size: var(--size-small); }}
li .tokens {{ max-height: 3.8em; overflow: hidden; }}
"""


def write_gallery(folder: str | PathLike[str]) -> list[Path]:
    """Write the index and the pages of the gallery into a folder; return their paths, the index first.

    The folder is made if it does not exist. If it has a `site`, the index leads there too.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    cards, paths = [], []
    for key, piece in PIECES.items():
        page, encoding = piece.make(piece.title, [piece.about])
        path = page.save(folder / f"{key}.html")
        cards.append(_CARD.format(name=path.name, title=piece.title, tokens=_tokens(encoding), about=piece.about))
        paths.append(path)
    title, pieces = f"Mergescope: {len(PIECES)} films and texts", Markup("\n").join(cards)
    own_text = _OWN_TEXT.format(_SITE.as_posix()) if (folder / _SITE).exists() else ""
    style = Markup(_INDEX_STYLE)
    shown = _INDEX.format(policy=_POLICY, back="", title=title, style=style, own_text=own_text, pieces=pieces)
    index = folder / INDEX
    write_files({index: shown.encode()})
    return [index, *paths]


def _tokens(encoding: Encoding) -> Markup:
    """Draw the first `_SHOWN` tokens of a text, without ids."""
    tokens, ids = encoding.drawn[:_SHOWN], encoding.ids[:_SHOWN]
    return text_tokens(tokens, ids, glyph_in(encoding.walk.vocabulary), show_ids=False)
