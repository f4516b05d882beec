"""What llama.cpp's tokenizers do to a text, written down plainly from `src/llama-vocab.cpp` and `src/unicode.cpp`.

Slow and without the finer points of special tokens: a text has none here.
"""

import unicodedata

import regex


def split(patterns, text):
    """Cut by the first pattern into matches and what is between; by the next one each part, and so on."""
    parts = [text] if text else []
    for pattern in patterns:
        parts = [piece for part in parts for piece in _cut(pattern, part)]
    return parts


def _cut(pattern, part):
    end = 0
    for found in regex.finditer(pattern, part):
        if found.start() > end:
            yield part[end : found.start()]
        if found[0]:
            yield found[0]
        end = found.end()
    if end < len(part):
        yield part[end:]


def spm(tokens, scores, text, prefix=True):
    """Join the neighbours that make the token with the best score, the leftmost of equals; bytes for what is left."""
    ids = {token: i for i, token in enumerate(tokens)}
    symbols = list(((" " if prefix and text else "") + text).replace(" ", "▁"))
    while True:
        pairs = [
            (scores[ids[made]], -at) for at, made in enumerate(map(str.__add__, symbols, symbols[1:])) if made in ids
        ]
        if not pairs:
            break
        at = -max(pairs)[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    found = []
    for symbol in symbols:
        found += [ids[symbol]] if symbol in ids else [ids[f"<0x{byte:02X}>"] for byte in symbol.encode()]
    return found


def wpm(tokens, text, unknown=100):
    """Cut a text into words and signs, and each word into the longest tokens; a word that cannot be is unknown."""
    ids = {token: i for i, token in enumerate(tokens)}
    found = []
    for word in _words(text):
        rest, pieces = f"▁{word}", []
        while rest and (fits := next((rest[:k] for k in range(len(rest), 0, -1) if rest[:k] in ids), None)):
            pieces.append(ids[fits])
            rest = rest[len(fits) :]
        found += [unknown] if rest else pieces
    return found


def _words(text):
    words = [""]
    for char in text:
        char = unicodedata.normalize("NFD", char)[0]
        kind = unicodedata.category(char)
        if char.isspace() and not "\x1c" <= char <= "\x1f":
            words.append("")
        elif kind in ("Cc", "Cf", "Co", "Cs", "Mn", "Mc", "Me") or char == "\ufffd":
            continue
        elif kind.startswith("P") or char in "$+<=>^`|~" or _is_chinese(ord(char)):
            words += [char, ""]
        else:
            words[-1] += char.lower()[0] if len(char.lower()) > 1 else char.lower()
    return [word for word in words if word]


def _is_chinese(point):
    ranges = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F))
    more = ((0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
    return any(first <= point <= last for first, last in (*ranges, *more))
