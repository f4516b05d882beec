"""What drift is, in words: a sentence about a list of ids, and one for each region in which it differs."""

from __future__ import annotations

from bpe_core.text.in_words import counted
from bpe_core.tokenizer.drift import BYTES, MERGE, SPECIAL, SPLIT, Drift, Region


def summary(drift: Drift, name: str = "the tokenizer") -> str:
    """Return whether a list of ids is what the tokenizer writes. `name`: what to call the tokenizer.

    >>> from bpe_core import load
    >>> summary(load("qwen").drift([64, 53122, 316])), summary(load("qwen").drift([64]))
    ('These 3 ids are not what the tokenizer writes: 1 region differs.', 'This id is what the tokenizer writes.')
    """
    count, regions = len(drift.given), len(drift.regions)
    if not count:
        return "There are no ids."
    ids = "This id is" if count == 1 else f"These {count:,} ids are"
    if not regions:
        return f"{ids} what {name} writes."
    return f"{ids} not what {name} writes: {counted(regions, 'region differs', 'regions differ')}."


def reason(drift: Drift, region: Region) -> list[str | bytes]:
    """Return why a region differs, as a sentence with tokens in it.

    >>> from bpe_core import load
    >>> found = load("qwen").drift([64, 53122, 316])
    >>> reason(found, found.regions[0])
    ['merge 29,747 makes ', b'antom', ', across a boundary that these ids keep']
    """
    vocabulary = drift.tokenizer.vocabulary
    ids, keep, go, spell = "these ids", "keep", "go", "spell"
    if len(drift.given) == 1:
        ids, keep, go, spell = "this id", "keeps", "goes", "spells"
    if region.why == MERGE and region.step:
        token = vocabulary.drawn_bytes(vocabulary.merges[region.step - 1][2])
        return [f"merge {region.step:,} makes ", token, f", across a boundary that {ids} {keep}"]
    if region.why == SPLIT and region.at:
        return [
            "the text is split before ",
            vocabulary.drawn_bytes(drift.own[region.at]),
            f", and {ids} {go} across",
        ]
    if region.why == SPECIAL and region.at is not None:
        return [f"{ids} {spell} the special token ", vocabulary.token_bytes(drift.own[region.at])]
    if region.why == BYTES:
        try:
            b"".join(map(vocabulary.token_bytes, drift.given[slice(*region.given)])).decode()
        except UnicodeDecodeError:
            return ["a part of a character is no text: decoding writes � for it"]
        return [f"the tokenizer writes other bytes for the text of {ids}"]
    if not drift.tokenizer.model.has_merges:
        return [f"{drift.tokenizer.model} takes other tokens for these bytes"]
    return ["the merges make other tokens of these bytes"]
