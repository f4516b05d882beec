"""The vocabulary of a tokenizer as a table to search and sort. A column says which tokens no text can produce."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bpe_core import Tokenizer
from bpe_core.files.library_unreachable import reach_of
from bpe_core.models.wordpiece_tokenizer import CONTINUING
from bpe_core.pictures.shared.token_text import shortened
from bpe_core.text.alphabet import MARKER
from bpe_core.tokenizer.tokenizer import ADDED, WITHIN
from bpe_core.tokenizer.unreachable import EMPTY, PART, REACHABLE, SPECIAL, UNREACHABLE, UNSEEN

SHOWN = 500  # rows on the screen
KINDS = {
    "all": "All tokens",
    "never": "No text can produce them",
    "unseen": "In no text that was tried",
    "part": "Parts of characters",
    "special": "Special tokens",
    "added": "Added tokens",
}
VERDICTS = {"never": list(UNREACHABLE), "unseen": [UNSEEN], "part": [PART], "special": [SPECIAL], "added": [ADDED]}
SORTS = {"yours": "words of your text first", "id": "by id", "step": "by step", "length": "longest first"}
COLUMNS = {
    "length": "bytes",
    "bytes": "bytes in hexadecimal",
    "in a text": "can occur in a text",
}  # column of a file → its title on the screen
TRIED = "its own text, alone and after and before letters, digits, signs and spaces"  # the texts tried for each token
SCRIPTS = {"CJK": "Chinese"}  # Unicode's name of a script → its familiar name
PUNCTUATION = "Punctuation and symbols"
FIELDS = {"text": "Text", "bytes": "Bytes (hex)", "id": "Id"}

_lock = Lock()
# One lock for each tokenizer, so that a slow tokenizer does not delay the others.
_locks: WeakKeyDictionary[Tokenizer, Lock] = WeakKeyDictionary()
_tables: WeakKeyDictionary[Tokenizer, pd.DataFrame] = WeakKeyDictionary()


def is_known(tokenizer: Tokenizer) -> bool:
    """Return whether the table of a tokenizer is cached, so that `vocabulary` returns at once."""
    return tokenizer in _tables


def vocabulary(tokenizer: Tokenizer, progress: Callable[[float], None] = lambda share: None) -> pd.DataFrame:
    """Return a row for each token: id, token (bytes), step (0: no merge made it), length in bytes, script, reach, kind.

    `reach`: whether a text can produce the token (see `reach_in_words`). The table is cached. `progress`: called with
    the share of the work that is done, from 0 to 1.

    >>> from bpe_core import Settings, train
    >>> found = vocabulary(train("ab ab", Settings(vocab_size=257)).tokenizer())
    >>> print(*found.iloc[256][["id", "token", "step", "length", "script", "reach"]])
    256 b'ab' 1 2 Latin reachable
    """
    if tokenizer not in _tables:
        with _lock:
            lock = _locks.setdefault(tokenizer, Lock())
        with lock:
            if tokenizer not in _tables:
                _tables[tokenizer] = _table(tokenizer, progress)
    return _tables[tokenizer]


def _table(tokenizer: Tokenizer, progress: Callable[[float], None]) -> pd.DataFrame:
    verdicts, kinds = reach_of(tokenizer, progress), tokenizer.kinds
    tokens = list(tokenizer.tokens)
    names = {i: name.encode() for name, i in tokenizer.special_tokens.items()}
    missing = max(names, default=-1) + 1 - len(tokens)
    tokens += [b""] * missing
    verdicts += [EMPTY] * missing
    for i, name in names.items():
        tokens[i], verdicts[i] = name, ADDED if kinds.get(i) == ADDED else SPECIAL
    steps = np.zeros(len(tokens), np.int64)
    made = tokenizer.vocabulary.made_ids
    steps[made[::-1]] = np.arange(len(made), 0, -1)  # if several merges make a token, the first one counts
    table = pd.DataFrame(
        {
            "id": np.arange(len(tokens)),
            "token": tokens,
            "step": steps,
            "length": list(map(len, tokens)),
            "script": [script_of(token) for token in tokens],
            "reach": verdicts,
            "kind": [kinds.get(i, "") for i in range(len(tokens))],
        }
    )
    return table[table["reach"] != EMPTY].reset_index(drop=True)


def kinds(table: pd.DataFrame) -> dict[str, str]:
    """Return the kinds in `KINDS` that occur in a vocabulary: key → title."""
    verdicts = set(table["reach"])
    return {key: title for key, title in KINDS.items() if key == "all" or verdicts.intersection(VERDICTS[key])}


def script_of(token: bytes) -> str:
    """Return the script of a token's first letter; for a token without letters, the kind of its characters.

    >>> [script_of(token.encode()) for token in (" dog", "да", "猫", "12", " !", " ")]
    ['Latin', 'Cyrillic', 'Chinese', 'Digits', 'Punctuation and symbols', 'White space']
    """
    text = token.decode("utf-8", "ignore")
    letter = next(filter(str.isalpha, text[:40]), None)
    if letter:
        return _script_of_character(letter)
    kinds = {_script_of_character(char) for char in text[:40]}
    return next((kind for kind in ("Digits", PUNCTUATION, "White space") if kind in kinds), "Bytes")


@lru_cache(maxsize=1 << 15)
def _script_of_character(char: str) -> str:
    name = unicodedata.name(char, "").replace("-", " ").split()
    if char.isalpha():
        letter = not {"LETTER", "SYLLABLE", "IDEOGRAPH"}.isdisjoint(name) and name[0] != "MODIFIER"
        return SCRIPTS.get(name[0], name[0].capitalize()) if letter else "Other letters"
    return "Digits" if char.isnumeric() else "White space" if char.isspace() else PUNCTUATION


def search(
    table: pd.DataFrame, find: str, field: str, kind: str, script: str, sort: str, words: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the rows that match, sorted.

    `find`: what to search for, "" for all rows. `field`: a key of `FIELDS`, the field to search in. `kind`: a key of
    `KINDS`. `script`: the name of a script, "" for all scripts. `sort`: a key of `SORTS`. `words`: for the sort
    "yours"; the tokens with the first of these words come first, then the tokens with the second, and so on.
    """
    rows = table
    if kind != "all":
        rows = rows[rows["reach"].isin(VERDICTS[kind])]
    if script:
        rows = rows[rows["script"] == script]
    if find:
        rows = rows[_matches(rows, find, field)]
    if sort == "yours":
        ranked = rows.assign(rank=_ranks(rows, [word.casefold() for word in words]))
        return ranked.sort_values(["rank", "length", "id"], ascending=[True, False, True]).drop(columns="rank")
    if sort == "length":
        return rows.sort_values(["length", "id"], ascending=[False, True])
    return rows.sort_values([sort, "id"])


def _ranks(rows: pd.DataFrame, words: Sequence[str]) -> list[int]:
    """Return for each token the number of the first word that it has; for a token without any, the number of words."""
    texts = [token.decode("utf-8", "replace").casefold() for token in rows["token"]]
    return [next((rank for rank, word in enumerate(words) if word in text), len(words)) for text in texts]


def _matches(rows: pd.DataFrame, find: str, field: str) -> NDArray[np.bool_]:
    if field == "id":
        return np.array(rows["id"].astype(str) == find.strip().replace(",", ""), bool)
    if field == "bytes":
        digits = re.sub(r"[\s,]|0x", "", find.lower())
        pattern = bytes.fromhex(digits) if re.fullmatch(r"([0-9a-f]{2})+", digits) else None
        return np.array([pattern is not None and pattern in token for token in rows["token"]], bool)
    wanted = find.replace("·", " ").replace("⏎", "\n").casefold()
    return np.array([wanted in token.decode("utf-8", "replace").casefold() for token in rows["token"]], bool)


def shown(rows: pd.DataFrame, glyph: str, most: int = SHOWN) -> pd.DataFrame:
    """Return the first rows as the screen shows them."""
    first = rows.head(most)
    return pd.DataFrame(
        {
            "token": [shortened(token, glyph) for token in _drawn(first, glyph)],
            "id": first["id"],
            "characters": _characters(first),
            "length": first["length"],
            "step": _steps(first),
            "bytes": [token[:24].hex(" ").upper() + (" …" if len(token) > 24 else "") for token in first["token"]],
            "script": first["script"],
            "in a text": [
                "never" if row[0] in UNREACHABLE else reach_in_words(*row)
                for row in zip(first["reach"], first["kind"], strict=True)
            ],
        }
    )


def _drawn(rows: pd.DataFrame, glyph: str) -> list[bytes]:
    """Return the tokens to draw. If `glyph` is WordPiece's ##, the marker precedes a token that continues a word."""
    pairs = zip(rows["token"], rows["kind"], strict=True)
    return [MARKER + token if glyph == CONTINUING and kind == WITHIN else token for token, kind in pairs]


def sheet(rows: pd.DataFrame) -> pd.DataFrame:
    """Return all rows for a file. The column `token` has a text, or "" if a token's bytes are not whole characters."""
    return pd.DataFrame(
        {
            "token": [_text(token) for token in rows["token"]],
            "id": rows["id"],
            "step": _steps(rows),
            "bytes": [token.hex(" ").upper() for token in rows["token"]],
            "length": rows["length"],
            "script": rows["script"],
            "in a text": [reach_in_words(*row) for row in zip(rows["reach"], rows["kind"], strict=True)],
        }
    )


def _steps(rows: pd.DataFrame) -> pd.Series:
    """Return the step that made each token, or NA for a token that no merge made."""
    return rows["step"].astype("Int64").mask(rows["step"] == 0)


def _characters(rows: pd.DataFrame) -> pd.Series:
    """Return how many characters each token has, or NA if its bytes are not whole characters."""
    texts = [_text(token) for token in rows["token"]]
    return pd.Series([len(text) or None for text in texts], rows.index, dtype="Int64")


def _text(token: bytes) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return ""


def reach_in_words(verdict: str, kind: str = "") -> str:
    """Return, in words, whether a text can produce a token."""
    if verdict in UNREACHABLE:
        return f"Never. {UNREACHABLE[verdict]}"
    return {
        REACHABLE: "yes, but not at the start of a word" if kind == WITHIN else "yes",
        PART: "as part of a character",
        SPECIAL: "only by its name",
        ADDED: "wherever its name stands",
        UNSEEN: "in no text that was tried",
    }[verdict]
