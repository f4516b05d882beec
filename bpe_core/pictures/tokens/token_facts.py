"""The facts about a token: when it was learnt, from what, and which tokens contain it. The browser draws the tree."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_core.pictures.shared.cache import cached
from bpe_core.pictures.shared.json_form import Json, Sentence, as_json
from bpe_core.pictures.tokens.chosen_token import TextToken, neighbours
from bpe_core.record.run import Run
from bpe_core.text.in_words import counted, times
from bpe_core.tokenizer.biography import containing, joins, why_no_merge
from bpe_core.tokenizer.rivals import other_split, shorter_and_longer
from bpe_core.tokenizer.tokenizer import BYTE, Tokenizer

SHOWN = 12  # tokens in a list


def biography(token: TextToken) -> Json:
    """Return the biography of a token of a text: its position, its facts, and why it did not merge further."""
    start, end = token.span
    token_id = int(token.table.ids[token.number])
    rows = facts(token.tokenizer, token_id, token.run)
    if token.table.lost[token.number] and token_id >= 0:
        name = token.tokenizer.vocabulary.special_names.get(token_id, "the unknown token")
        lost = f"The vocabulary cannot write it: the model reads {name} in its place, id {token_id}."
        rows = [("lost", [f"{lost} {token.tokenizer.model.lost_words}".rstrip()])]
    return {
        "at": start,
        "end": end,
        "step": token.step,
        "rows": [[term, as_json(words)] for term, words in rows],
        "apart": [as_json(words) for words in neighbours(token)],
    }


def facts(tokenizer: Tokenizer, token_id: int, run: Run | None = None) -> list[tuple[str, Sentence]]:
    """Return the facts about a token, without the tree of its merges. A fact is a term and a sentence.

    `run`: the training of the tokenizer, where it is known.

    >>> from bpe_core import Settings, train
    >>> run = train("hug hug", Settings(vocab_size=258))
    >>> facts(run.tokenizer(), 257, run)[:2]
    [('made of', [(b'hu', b'g'), ', seen 2 times']), ('ties', ['none: no other pair was as frequent'])]
    """
    if token_id < 0:
        return [("lost", ["The alphabet does not have this character, so no token can write it."])]
    if not tokenizer.model.has_merges:
        reasons = [] if token_id in tokenizer.special_tokens.values() else _choice(tokenizer, token_id)
        return [_birth(tokenizer, token_id, run), *reasons, ("within", _contained(tokenizer, token_id))]
    return [
        _birth(tokenizer, token_id, run),
        *_stage(tokenizer, token_id, run),
        *_late_halves(tokenizer, token_id),
        *_ties(tokenizer, token_id, run),
        *_sources(tokenizer, token_id, run),
        ("within", _contained(tokenizer, token_id)),
        ("merges", _joined(tokenizer, token_id)),
    ]


def _choice(tokenizer: Tokenizer, token_id: int) -> list[tuple[str, Sentence]]:
    """Return why a model without merges chooses a token: Unigram by the score, WordPiece by the longest match."""
    if tokenizer.scores and tokenizer.kinds.get(token_id) != BYTE:
        other = other_split(tokenizer, token_id)
        if other is None:
            return [("instead", ["no other tokens write this text"])]
        total, tokens = other
        better = "a higher score, so they are taken" if total > tokenizer.scores[token_id] else "a lower score"
        verdict = f"with {total:.2f} together, {better}".replace("-", "\N{MINUS SIGN}")
        return [("instead", [*_listed(tokens, False), verdict])]
    if tokenizer.model.takes_longest:
        shorter, longer = shorter_and_longer(tokenizer, token_id)
        return [
            ("shorter", _tokens(tokenizer, shorter, "that it begins with; the longest match takes this one")),
            ("longer", _tokens(tokenizer, longer, "that begin with it; the longest match takes them where they fit")),
        ]
    return []


def _tokens(tokenizer: Tokenizer, ids: list[int], what: str = "") -> Sentence:
    """Return a sentence: the number of tokens, `what` the tokens do, and the first tokens."""
    if not ids:
        return ["none"]
    count = f"{counted(len(ids), 'token')} {what}".strip()
    return [f"{count}: ", *_listed([tokenizer.vocabulary.drawn_bytes(i) for i in ids[:SHOWN]], len(ids) > SHOWN)]


def _birth(tokenizer: Tokenizer, token_id: int, run: Run | None) -> tuple[str, Sentence]:
    origin = tokenizer.origin(token_id)
    if token_id in tokenizer.special_tokens.values():
        return "made", ["by no merge: it was added to the vocabulary, not learnt from text"]
    if origin is None:
        return "no merge", [why_no_merge(tokenizer, token_id)]
    left, right, step = origin
    own = step - run.merges_before if run else 0  # the step of the training; 0 or less for a merge of its start
    seen = f", seen {times(run.merges[own - 1].count)}" if run and own > 0 else ""
    return "made of", [(tokenizer.token_bytes(left), tokenizer.token_bytes(right)), seen]


def _stage(tokenizer: Tokenizer, token_id: int, run: Run | None) -> list[tuple[str, Sentence]]:
    """Return which stage of a training made a token; an empty list if the training had only one stage.

    The tokenizer that a training started from counts as a stage.

    >>> from bpe_core import Settings, train
    >>> run = train("to be to be", Settings(vocab_size=259, then_across_words_from=257))
    >>> [_stage(run.tokenizer(), token_id, run) for token_id in (256, 258)]
    [[('stage', ['step 1 within words'])], [('stage', ['step 3 across words'])]]
    """
    origin = tokenizer.origin(token_id)
    is_staged = run is not None and (run.start is not None or run.settings.then_across_words_from)
    if run is None or not is_staged or token_id in tokenizer.special_tokens.values():
        return []
    start = run.settings.starts_from
    step = origin[2] - run.merges_before if origin else 0
    if step < 1:
        return [("stage", [f"training started from {start}" if run.start is not None else "before any merge"])]
    if run.settings.then_across_words_from:
        return [("stage", [f"step {step:,} {'across' if step > run.begins[-1] else 'within'} words"])]
    return [("stage", [f"step {step:,} after {start}"])]


def _late_halves(tokenizer: Tokenizer, token_id: int) -> list[tuple[str, Sentence]]:
    """Return a fact for each half of a token's merge that the vocabulary lists later than the token.

    The view shows such a half from the token's step on, so the steps before the half's own are only nearly right.
    """
    left, right, step = tokenizer.origin(token_id) or (token_id, token_id, 0)
    made = [(half, tokenizer.origin(half)) for half in dict.fromkeys((left, right))] if step else []
    return [
        ("but", [tokenizer.token_bytes(half), f" is only listed at step {own[2]:,}: here both count from {step:,} on"])
        for half, own in made
        if own and own[2] > step
    ]


def _sources(tokenizer: Tokenizer, token_id: int, run: Run | None) -> list[tuple[str, Sentence]]:
    """Return how often the token occurred in each source when it was made; nothing for a training on a text.

    >>> from bpe_core import Settings, train
    >>> run = train({"en": "low low lower", "de": "loi"}, Settings("whitespace", vocab_size=258))
    >>> _sources(run.tokenizer(), 256, run)
    [('sources', ['at birth 3 times in en, once in de'])]
    """
    if run is None or run.stages[0].by_source is None or token_id in tokenizer.special_tokens.values():
        return []
    if run.start is not None and token_id < run.base:
        return []
    born = run.birth(tokenizer.token_bytes(token_id))
    most = sorted(((count, name) for name, count in born.items() if count), key=lambda row: -row[0])
    named = ", ".join(f"{times(count)} in {name:.40}" for count, name in most[:SHOWN])
    more = f", and in {counted(len(most) - SHOWN, 'other')}" if len(most) > SHOWN else ""
    return [("sources", [f"at birth {named}{more}" if most else "in none"])]


def _ties(tokenizer: Tokenizer, token_id: int, run: Run | None) -> list[tuple[str, Sentence]]:
    """Return which pairs tied with the token's pair when the token was learnt, or that no counts are known."""
    origin = tokenizer.origin(token_id)
    if origin is None or token_id in tokenizer.special_tokens.values():
        return []
    step = origin[2] - run.merges_before if run else 0
    if run is None or step < 1:
        return [("count", ["not known: published without it"])]
    merge = run.merges[step - 1]
    if merge.tied == 1:
        return [("ties", ["none: no other pair was as frequent"])]
    pairs = run.pair_counts(step - 1, min(merge.tied, SHOWN))
    tied = [(pair.left, pair.right) for pair in pairs if (pair.left, pair.right) != (merge.left, merge.right)]
    others = counted(merge.tied - 1, "other pair")
    return [("ties", [f"as frequent as {others}: ", *_listed(tied, merge.tied > SHOWN)])]


def _contained(tokenizer: Tokenizer, token_id: int) -> Sentence:
    # cached, since a view asks for these tokens again at every key press
    found = cached(tokenizer, ("containing", token_id), lambda: containing(tokenizer, token_id))
    if not found:
        return ["no other token"]
    return _tokens(tokenizer, found, "contains its bytes" if len(found) == 1 else "contain its bytes")


def _joined(tokenizer: Tokenizer, token_id: int) -> Sentence:
    found = cached(tokenizer, ("joins", token_id), lambda: joins(tokenizer, token_id))
    if not found:
        return ["none joins it to another token"]
    words: Sentence = [f"it is a half in {counted(len(found), 'merge')}: "]
    for left, right, step in found[: SHOWN // 2]:
        words += [(tokenizer.token_bytes(left), tokenizer.token_bytes(right)), f" at step {step:,}", ", "]
    return [*words[:-1], " …" if len(found) > SHOWN // 2 else ""]


def _listed(tokens: Iterable[bytes | tuple[bytes, bytes]], more: bool) -> Sentence:
    words: Sentence = []
    for token in tokens:
        words += [token, " "]
    return [*words, "…"] if more else words
