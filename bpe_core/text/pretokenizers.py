"""The built-in pretokenizers: how a text is split before training. No merge crosses a boundary between pretokens.

Each is one row of `PRETOKENIZERS` (see `rules.Pretokenizer`).
"""

from __future__ import annotations

from dataclasses import replace

from bpe_core.text.class_rules import (
    ENDINGS,
    ENDINGS_OF_ANY_CASE,
    LETTERS,
    MARKS,
    SIGNS,
    WHITE,
    ClassRules,
    leading_words,
)
from bpe_core.text.rules import Pretokenizer

# Matches after a word. A line break may belong to the signs before it; in o200k so may a slash after the line break.
_WORD_ENDS = r"(?<=\S)(?=[^\S\r\n])|(?<=[\p{L}\p{N}])(?=[\r\n])|(?<=\S\n)(?=[^\s/])"
_BY_RULES = ({"type": "Split"},)
_SPACES = r"\s+(?!\S)|\s+"
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_BERT_MARKS = r"[\p{P}$+<=>^`|~]"
# A number in threes from its end. To look ahead over all its digits would take time in the square of its length. So
# only its last `_ALIGNED` digits are in threes from its end; the digits before are in threes from its beginning.
_ALIGNED = 60
_THREES = rf"\p{{N}}{{1,3}}(?=(?:\p{{N}}{{3}}){{0,{_ALIGNED // 3 - 1}}}(?!\p{{N}}))|\p{{N}}{{3}}"

# Rules by classes that several rows share (see `ClassRules`).
_WORDS = ClassRules((LETTERS, "N", WHITE), endings=ENDINGS)
_GPT4 = replace(_WORDS, leads=leading_words(LETTERS, SIGNS + "M"), endings=ENDINGS_OF_ANY_CASE, digits=3, breaks=True)
_GPT4O = replace(_GPT4, groups=(LETTERS + "M", "N", WHITE), leads=leading_words(LETTERS + "M", SIGNS), capitals=True)

PRETOKENIZERS: dict[str, Pretokenizer] = {
    "whitespace": Pretokenizer(
        "Whitespace",
        "Words are the text between white space; spaces are thrown away.",
        (("word", r"\S+"),),
        lossless=False,
        boundary=_WORD_ENDS,
        classes=ClassRules((WHITE,)),
        hugging_face=({"type": "WhitespaceSplit"},),
    ),
    "gpt2": Pretokenizer(
        "GPT-2",
        "Letters, digits and other signs apart, contractions apart; a word takes the space before it.",
        (
            ("contraction", r"'(?:s|t|re|ve|m|ll|d)"),
            ("letters", r" ?\p{L}+"),
            ("digits", r" ?\p{N}+"),
            ("other", r" ?[^\s\p{L}\p{N}]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=replace(_WORDS, leads={"S": LETTERS + "MN" + SIGNS}),
        hugging_face=_BY_RULES,
        model="GPT-2",
    ),
    "gpt2-notebook": Pretokenizer(
        "GPT-2, simplified",
        "The SELENE notebook's version of GPT-2's rules: spaces are thrown away.",
        (
            ("contraction", r"'(?:s|t|re|ve|m|ll|d)"),
            ("letters", r"\p{L}+"),
            ("digits", r"\p{N}+"),
            ("other", r"[^\s\p{L}\p{N}]+"),
        ),
        lossless=False,
        boundary=_WORD_ENDS,
        classes=_WORDS,
        hugging_face=_BY_RULES,
        model="GPT-2",
    ),
    "cl100k": Pretokenizer(
        "GPT-4 (cl100k)",
        "Like GPT-2, but at most three digits together, and any one sign may lead a word.",
        (
            ("contraction", r"'(?i:[sdmt]|ll|ve|re)"),
            ("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
            ("digits", r"\p{N}{1,3}+"),
            ("other", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
            ("end of text", r"\s++$"),
            ("line breaks", r"\s*[\r\n]"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=_GPT4,
        hugging_face=_BY_RULES,
        model="GPT-4",
    ),
    "o200k": Pretokenizer(
        "GPT-4o (o200k)",
        "Like GPT-4, but a capital starts a new pretoken, marks stay with letters and contractions with their word.",
        (
            (
                "letters",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            ),
            (
                "capitals",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            ),
            ("digits", r"\p{N}{1,3}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=_GPT4O,
        hugging_face=_BY_RULES,
        model="GPT-4o",
    ),
    "qwen": Pretokenizer(
        "Qwen",
        "Like GPT-4, but every digit alone, and line breaks together.",
        (
            ("contraction", _CONTRACTION),
            ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
            ("digit", r"\p{N}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=replace(_GPT4, alone="N", digits=0),
        hugging_face=_BY_RULES,
        model="Qwen",
    ),
    "qwen3.5": Pretokenizer(
        "Qwen 3.5",
        "Like Qwen, but a mark such as an accent is part of the word, and not of other signs.",
        (
            ("contraction", _CONTRACTION),
            ("letters", r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+"),
            ("digit", r"\p{N}"),
            ("other", r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=replace(_GPT4O, alone="N", digits=0, capitals=False),
        hugging_face=_BY_RULES,
        model="Qwen 3.5",
    ),
    "llama3": Pretokenizer(
        "Llama 3",
        "Like GPT-4, but line breaks together.",
        (
            ("contraction", _CONTRACTION),
            ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
            ("digits", r"\p{N}{1,3}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=_GPT4,
        hugging_face=_BY_RULES,
        model="Llama 3",
    ),
    "tekken": Pretokenizer(
        "Mistral (Tekken)",
        "Like GPT-4o, but every digit alone, and no contractions.",
        (
            (
                "letters",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
            ),
            (
                "capitals",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
            ),
            ("digit", r"\p{N}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=replace(_GPT4O, alone="N", digits=0, endings=()),
        hugging_face=_BY_RULES,
        model="Mistral",
    ),
    "bert": Pretokenizer(
        "BERT",
        "Every punctuation mark alone, words between; spaces are thrown away.",
        (("punctuation", _BERT_MARKS), ("word", rf"(?:(?!{_BERT_MARKS})\S)+")),
        lossless=False,
        boundary=_WORD_ENDS,
        classes=ClassRules((MARKS, WHITE), alone=MARKS),
        hugging_face=({"type": "BertPreTokenizer"},),
        model="BERT",
    ),
    "metaspace": Pretokenizer(
        "Metaspace",
        "As SentencePiece splits: a pretoken starts at every space and keeps it.",
        (("word", r" ?[^ ]+"), ("space", " ")),
        lossless=True,
        boundary="(?<=[^ ])(?= )",
        classes=ClassRules(("S",), alone="S", leads={"S": LETTERS + "MNBT" + SIGNS}),
        hugging_face=({"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": False},),
    ),
    "digits": Pretokenizer(
        "Single digits",
        "Every digit alone, everything else together.",
        (("digit", r"\p{N}"), ("rest", r"\P{N}+")),
        lossless=True,
        boundary=r"(?=\p{N})",
        classes=ClassRules(("N",), alone="N"),
        hugging_face=({"type": "Digits", "individual_digits": True},),
        long_pieces=True,
    ),
    "digits-right": Pretokenizer(
        "Digits from right",
        "Like GPT-2, but digits in threes from the right, as in 1|234|567, and without the space before them.",
        (
            ("contraction", r"'(?:s|t|re|ve|m|ll|d)"),
            ("letters", r" ?\p{L}+"),
            ("digits", _THREES),
            ("other", r" ?[^\s\p{L}\p{N}]+"),
            ("whitespace", _SPACES),
        ),
        lossless=True,
        boundary=_WORD_ENDS,
        classes=replace(_WORDS, leads={"S": LETTERS + "M" + SIGNS}, digits=3, aligned=_ALIGNED),
        hugging_face=_BY_RULES,
    ),
    "punctuation": Pretokenizer(
        "Punctuation",
        "Every punctuation mark alone, everything else together, spaces too.",
        (("punctuation", _BERT_MARKS), ("rest", rf"(?:(?!{_BERT_MARKS})[\s\S])+")),
        lossless=True,
        boundary=f"(?={_BERT_MARKS})",
        classes=ClassRules((MARKS,), alone=MARKS),
        hugging_face=({"type": "Punctuation", "behavior": "Isolated"},),
        long_pieces=True,
    ),
    "line": Pretokenizer(
        "Lines",
        "A pretoken is a line with its line break: merges may cross words, but no line ends.",
        (("line", r"[^\n]*\n|[^\n]+"),),
        lossless=True,
        boundary=r"(?<=\n)",
        hugging_face=(
            {"type": "Split", "pattern": {"String": "\n"}, "behavior": "MergedWithPrevious", "invert": False},
        ),
        unit="line",
        long_pieces=True,
    ),
    "none": Pretokenizer(
        "No split",
        "The whole text is one pretoken: merges may cross words.",
        (("text", r"[\s\S]+"),),
        lossless=True,
        hugging_face=(),
        unit="text",
        long_pieces=True,
    ),
}
"""The ways to split a text: the values of `Settings.pretokenizer` but "custom"; see `Pretokenizer`."""
