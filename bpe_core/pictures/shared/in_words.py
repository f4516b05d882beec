"""Numbers in words: "once", "1,200 times", "1 token"."""

from __future__ import annotations

from bpe_core.tokenizer.tokenizer import Tokenizer


def times(count: int) -> str:
    """Return a count of occurrences in words.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun; `many`: the plural, if the plural is not `one` with an s.

    >>> counted(1, "token"), counted(1200, "token"), counted(2, "word is", "words are")
    ('1 token', '1,200 tokens', '2 words are')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def share(part: int, whole: int) -> str:
    """Return a share in percent; a share is 0 % or 100 % only if it is nothing or all.

    >>> share(1, 2), share(999, 1000), share(1, 1000), share(0, 0)
    ('50 %', '> 99 %', '< 1 %', '0 %')
    """
    percent = round(100 * part / max(whole, 1))
    if percent == 100 and part < whole:
        return "> 99 %"
    return "< 1 %" if percent == 0 and part else f"{percent} %"


def lost_pieces(count: int) -> str:
    """Return a clause: how many pieces of a text are lost, since the vocabulary cannot write them; "" for no piece.

    >>> lost_pieces(6), lost_pieces(1), lost_pieces(0)
    ('6 pieces of the text are lost', '1 piece of the text is lost', '')
    """
    return f"{counted(count, 'piece')} of the text {'is' if count == 1 else 'are'} lost" if count else ""


def why_no_merge(tokenizer: Tokenizer, token_id: int) -> str:
    """Return the end of a sentence that says why no merge made a token, or how the model finds it instead.

    >>> from bpe_core import Settings, train
    >>> why_no_merge(train("hug", Settings(vocab_size=256)).tokenizer(), 104)
    'it is in the base alphabet'
    """
    if token_id in tokenizer.vocabulary.special_names:
        return "it is a special token"
    if tokenizer.vocabulary.is_symbol(token_id) and not tokenizer.model.takes_longest:
        return "it is in the base alphabet"
    score = f"{tokenizer.scores.get(token_id, 0.0):.2f}".replace("-", "\N{MINUS SIGN}")
    return tokenizer.model.why_whole.format(score=score)
