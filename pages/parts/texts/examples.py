"""The example texts. Each text has one row: a title, and the values with which pages begin on the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Example:
    """A text in `examples/`.

    `held_out`: a text with the same letters, for testing what was trained on this one. `like`: the key of another
    example, whose text serves as the held-out text. `algorithms`: the three values with which the Algorithms page
    begins on this text:

    - a vocabulary size at which WordPiece takes steps and the rounds of Unigram differ;
    - a sentence with words that WordPiece and Unigram segment differently or cannot write;
    - a word of that sentence.
    """

    title: str
    held_out: str = ""
    like: str = ""
    algorithms: tuple[int, str, str] | None = None


_WIDE = "lower newer lowest widest longer"
_DOGS = "our dog. my good dog. your god."
_DRAGON = "one dragon. one dingo on a road. one gong."
_KEEPER = "The keeper and the newest dog walked to the lighthouse. Then they waited."
_FERRY = "The ferryman rang the bell, and then another boat came over the water."
_CODE = "def total(items): return sum(item.count for item in items)"
_DATES = "On 7 May 2024 they'll sail 12.5 miles, won't they?"
_CATS = "The cat drinks tea. Die Katze schläft. Кошка спит. 猫在喝茶。"

EXAMPLES = {
    "newest-widest": Example("low, lower, newest, widest", _WIDE, algorithms=(16, _WIDE, "lowest")),
    "hug-pug-pun": Example(
        "hug, pug, pun, bun, hugs", "hug bug hugs pugs gun", algorithms=(10, "hug bug mug hugs pugs gun", "hugs")
    ),
    "cats-eat": Example(
        "cats, eating, running",
        "eating cats jumping running food",
        algorithms=(22, "cats eating jumping running foods jumper skiing", "eating"),
    ),
    "my-dog": Example("my dog. your dog.", _DOGS, algorithms=(12, _DOGS, "good")),
    "one-dinosaur": Example("one dog. one dinosaur.", _DRAGON, algorithms=(15, _DRAGON, "dragon")),
    "keepers-dog": Example("The keeper's dog"),
    "bytes-into-words": Example("From bytes into words"),
    "accents": Example("Accents and capitals"),
    "short-story": Example("A short story", like="another-story", algorithms=(190, _KEEPER, "lighthouse")),
    "another-story": Example("Another short story", like="short-story", algorithms=(170, _FERRY, "ferryman")),
    "python-code": Example("Python code", algorithms=(240, _CODE, "return")),
    "many-languages": Example("Many languages and emoji", algorithms=(610, _CATS, "schläft")),
    "three-sources": Example("English, Hindi and Python, three sources", algorithms=(380, _CODE, "return")),
    "eight-languages": Example("Eight languages, eight sources", algorithms=(330, _CATS, "Katze")),
    "numbers-dates": Example(
        "Numbers, dates, contractions",
        algorithms=(230, _DATES, "they'll"),
    ),
}

# One sentence, translated for this app into eight languages. Each line has one language.
SENTENCES = """English: The children read a book under the old tree.
German: Die Kinder lesen ein Buch unter dem alten Baum.
Spanish: Los niños leen un libro bajo el viejo árbol.
Russian: Дети читают книгу под старым деревом.
Arabic: يقرأ الأطفال كتابًا تحت الشجرة القديمة.
Hindi: बच्चे पुराने पेड़ के नीचे एक किताब पढ़ते हैं।
Chinese: 孩子们在老树下读一本书。
Swahili: Watoto wanasoma kitabu chini ya mti mzee."""
