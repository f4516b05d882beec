"""The lessons: the figures of their own texts, the right answers found again, and what holds on every text."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from bpe_core import reference
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import GPT2_BYTE_ORDER, LETTERS
from pages.parts.learn.lessons import LESSONS, lesson
from pages.parts.learn.lessons.lesson import published
from pages.parts.learn.questions import judge, plain_text
from pages.parts.learn.reveal_drawings import WholeText
from pages.parts.texts.examples import EXAMPLES
from tests.pages.learn.page_parts import read
from tests.texts import EXAMPLE_TEXTS

LESSON_FILES = Path(__file__).parents[3] / "pages/parts/learn/lessons"

# Every question of every lesson on its own text: the right answer, and wrong ones that it must offer.
FIGURES = {
    "pairs": [("u + g", "p + u"), ("u + n", "p + u", "h + ug"), ("3", "10", "17")],
    "ties": [("3", "1", "17"), ("5", "4", "6")],
    "unseen": [("2", "unknown", "7", "1"), ("l|ighthouse", "light|house", "lighthouse")],
    "cuts": [("one· + d", "d + i", ". + ·"), ("one·dog.", "dog."), ("·dinosaur", "dog.", "one·")],
    "bytes": [("3", "1", "4", "unknown"), ("बिल्ली चाय पीती है।", "猫喝茶。"), ("बिल्ली चाय पीती है।", "猫喝茶。")],
    "spaces": [("4", "1", "2"), ("3", "2", "1"), ("5", "4")],
    "numbers": [("2023", "1978", "1999"), ("7", "5", "11"), ("123|456|7", "1|234|567", "123|45|67")],
    "size": [("677", "412", "529", "825"), ("1,060", "5,000")],
    "unused": [("4", "0", "9"), ("5", "0", "12"), ("7", "1")],
    "letters": [("3", "0", "2", "10"), ("5", "1", "9"), ("10", "3", "19")],
    "prompts": [("8117", "612", "220"), ("8", "7", "20"), ("1", "0", "2")],
    "drift": [("hello", "he|llo", "h|e|l|l|o"), ("13", "1", "12", "16")],
    "requests": [("33", "6", "21"), ("6", "33", "11"), ("8", "15", "26")],
    "cutters": [
        (
            "an apostrophe and s, t, re, ve, m, ll or d",
            "other signs, with the space before them",
            "letters, with the space before them",
        ),
        ("6", "4", "22"),
    ],
    "evidence": [
        ("45", "62", "100"),
        ("38 to 45%", "0 to 45%", "29 to 71%"),
        ("nothing: no share fits", "53 to 69%", "38 to 45%"),
    ],
    "rivals": [("##m + ##p", "##a + ##t", "r + ##u"), ("one unknown token", "j|u|m|p|e|r"), ("unning", "eating", "a")],
    "further": [
        ("·the + ·parrot", "·see + ·the", "no pair is left"),
        ("·par + rot", "·fer + ret", "h + e"),
        ("·fer|rets", "·ferret|s", "·ferrets"),
    ],
    "columns": [
        ("1|234|656", "123|465|6", "12|34|656"),
        ("threes from the right", "GPT-2", "GPT-4 (cl100k)"),
        ("4,560", "456", "456,000"),
    ],
}
# (lesson, question, answer): what is said to it must have these words in it.
SAID = [
    ("pairs", 0, "u + g", ["20 times", "10 in hug", "5 in pug", "5 in hugs"]),
    ("pairs", 0, "p + u", ["17", "pun is the most frequent word (12 times)"]),
    ("pairs", 1, "p + u", ["had 17", "12 are left"]),
    ("pairs", 1, "h + ug", ["15", "1 fewer"]),
    ("ties", 0, "3", ["es, st and t_", "9 times"]),
    ("ties", 1, "4", ["west_", "new"]),
    ("ties", 1, "5", ["newer_"]),
    ("unseen", 1, "light|house", ["th (step 145)", "ight (step 177)", "took t"]),
    ("unseen", 1, "lighthouse", ["·lighthouse is a token"]),
    ("cuts", 0, "one· + d", ["3 times"]),
    ("cuts", 0, "d + i", ["2 times"]),
    ("cuts", 1, "dog.", ["Step 7"]),
    ("bytes", 0, "3", ["4 bytes, 1 merge"]),
    ("bytes", 1, "बिल्ली चाय पीती है।", ["31 tokens"]),
    ("bytes", 1, "The cat drinks tea.", ["5 tokens"]),
    ("bytes", 1, "Die Katze trinkt Tee.", ["8 tokens"]),
    ("bytes", 1, "Кошка пьёт чай.", ["20 tokens"]),
    ("bytes", 1, "猫喝茶。", ["10 tokens", "the most for each character"]),
    ("spaces", 0, "4", ["9703", "3290", "32942", "8532"]),
    ("spaces", 1, "2", ["·straw, not straw"]),
    ("spaces", 2, "5", ["220"]),
    ("unused", 0, "4", ["es est ne new"]),
    ("bytes", 2, "猫喝茶。", ["10 tokens to GPT-2, 3 here"]),
    ("numbers", 0, "2023", ["2019"]),
    ("unused", 1, "5", ["·and"]),
    ("unused", 2, "1", ["50256"]),
    ("rivals", 0, "##m + ##p", ["1 / (1 · 1) = 1"]),
    ("rivals", 0, "##a + ##t", ["20 / (20 · 20) = 0.05", "BPE"]),
    ("rivals", 0, "r + ##u", ["2 / (2 · 3) = 0.33"]),
    ("rivals", 2, "unning", ["60, 45, 33, 24, 22"]),
    ("columns", 0, "1|234|656", ["1,234,656"]),
    ("columns", 1, "GPT-4 (cl100k)", ["123 ends inside a group"]),
    ("columns", 2, "4,560", ["456 · 10"]),
    ("letters", 0, "3", ["1 in raw and 2 in berry"]),
    ("letters", 0, "2", ["berry has it 2 times"]),
    ("letters", 1, "5", ["1, 301, 1831, 8396 and 41236"]),
    ("letters", 2, "10", ["3 of them are r"]),
    ("further", 0, "·the + ·parrot", ["seen 3 times"]),
    ("further", 1, "·par + rot", ["seen 5 times", "the id after all old ones"]),
    ("further", 2, "·fer|rets", ["own merges come first"]),
    ("prompts", 0, "612", ["there would be two"]),
    ("prompts", 1, "8", ["33,134 of 50,256"]),
    ("prompts", 2, "1", ["one of 15 tokens"]),
    ("drift", 0, "he|llo", ["does not say how it was written"]),
    ("drift", 1, "1", ["writes one, dr"]),
    ("requests", 0, "33", ["all five turns"]),
    ("requests", 2, "15", ["something else stands before it"]),
    ("cutters", 0, "other signs, with the space before them", ["would fit here too"]),
    ("cutters", 0, "letters, with the space before them", ["finds nothing"]),
    ("cutters", 1, "4", ["splits at white space alone"]),
    ("evidence", 0, "62", ["that the English sample has n + d too"]),
    ("evidence", 1, "29 to 71%", ["step 2 says alone"]),
    ("evidence", 2, "53 to 69%", ["the text had 45%", "fit no share"]),
]
TAKEN_AWAY = {
    "ties": "294 of the first 344",
    "bytes": "is still 16 tokens (51 bytes), 猫喝茶。 3 (12 bytes)",
    "cuts": "At step 3 one·d would be seen 3 times, more than any pair that is allowed (2)",
    "size": "of 804 merges, 297 join",
    "unused": "step 43,198",
    "letters": "GPT-2 is given 301 1831 8396 for strawberry. The letters of a token are in no id",
    "further": "28 tokens of this text became 3; from the tokens of GPT-2, 34 became 28",
    "drift": "16 lists for hello",
    "requests": "63 tokens in three requests for 21 tokens of questions",
    "evidence": "38 to 45% of German, and it was 45%",
    "prompts": "rules out 33,134 of GPT-2’s 50,256 tokens",
}


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_on_its_own_text_has_the_figures_of_its_design(key):
    made = lesson(key)
    assert made.left_out == ()
    for asked, (right, *wrong_answers) in zip(made.questions, FIGURES[key], strict=True):
        assert asked.right.label == right
        assert set(wrong_answers) <= {wrong_answer.label for wrong_answer in asked.wrong_answers}
    assert TAKEN_AWAY.get(key, "") in plain_text(made.take_away())


@pytest.mark.parametrize(("key", "number", "answer", "words"), SAID)
def test_what_is_said_to_an_answer_names_its_figures(key, number, answer, words):
    said = plain_text(judge(lesson(key).questions[number], answer).why)
    assert [word for word in words if word not in said] == []


# --- the right answers, found again ---


def textbook(text, marker=(), choose=None, words=None):
    """The textbook run on a text: (pair, count, words after it) a step, without any of the fast engine."""
    if words is None:
        words = Counter(tuple(char.encode() for char in word) + tuple(marker) for word in text.split())
    return words, list(reference.train(words, *([choose] if choose else [])))


MARK = (b"\xff",)


def test_the_worked_example_is_not_the_answer():
    asked = lesson("pairs").questions[0]
    worked = plain_text(asked.look).split("Counted for you: ")[1]
    assert worked == "hu is seen 15 times: 10 in hug and 5 in hugs."
    assert asked.right.label == "u + g"


def test_pairs_again():
    words, steps = textbook(lesson("pairs").text)
    assert [(pair, count) for pair, count, _ in steps[:2]] == [((b"u", b"g"), 20), ((b"u", b"n"), 16)]
    assert reference.count_pairs(words)[b"p", b"u"] == 17
    assert reference.count_pairs(steps[0][2])[b"p", b"u"] == 12
    assert len({symbol for word in words for symbol in word}) + 3 == 10


def encoded(word, merges):
    """A word with merges applied in order."""
    symbols = tuple(char.encode() for char in word) + MARK
    for pair in merges:
        symbols = reference.join(symbols, pair)
    return symbols


def test_ties_and_the_unseen_word_again():
    text = lesson("ties").text
    words, steps = textbook(text, MARK)
    counts = reference.count_pairs(words)
    assert sorted(counts.values())[-3:] == [9, 9, 9]
    assert sorted(counts.values())[-4] < 9
    assert len(counts) == 17
    _, greatest = textbook(text, MARK, lambda counts: max(counts, key=lambda pair: (counts[pair], pair)))
    first, other = ([pair for pair, *_ in run[:9]] for run in (steps, greatest))
    assert encoded("newer", first) == (b"new", b"e", b"r", b"\xff")
    assert encoded("newer", other) == (b"ne", b"w", b"e", b"r", b"\xff")
    assert encoded("lowest", first) == (b"low", b"est\xff")
    used = {token for word in steps[8][2] for token in word}
    assert {left + right for left, right in first} - used == {b"es", b"est", b"ne", b"new"}


def test_cuts_again():
    text = lesson("cuts").text
    _, uncut = textbook(text, words={tuple(char.encode() for char in text): 1})
    assert uncut[2][0] == (b"one", b" ")
    assert uncut[3][:2] == ((b"one ", b"d"), 3)
    _, by_space = textbook(text)
    assert by_space[6][0] == (b"dog", b".")


def test_where_a_training_goes_on_again():
    lines = [re.findall(r" ?\w+|[^\w ]", line) for line in lesson("further").text.splitlines(keepends=True)]
    words = Counter(tuple(word.encode() for word in line) for line in lines)
    (pair, count, _), *_ = reference.train(words)
    assert (pair, count) == ((b" the", b" parrot"), 3)
    halves = Counter((b" par", b"rot") if word == " parrot" else (word.encode(),) for line in lines for word in line)
    (pair, count, _), *_ = reference.train(halves)
    assert (pair, count) == ((b" par", b"rot"), 5)
    grown = lesson("further").grown.tokenizer()
    assert grown.encode(" ferrets").tokens == (b" fer", b"rets")
    assert grown.encode(" ferrets", longest=True).tokens == (b" ferret", b"s")


def test_published_tokens_again():
    """By another library, where it is installed."""
    tokenizers = pytest.importorskip("tokenizers")
    ours = published()
    letters = dict(zip(GPT2_BYTE_ORDER, LETTERS, strict=True))
    spelt = ["".join(letters[byte] for byte in token) for token in ours.tokens]
    merges = [(spelt[left], spelt[right]) for left, right, _ in ours.merges]
    model = tokenizers.models.BPE(vocab={token: i for i, token in enumerate(spelt)}, merges=merges)
    theirs = tokenizers.Tokenizer(model)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    expected = {"lighthouse": 2, "🦜": 3, "strawberry": 3, "once upon a time ": 5, "2023": 2, "<|endoftext|>": 7}
    expected |= {"once upon a time there": 5, "s t r a w b e r r y": 10, "http:": 2, "http://": 2}
    expected |= {"127 + 677 = 804": 7, "बिल्ली चाय पीती है।": 31, "猫喝茶。": 10, "Кошка пьёт чай.": 20}
    assert {text: len(theirs.encode(text).ids) for text in expected} == expected


def test_the_pieces_of_digits_are_tokens_of_the_vocabulary_that_splits_so():
    """The lesson on columns calls GPT-4's pieces tokens."""
    tokens = set(PUBLISHED["cl100k_base"].load().tokens)
    assert {f"{number:0{size}}".encode() for size in (1, 2, 3) for number in range(10**size)} <= tokens


# --- texts of one's own ---


def test_a_text_of_many_words_gives_most_questions():
    asked = [len(lesson(key, EXAMPLE_TEXTS["numbers-dates"]).questions) for key in LESSONS]
    assert sum(asked) >= 20


def test_counting_by_hand_takes_the_beginning_of_a_long_text_and_says_so():
    text = EXAMPLE_TEXTS["short-story"]
    made = lesson("pairs", text)
    assert text.startswith(made.text)
    assert len(set(made.text.split())) == 24
    assert made.part_note.endswith(
        f"takes the first {len(made.text)} of the text’s 7,566 characters: 24 different words."
    )
    assert lesson("size", text).part_note == ""


def test_user_text_is_escaped():
    made = lesson("pairs", "<b>&\"'</b> <b>&\"'</b> <i>")
    shown = [text for asked in made.questions for text in (asked.ask, asked.look, *(o.why for o in asked.options))]
    assert shown
    assert not any("<b>" in text or "<i>" in text for text in shown)
    assert not any("&lt;span" in text or "&lt;p" in text or "&amp;lt;" in text for text in shown)  # nor twice


@pytest.mark.parametrize("key", LESSONS)
def test_every_named_text_can_be_opened(key):
    made = lesson(key)
    shown = "".join(one.ask + one.look + "".join(option.why for option in one.options) for one in made.questions)
    named = {row.title for row in EXAMPLES.values() if f"“{row.title}”" in shown + made.take_away()}
    opened = {each.title.strip("“”") for each in made.reveal() if isinstance(each, WholeText)}
    assert named == {title for title in named if title in opened or f"<summary>Read “{title}”" in shown}


@pytest.mark.parametrize("key", LESSONS)
def test_the_words_of_the_field_are_underlined_where_a_lesson_first_has_them(key):
    made = lesson(key)
    asked = " ".join(read(one.look).prose + read(one.ask).prose for one in made.questions)
    explained = asked + " " + made.opening  # "the different characters of the text, its alphabet"
    for word, meanings in {
        "id": ["[id]"],
        "alphabet": ["[alphabet]", "characters of the text, its alphabet", "the alphabet, the"],
        "byte": ["[bytes]", "bytes, and grows"],
    }.items():
        if re.search(rf"\b{word}s?\b", asked):
            assert any(meaning in explained for meaning in meanings)


# --- prose cannot drift ---


@pytest.mark.parametrize("path", sorted(LESSON_FILES.glob("*.py")), ids=lambda path: path.stem)
def test_no_digit_in_a_string_of_a_lesson(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    specs = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FormattedValue) and node.format_spec
        for inner in ast.walk(node.format_spec)
    }
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in specs
    ]
    prose = [text for text in strings if ">>>" not in text]
    assert prose
    assert [text for text in prose if any(char.isdigit() for char in text)] == []
