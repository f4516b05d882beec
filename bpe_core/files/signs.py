"""The signs by which kinds of files are told apart: how a content begins, what is in its lines, what its JSON has.

A key of JSON alone proves nothing, since a vocabulary may have any text as a token. So a sign in JSON is a value that
no vocabulary has, such as an object. A sign in a text is looked for in many lines, so that a damaged one changes
nothing.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from bpe_core.files.beside import MORE, ROLES
from bpe_core.files.minbpe import FIRST_LINE
from bpe_core.files.reading import json_of
from bpe_core.text.alphabet import LETTER_OF

START = 1 << 16  # bytes of a text that are looked at
MOST_LINES = 200  # that are looked at
LEAST_UNPADDED = 20  # lines of ranks without the end of their base64; fewer lines may be words with numbers
MANY = 50  # tokens; a smaller vocabulary may be of any kind
_LINE_END = re.compile(r"\r\n|\n|\r")
_LIKE_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*(?:\Z|["}])|\[\s*(?:\Z|[\[\]{"\d-]))')
_DAMAGE = re.compile(r"[\x01-\x08\x0e-\x1f\x7f\ufffd]")
_WHOLE = re.compile(r"-?\d+")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_RANK = re.compile(r"([A-Za-z0-9+/]*=*)\s+-?\d+")
_VERSION = "#version"  # begins the first line of merges
_END_OF_WORD, _CONTINUES, _SPACE = "</w>", "##", "▁"
_LETTERS = frozenset(LETTER_OF.values())  # GPT-2's, for bytes
_FAILURE = re.compile(
    r"not found|denied|forbidden|unauthori[sz]ed|invalid|error|restricted|gateway|unavailable|too many requests"
    r"|rate limit|expired|required|credentials|no such|does not exist|\b[45]\d\d\b",
    re.IGNORECASE,
)

Sign = Callable[["File"], bool]


class File:
    """The content of a file, and what signs are looked for in: its first lines, or its value if it is JSON."""

    def __init__(self, content: bytes) -> None:
        """Take the content. A byte order mark of UTF-8 is no part of it."""
        self.content = content.removeprefix(BOM_UTF8)
        self.head = self.content[:START]

    @cached_property
    def text(self) -> str:
        """The beginning of a text, in which a few characters may be damaged; "" for what is no text."""
        text = self.head.decode("utf-8", "replace")
        return "" if "\0" in text or 20 * len(_DAMAGE.findall(text)) > len(text) + 20 else text

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are not blank, without one that the end of `head` cuts."""
        lines = _LINE_END.split(self.text)
        whole = lines[:-1] if len(lines) > 1 and len(self.content) > START else lines
        return [*islice(filter(str.strip, whole), MOST_LINES)]

    @cached_property
    def fields(self) -> list[list[str]]:
        """The first lines, split at spaces and tabs: any other white space may be a token."""
        return [re.split(r"[ \t]+", line.strip(" \t")) for line in self.lines]

    @cached_property
    def value(self) -> Any:
        """The value of a JSON file; None for what does not begin like one. Raises `FormatError` for damaged JSON."""
        return json_of(self.content) if is_like_json(self.head) else None

    @cached_property
    def object(self) -> Mapping[str, Any]:
        """The value of a JSON file if it is an object; else {}."""
        return self.value if isinstance(self.value, dict) else {}


def is_like_json(content: bytes) -> bool:
    """Return whether a file begins as JSON does.

    >>> is_like_json(b'{"a": 1}'), is_like_json(b"{% if messages %}")
    (True, False)
    """
    return bool(_LIKE_JSON.match(content))


def magic(*starts: bytes, at: int = 0) -> Sign:
    """Return the sign that one of some byte strings is at an offset."""
    return lambda file: file.content.startswith(starts, at)


def begins(pattern: str) -> Sign:
    """Return the sign that a text begins with a pattern, after white space."""
    found = re.compile(rf"\s*(?:{pattern})", re.IGNORECASE)
    return lambda file: bool(found.match(file.text))


def lines_are(pattern: str) -> Sign:
    """Return the sign that nearly all lines match a pattern."""
    found = re.compile(rf"{pattern}\s*")
    return lambda file: _most(file.lines, found.fullmatch)


def has(**kinds: type | tuple[type, ...]) -> Sign:
    """Return the sign that JSON has these keys with values of these types, which must not be int."""
    return lambda file: all(isinstance(file.object.get(key), kind) for key, kind in kinds.items())


def _most(rows: Iterable[Any], fits: Callable[[Any], object]) -> bool:
    """Return whether nine of ten rows fit."""
    found = [bool(fits(row)) for row in rows]
    return bool(found) and 10 * sum(found) >= 9 * len(found)


def _whole(row: list[str], *sizes: int) -> bool:
    """Return whether a row has only whole numbers, and one of these sizes."""
    return len(row) in sizes and all(map(_WHOLE.fullmatch, row))


# --- text ---


def is_minbpe(file: File) -> bool:
    """Return whether a text begins with minbpe's first line."""
    return file.text.lstrip().startswith(FIRST_LINE)


def is_youtokentome(file: File) -> bool:
    """Return whether a line has two numbers, that many lines a character and its id, and the others three ids."""
    if not file.fields or not _whole(file.fields[0], 2) or len(file.fields) < 4:
        return False
    number = max(int(file.fields[0][0][:9]), 1)
    characters, rules = file.fields[1 : 1 + number], file.fields[1 + number :]
    cut = not rules and len(file.fields) == MOST_LINES
    return _most(characters, lambda row: _whole(row, 2)) and (cut or _most(rules, lambda row: _whole(row, 3, 4)))


def is_vectors(file: File) -> bool:
    """Return whether each line has a word and equally many numbers, after a line with two numbers or none."""
    sizes = [int(each[:9]) for each in file.fields[0]] if file.fields and _whole(file.fields[0], 2) else []
    rows = file.fields[1:] if sizes else file.fields
    size = len(rows[0]) - 1 if rows else 0

    def is_vector(row: list[str]) -> bool:
        return len(row) == size + 1 and all(map(_NUMBER.fullmatch, row[1:])) and any("." in each for each in row)

    return (size > 8 or (bool(sizes) and size == sizes[1] > 0)) and _most(rows, is_vector)


def is_binary_vectors(file: File) -> bool:
    """Return whether a line of text has two numbers, and no text comes after it, as in word2vec's binary files."""
    return bool(re.match(rb"\d{1,9} \d{1,5}\n\S+ ", file.head)) and not file.text


def is_ranks(file: File) -> bool:
    """Return whether lines have a token in base64 and a number. If the numbers are no counts, half of the lines do."""
    fit = [*map(_is_rank, file.lines)]
    return bool(fit) and (all(fit) or (2 * sum(fit) >= len(fit) and not _has_counts(file)))


def _is_rank(line: str) -> bool:
    found = _RANK.fullmatch(line.strip())
    try:
        return found is not None and (not found[1].strip("=") or bool(b64decode(found[1], validate=True)))
    except ValueError:
        return False


def is_unpadded_ranks(file: File) -> bool:
    """Return whether lines have a token in base64 without the `=` that mostly ends it, and a rising number."""
    rows = [line.split() for line in file.lines]
    if len(rows) < LEAST_UNPADDED or not all(len(row) == 2 and _WHOLE.fullmatch(row[1]) for row in rows):
        return False
    ranks = [int(rank[:9]) for _, rank in rows]
    return all(_is_unpadded(token) for token, _ in rows) and all(a < b for a, b in pairwise(ranks))


def _is_unpadded(token: str) -> bool:
    """Return whether a text is base64 but for its end, as an encoder writes it.

    >>> _is_unpadded("IQ"), _is_unpadded("IR"), _is_unpadded("IQ==")
    (True, False, False)
    """
    try:
        return b64encode(b64decode(token + "=" * (-len(token) % 4), validate=True)).decode().rstrip("=") == token
    except ValueError:
        return False


def _has_counts(file: File) -> bool:
    """Return whether lines end with numbers that only fall, as counts do where the most frequent is first."""
    numbers = [int(row[-1][:18]) for row in file.fields if _WHOLE.fullmatch(row[-1])]
    return len(numbers) > 1 and numbers[0] > numbers[-1] and all(a >= b for a, b in pairwise(numbers))


def is_word_counts(file: File) -> bool:
    """Return whether each line has a word and its count."""
    return _has_counts(file) and _most(file.fields, lambda row: len(row) == 2 and _WHOLE.fullmatch(row[1]))


def is_counted_codes(file: File) -> bool:
    """Return whether each line has two symbols to merge and a count."""
    counted = _most(file.fields, lambda row: len(row) == 3 and _WHOLE.fullmatch(row[2]))
    return counted and _are_pairs([row[:2] for row in file.fields])


def is_merges(file: File) -> bool:
    """Return whether lines have two symbols to merge, or the only line is that with the version."""
    rows = _merge_rows(file)
    return _are_pairs(rows) or (not rows and bool(file.lines))


def merged_tokens(file: File) -> set[str]:
    """Return the tokens of the first merges of a file, with their halves."""
    return {each for row in _merge_rows(file) if len(row) == 2 for each in (*row, "".join(row))}


def _merge_rows(file: File) -> list[list[str]]:
    rows = ([half for half in line.split(" ") if half] for line in file.lines)
    return [row for row in rows if not row[0].startswith(_VERSION)]


def _are_pairs(rows: list[list[str]]) -> bool:
    """Return whether rows are pairs to merge: some pair has two base symbols, as the first of every training."""
    pairs = [row for row in rows if len(row) == 2]
    return 2 * len(pairs) >= len(rows) and any(all(map(_is_base, row)) for row in pairs)


def _is_base(half: str) -> bool:
    half = half.strip("\t") or half  # a tab may be a token
    return len(half.removesuffix(_END_OF_WORD).removeprefix(_CONTINUES)) <= 1 or bool(re.fullmatch("<0x..>", half))


def is_codes(file: File) -> bool:
    """Return whether merges end words with a mark and are of characters. CLIP's are of letters that stand for bytes."""
    if _END_OF_WORD.encode() not in file.content or not is_merges(file):
        return False
    used = {*file.content.decode("utf-8", "replace")} - {*" \t\r\n"}
    return all(map(str.isascii, used)) or not used <= _LETTERS


def is_list_of_words(file: File) -> bool:
    """Return whether each line has one word."""
    return len(file.fields) > 2 and _most(file.fields, lambda row: len(row) == 1)


def is_wordpiece(file: File) -> bool:
    """Return whether each line has one token, and some have WordPiece's marks."""
    marked = b"\n##" in file.content or any(line.strip() in ("[UNK]", "[CLS]") for line in file.lines)
    return marked and is_list_of_words(file)


def is_failure(file: File) -> bool:
    """Return whether a file is a short text that says that something went wrong."""
    return 0 < len(file.lines) <= 3 and len(file.content) < 500 and bool(_FAILURE.search(file.text))


def is_pickle(file: File) -> bool:
    """Return whether a file begins as Python's pickles do."""
    return bool(re.match(rb"\x80[\x02-\x05][\x95\]}(cXK\x8a\x8c]", file.head))


# --- JSON ---


def is_tokenizer_json(file: File) -> bool:
    """Return whether JSON has a model with a part that every model has."""
    model = file.object.get("model")
    if isinstance(model, dict):
        return bool({"type", "vocab", "merges"} & model.keys())
    return "model" in file.object and has(added_tokens=list)(file)


def is_model_part(file: File) -> bool:
    """Return whether JSON has the tokens of a model beside its merges, its type or the id of its unknown token."""
    return has(vocab=(dict, list))(file) and bool({"merges", "type", "unk_id"} & file.object.keys())


def is_split(file: File) -> bool:
    """Return whether JSON has the pattern or the special tokens of a rank file."""
    return has(pat_str=str)(file) or has(special_tokens=dict)(file)


def is_config(file: File) -> bool:
    """Return whether JSON has what only the config of a tokenizer has."""
    named = has(tokenizer_class=str)(file) or has(added_tokens_decoder=dict)(file)
    return named or (has(chat_template=(str, list))(file) and len(file.object) > 1)


def is_special_map(file: File) -> bool:
    """Return whether JSON has roles of special tokens, and nothing else."""
    return bool(file.object) and file.object.keys() <= {*ROLES, *MORE} and not is_vocabulary(file)


def is_model_config(file: File) -> bool:
    """Return whether JSON is the config of a model, or of how it generates text."""
    return any(has(**{key: kind})(file) for key, kind in _OF_MODELS.items())


_OF_MODELS: dict[str, type] = {"model_type": str, "architectures": list, "transformers_version": str}


def is_answer(file: File) -> bool:
    """Return whether JSON is small and has an error or a message."""
    found = [file.object.get(key) for key in ("error", "errors", "message", "detail", "error_description")]
    return len(file.object) <= 8 and any(isinstance(each, (str, list, dict)) and each for each in found)


def is_vocabulary(file: File) -> bool:
    """Return whether most values of an object are whole numbers."""
    ids = sum(type(i) is int for i in file.object.values())
    return 2 * ids > len(file.object)


def is_added(file: File) -> bool:
    """Return whether the ids of a vocabulary begin after more tokens than it has."""
    ids = [i for i in file.object.values() if type(i) is int]
    return bool(ids) and min(ids) > len(ids) and is_vocabulary(file)


def has_continuations(file: File) -> bool:
    """Return whether some tokens of a vocabulary have WordPiece's mark for what continues a word."""
    return _share(file, lambda token: len(token) > 2 and token.startswith(_CONTINUES)) > 0.05


def has_pieces(file: File) -> bool:
    """Return whether many tokens of a vocabulary begin with SentencePiece's letter for a space."""
    return _share(file, lambda token: token.startswith(_SPACE)) > 0.1


def has_base64(file: File) -> bool:
    """Return whether the tokens of a vocabulary are in base64, most of the bytes among them."""
    return sum(len(token) == 4 and token.endswith("==") for token in file.object) > 128 and is_vocabulary(file)


def has_letters_only(file: File) -> bool:
    """Return whether no token of a vocabulary has two characters, but for names such as <pad>."""
    names = re.compile(r"[<\[].*[>\]]|.", re.DOTALL)
    return len(file.object) > 9 and all(map(names.fullmatch, file.object)) and is_vocabulary(file)


def is_named_numbers(file: File) -> bool:
    """Return whether most keys of numbers are names of settings, such as n_layers."""
    named = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")
    return _share(file, lambda token: bool(named.fullmatch(token))) > 0.5


def has_whole_words(file: File) -> bool:
    """Return whether a large vocabulary has hardly a token of one character, with which every merge begins."""
    single = sum(len(token.removesuffix(_END_OF_WORD)) == 1 for token in file.object)
    return len(file.object) >= MANY and single < 10 and is_vocabulary(file)


def _share(file: File, fits: Callable[[str], bool]) -> float:
    """Return the share of a vocabulary's tokens that fit; 0 for what is no vocabulary."""
    return sum(map(fits, file.object)) / max(len(file.object), 1) if is_vocabulary(file) else 0.0


def is_ids_to_tokens(file: File) -> bool:
    """Return whether the keys of an object are ids, and its values texts."""
    first = islice(file.object.items(), MOST_LINES)
    return len(file.object) > 1 and _most(first, lambda row: row[0].isdecimal() and isinstance(row[1], str))


def is_ids_as_texts(file: File) -> bool:
    """Return whether the values of an object are ids as texts, and its keys tokens."""
    first = [*islice(file.object.items(), MOST_LINES)]
    as_texts = _most(first, lambda row: isinstance(row[1], str) and row[1].isascii() and row[1].isdigit())
    return len(first) > 1 and as_texts and not all(token.isdigit() for token, _ in first)


def is_list_of_texts(file: File) -> bool:
    """Return whether JSON is a list of nothing but texts."""
    return isinstance(file.value, list) and bool(file.value) and all(isinstance(each, str) for each in file.value)
