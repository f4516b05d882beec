"""The facts about a token: when it was learnt, from what, and which tokens contain it. The browser draws the tree.

A token of a text has more: its place, its symbols, and why it did not merge with its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.pictures.shared.cache import cached
from bpe_core.pictures.shared.json_form import Json, Sentence, SentencePart, as_json
from bpe_core.pictures.shared.token_text import is_whole
from bpe_core.record.run import Run
from bpe_core.text.in_words import counted, times
from bpe_core.text.pattern_parts import alternatives
from bpe_core.tokenizer.biography import (
    PairAcross,
    containing,
    joins,
    other_split,
    pairs_across,
    shorter_and_longer,
    why_no_merge,
)
from bpe_core.tokenizer.tokenizer import BYTE, Tokenizer
from bpe_core.tokenizer.walk import TokenTable, Walk
from bpe_core.training.lifetimes import NEVER


@dataclass(frozen=True, eq=False)
class TextToken:
    """The token that a text has after `step` merges at the base symbol of index `at`.

    `run`: the training of the tokenizer, where it is known.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug", Settings(vocab_size=258)).tokenizer()
    >>> token = TextToken(tok, tok.encode("a hug").walk, at=4, step=1)
    >>> token.number, token.span, token.bytes_of(token.number), token.bytes_of(token.number - 1)
    (3, (4, 5), b'g', b'hu')
    """

    tokenizer: Tokenizer
    walk: Walk
    at: int
    step: int
    run: Run | None = None

    @cached_property
    def table(self) -> TokenTable:
        """The tokens of the text after `step` merges."""
        return self.walk.tokens(self.step)

    @property
    def number(self) -> int:
        """The index of the token among the tokens of the text."""
        return int(np.searchsorted(self.table.firsts, self.at, "right")) - 1

    @property
    def span(self) -> tuple[int, int]:
        """The index of the token's first symbol, and the index after the token's last symbol."""
        number = self.number
        last = number + 1 == len(self.table)
        return self.first_symbol(number), len(self.walk) if last else self.first_symbol(number + 1)

    def first_symbol(self, number: int) -> int:
        """Return the index of the first symbol of token `number`."""
        return int(self.table.firsts[number])

    def id_of(self, number: int) -> int | None:
        """Return the id of token `number`, or None if the text has no such token."""
        return int(self.table.ids[number]) if 0 <= number < len(self.table) else None

    def bytes_of(self, number: int) -> bytes:
        """Return the bytes of token `number`, as they are drawn."""
        return self.table.drawn(number)


def most_interesting(walk: Walk, step: int, within: int = 400) -> int:
    """Return the index of the first symbol of the token that a page opens with; -1 for an empty text.

    The candidates are the tokens that begin within the first `within` symbols. The first choice is
    the word with the most letters, and in it the longest token whose bytes are whole characters.
    """
    table = walk.tokens(step)
    last = int(np.searchsorted(table.firsts, within))
    if not last:
        return -1
    letters: dict[int, int] = {}  # word number → how many letters the word has
    tokens = table.tokens(last)
    words = np.searchsorted(walk.words, table.firsts[:last], "right").tolist()
    for word, token in zip(words, tokens, strict=True):
        letters[word] = letters.get(word, 0) + sum(map(str.isalpha, token.decode("utf-8", "ignore")))

    def interest(number: int) -> tuple[bool, int, int, bool, int]:
        token, word = tokens[number], words[number]
        return not table.lost[number], letters[word], -word, is_whole(token), len(token)

    return int(table.firsts[max(range(last), key=interest)])


def neighbours(token: TextToken) -> list[Sentence]:
    """Return why a token did not merge with the tokens on its left and on its right."""
    rights = [right for right in (token.number, token.number + 1) if right and token.id_of(right) is not None]
    reasons = [why_apart(token, right) for right in rights]
    if len(reasons) == 2 and reasons[0][1:] == reasons[1][1:]:  # the same reason on both sides is told once
        return [[reasons[0][0], " and ", *reasons[1]]]
    return reasons


def why_apart(token: TextToken, right: int) -> Sentence:
    """Return why token number `right` of the text did not merge with the token before it."""
    pair = (token.bytes_of(right - 1), token.bytes_of(right))
    symbol = token.first_symbol(right)
    if not token.tokenizer.model.has_merges:
        return [pair, f" stand apart: a {token.tokenizer.model} model merges nothing."]
    if symbol == token.walk.word_at(symbol).first:
        return [pair, f": {_between_pretokens(token, symbol)}"]
    return [pair, " ", *_within_pretoken(token, symbol, pairs_across(token.walk, symbol, token.step))]


def _between_pretokens(token: TextToken, symbol: int) -> str:
    tok = token.tokenizer
    walk, words = token.walk, [token.walk.word_at(symbol - 1), token.walk.word_at(symbol)]
    if any(end - first == 1 and not tok.vocabulary.is_symbol(int(walk.ids[first])) for first, end in words):
        return "special and added tokens never merge."
    splitter = tok.pretokenizer
    firsts = np.array([word.first for word in words])
    starts, _ = walk.characters(walk.starts[firsts], walk.ends[firsts])
    rules = [splitter.rule_at(walk.text, start) for start in starts.tolist()]
    between = f", between “{rules[0]}” and “{rules[1]}”" if all(rules) and rules[0] != rules[1] else ""
    follows = walk.text[int(starts[1]) : int(starts[1]) + 1]
    if rules[0] and rules[0] == rules[1] and not follows.isspace():  # a space says by itself why it is there
        matched = next((each.words for each in alternatives(splitter) if each.name == rules[0]), "")
        between = f": a piece of “{rules[0]}” is {matched}" if matched else ""
    dropped = "; it throws the white space away" if walk.starts[symbol] > walk.ends[symbol - 1] else ""
    return f"{splitter.title} splits the text here, before any merge{between}{dropped}."


def _not_yet(token: TextToken, symbol: int, learnt: int) -> Iterator[SentencePart]:
    """Yield a sentence: step `learnt` will merge the tokens around `symbol`, or an earlier merge takes one of them."""
    falls = np.append(token.walk.merged_at, NEVER)
    halves = [replace(token, at=at) for at in (symbol - 1, symbol)]
    outer = falls[[halves[0].span[0], halves[1].span[1]]]  # lifetimes of the boundaries around the two tokens
    if falls[symbol] == learnt or outer.min() == NEVER:
        yield f"have not merged yet: that is learnt at step {learnt:,}, and this is step {token.step:,}."
        return
    part = halves[int(outer.argmin())]
    grown = replace(part, step=int(outer.min()))
    yield f"will not merge here: step {learnt:,} joins them, but before that, step {grown.step:,} joins "
    yield from (part.bytes_of(part.number), " into ", grown.bytes_of(grown.number), ".")


def _within_pretoken(token: TextToken, symbol: int, pairs: list[PairAcross]) -> Iterator[SentencePart]:
    tok, last = token.tokenizer, pairs[-1]

    def names(left: int, right: int) -> SentencePart:
        return tok.token_bytes(left), tok.token_bytes(right)

    if last.learnt:
        yield from _not_yet(token, symbol, last.learnt)
        return
    used = [(pair, after) for pair, after in pairwise(pairs) if pair.learnt]
    yield "did not merge: the vocabulary has no merge of these two."
    for pair, after in used:
        grown, part = (after.left, pair.left) if after.left != pair.left else (after.right, pair.right)
        joined = (tok.token_bytes(part), " into ", tok.token_bytes(grown), ".")
        yield from (" The pair here was once ", names(pair.left, pair.right), ". ")
        if pair.until == pair.learnt:
            yield from (f"Step {pair.learnt:,} joins that pair, but here it had already joined ", *joined)
        else:
            yield from (f"Step {pair.learnt:,} joins it, but before that, step {pair.until:,} had joined ", *joined)
    if not used and len(pairs) > 1:
        first = names(pairs[0].left, pairs[0].right)
        count = len(pairs) - 1
        yield (
            " Nor of the pair that stood here earlier, "
            if count == 1
            else f" Nor of the {count:,} pairs that stood here earlier, the first of them "
        )
        yield from (first, ".")


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
        begin = "begins" if len(longer) == 1 else "begin"
        return [
            ("shorter", _tokens(tokenizer, shorter, "that it begins with; the longest match takes this one")),
            (
                "longer",
                _tokens(tokenizer, longer, f"that {begin} with it; the longest match takes them where they fit"),
            ),
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
    """Return which pairs tied with the token's pair when the token was learnt. A file has no counts that say it."""
    origin = tokenizer.origin(token_id)
    if origin is None or token_id in tokenizer.special_tokens.values():
        return []
    step = origin[2] - run.merges_before if run else 0
    if run is None or step < 1:
        return []
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
