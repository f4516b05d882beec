"""GPT-2's two files: `vocab.json`, token → id, and `merges.txt`, a pair of tokens in each line.

The files contain neither the pretokenizer nor the special tokens. Who says them is asked in this order: the caller; a
published vocabulary, if the files have its tokens; the class in `tokenizer_config.json`, with the special tokens there.
If nobody says them they are assumed: the pretokenizer is GPT-2's, or CLIP's if words end in `</w>`, and the special
tokens are the tokens that are neither a base symbol nor made by a merge.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from bpe_core.files.beside import NOTHING_BESIDE, Beside
from bpe_core.files.format import Format, FormatError, Parts, in_unicode, only_plain_bytes
from bpe_core.files.hugging_face_parts import (
    normalizer_part,
    post_processor_part,
    special_token_parts,
)
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.reading import id_of, lines_of
from bpe_core.files.tiktoken_ranks import rank_lines
from bpe_core.files.tokenizer_classes import CLIP, END_OF_WORD, GENERIC, GPT2, TokenizerClass, class_named
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.published import Published, known_by_sum
from bpe_core.text.alphabet import LETTER_OF, from_letters, in_letters
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.assumptions import CLIP_SPLIT, SPLIT, guessed_tokens, vocabulary_split
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import Tokenizer

NAME = "vocab.json + merges.txt"
VOCAB, MERGES = "vocab.json", "merges.txt"
FIRST_LINE = "#version: 0.2"
LEAST_KNOWN = 10_000  # tokens; every published vocabulary has more
MOST_SPECIALS = 300  # the special tokens are guessed; a published tokenizer of this format has 256 at most


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_plain_bytes(tokenizer, NAME)
    if tokenizer.pretokenizer != PRETOKENIZERS["gpt2"]:
        raise FormatError(
            f"{NAME} is read with GPT-2's pretokenizer, and this vocabulary has “{tokenizer.pretokenizer.title}”"
        )
    written = [in_letters(token) for token in tokenizer.tokens]
    vocabulary = {token: i for i, token in enumerate(written) if token}
    for name, i in tokenizer.special_tokens.items():
        in_unicode(name, "the special token")
        if len(name) == 1 or name in vocabulary:
            raise FormatError(f"{NAME} cannot say that {name!r:.60} is special: it is written like an ordinary token")
        vocabulary[name] = i
    if len(tokenizer.special_tokens) > MOST_SPECIALS:
        raise FormatError(f"{NAME} cannot say which of more than {MOST_SPECIALS} tokens are special")
    lines = [FIRST_LINE, *(f"{written[left]} {written[right]}" for left, right, _ in tokenizer.merges)]
    return json.dumps(vocabulary, ensure_ascii=False).encode(), ("\n".join(lines) + "\n").encode()


def _beside(name: str) -> tuple[str, ...]:
    if not name.endswith(VOCAB):
        raise FormatError(f"{name} has to end in {VOCAB}, so that its {MERGES} can be found beside it")
    return (name.removesuffix(VOCAB) + MERGES,)


def read_vocab_merges(vocabulary: Parts, merges: bytes, beside: Beside = NOTHING_BESIDE) -> LibraryTokenizer:
    """Return the tokenizer in the two files and in what is beside them. They become one `tokenizer.json`.

    `vocabulary`: the parsed `vocab.json`. `merges`: the content of `merges.txt`.

    >>> read_vocab_merges({"h": 0, "u": 1, "hu": 2}, b"h u\\n").ids("hu")
    [2]
    """
    ids = {token: id_of(i, repr(token[:60])) for token, i in vocabulary.items()}
    lines = [line for line in map(_stripped, lines_of(merges)) if line and not line.startswith("#version")]
    if not lines and any(len(token) == 2 and ids.keys() >= {*token} for token in ids):  # which only a merge makes
        raise FormatError(f"{MERGES} has no merges: it is incomplete")
    pairs = [_pair(line, ids) for line in lines]
    wrong = next((line for line, pair in zip(lines, pairs, strict=True) if len(pair) != 2), None)
    if wrong is not None:
        raise FormatError(f"a line of {MERGES} has to be two tokens, and is {wrong[:60]!r}")
    if len(set(ids.values())) < len(ids):
        raise FormatError(f"{VOCAB} has one id twice")
    made = [left + right for left, right in pairs]
    how = _how(ids, made, beside)
    if not how.row.model.get("continuing_subword_prefix"):
        rows = zip(pairs, made, strict=True)
        lacking = next((row for row in rows if row[1] not in ids and ids.keys() >= {*row[0]}), None)
        if lacking:  # the library would end in a panic
            (left, right), token = lacking
            raise FormatError(f"the merge {left!r:.60} {right!r:.60} makes {token!r:.60}, which {VOCAB} does not have")
    added = _added(ids, made, how, beside)
    names = {str(row["content"]): int(row["id"]) for row in added}
    usual = ("", "") if how.guesses_specials else how.row.around
    around = Around(*map(tuple, beside.around(usual, {**ids, **names}, how.row.special)))
    parts = {
        **how.row.parts(beside.switches.get("add_prefix_space")),
        "version": "1.0",
        "added_tokens": added,
        "post_processor": post_processor_part(around, names),
        "model": {"type": "BPE", "vocab": {**ids, **names}, "merges": pairs, **how.row.model},
    }
    found = read_tokenizer_json(json.dumps(parts).encode(), parts)
    if beside.chosen and found.pretokenizer not in PRETOKENIZERS.values():
        found = replace(found, pretokenizer=beside.chosen)
    guessed = [name for name in names if name not in how.named] if how.guesses_specials else []
    assumed = (*how.assumed, *([guessed_tokens(guessed)] if guessed else []))
    return replace(found, assumptions=assumed, recognised=how.known.title if how.known else "")


def _stripped(line: str) -> str:
    return line.strip(" ")


def _pair(line: str, ids: Mapping[str, int]) -> list[str]:
    """Return the halves in a line. Tabs are between and after them, unless the vocabulary has tokens with tabs."""
    halves = [half for half in line.split(" ") if half]
    return line.split() if "\t" in line and not all(half in ids for half in halves) else halves


class _How(NamedTuple):
    """How the text of a vocabulary is normalized and split, and who says so.

    `row`: the class, with the split that is used. `known`: the published vocabulary that was recognised.
    `assumed`: sentences about the split. `guesses_specials`: whether no class says which tokens are special. `named`:
    the special tokens that the files beside name.
    """

    row: TokenizerClass
    known: Published | None
    assumed: tuple[str, ...]
    guesses_specials: bool
    named: Collection[str]


def _how(ids: dict[str, int], made: list[str], beside: Beside) -> _How:
    said = beside.tokenizer_class
    row, known = class_named(said), _known(ids, made)
    words = any(token.endswith(END_OF_WORD) for token in made)
    used = row or (CLIP if words else GPT2)
    assumed: tuple[str, ...] = ()
    if beside.chosen:
        used = used.split_by(beside.chosen)
    elif known and (row is None or row.split != known.pretokenizer):
        used = replace(used.split_by(PRETOKENIZERS[known.pretokenizer]), normalizer=normalizer_part(known.normalizers))
        assumed = (vocabulary_split(known.title),) if said and not said.startswith(GENERIC) else ()
    elif class_is_unknown(said):
        raise FormatError(
            f"the files are of the class {said[:60]}, and how it splits text is not known here: choose a pretokenizer"
        )
    elif row is None:
        assumed = (CLIP_SPLIT if words else SPLIT,)
    named = {token.name for token in (*beside.added.values(), *beside.special.values(), *beside.more) if token}
    return _How(used, known, assumed, row is None, named)


def class_is_unknown(name: str) -> bool:
    """Return whether files name a class that splits text in a way that is not known here, so that one has to be chosen.

    >>> class_is_unknown("BioGptTokenizer"), class_is_unknown("GPT2Tokenizer"), class_is_unknown("")
    (True, False, False)
    """
    return bool(name) and class_named(name) is None and not name.startswith(GENERIC)


def _known(ids: dict[str, int], made: list[str]) -> Published | None:
    """Return the published vocabulary that the files have, by the sum of its ranks; None if it is another one.

    A file may have the tokens in the order of their ranks, or other ids but the same merges.
    """
    if len(made) < LEAST_KNOWN:
        return None
    joined = [*dict.fromkeys(made)]
    merged = {*joined, *LETTER_OF.values()}
    by_id = sorted(merged & ids.keys(), key=ids.__getitem__)
    return next(filter(None, map(_of_ranks, (by_id, [*LETTER_OF.values(), *joined]))), None)


def _of_ranks(tokens: list[str]) -> Published | None:
    raw = from_letters(tokens)
    if None in raw:
        return None
    return known_by_sum(sha256(rank_lines((token or b"", rank) for rank, token in enumerate(raw))).hexdigest())


def _added(ids: dict[str, int], made: list[str], how: _How, beside: Beside) -> list[dict[str, Any]]:
    """Return the `added_tokens`: those that the files or their class name, or else those that no merge makes."""
    usual = {} if how.guesses_specials else how.row.special
    said = replace(beside, more=(*beside.more, *(() if how.guesses_specials else how.row.more)))
    named = said.token_parts(ids, usual)
    made_or_named = {*made, *(row["content"] for row in named)}
    end = how.row.model.get("end_of_word_suffix", "")
    others = {token: i for token, i in ids.items() if token not in made_or_named and len(token.removesuffix(end)) > 1}
    if len(others) > MOST_SPECIALS:
        raise FormatError(
            f"{len(others):,} tokens of {VOCAB} are made by no merge: {MERGES} is incomplete, or another vocabulary's"
        )
    return [*named, *(map(dict, special_token_parts(others)) if how.guesses_specials else [])]


VOCAB_MERGES = Format(
    "GPT-2's vocab.json and merges.txt",
    "tokenizers, transformers",
    loaded_by="import tokenizers\nmine = tokenizers.ByteLevelBPETokenizer('vocab.json', 'merges.txt')",
    files=(VOCAB, MERGES),
    ends=(VOCAB, MERGES),
    kinds=({"vocabulary", "merges"},),
    read=lambda contents, parts, beside: read_vocab_merges(parts, contents["merges"], beside),
    write=_write,
    beside=_beside,
    also=(VOCAB, MERGES),
    other_names=(("encoder.json", "vocab.bpe"), (VOCAB, "vocab.bpe"), ("encoder.json", MERGES)),
)
