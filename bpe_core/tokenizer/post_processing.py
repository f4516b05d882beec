"""Post-processing: a template puts special tokens around the ids of one text or of two texts.

A template is a row of `TEMPLATES`. A template's type ids tell a model which of the two texts a token belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.encoding import FIRST_TEXT, SECOND_TEXT, Around, Encoding, TwoTexts

FIRST, SECOND = "A", "B"  # the names of the slots that the texts take


class Slot(NamedTuple):
    """A part of a template. `name`: `FIRST`, `SECOND` or a special token's name. `type_id`: the part's type id."""

    name: str
    type_id: int = 0


@dataclass(frozen=True)
class Template:
    """The order of special tokens and texts: for one text (`single`), and for two texts (`pair`)."""

    title: str
    about: str
    single: tuple[Slot, ...]
    pair: tuple[Slot, ...]

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The names of the special tokens that the template needs.

        >>> TEMPLATES["bert"].special_tokens
        ('[CLS]', '[SEP]')
        """
        return tuple(dict.fromkeys(slot.name for slot in self.pair if slot.name not in (FIRST, SECOND)))

    def around(self, special_tokens: Mapping[str, int]) -> Around:
        """Return the ids that the template puts around one text. `special_tokens`: name → id.

        >>> TEMPLATES["bert"].around({"[CLS]": 101, "[SEP]": 102})
        Around(before=(101,), after=(102,))
        """
        names = [slot.name for slot in self.single]
        at = names.index(FIRST)
        return Around(*(tuple(special_tokens[name] for name in part) for part in (names[:at], names[at + 1 :])))

    def around_two(self, special_tokens: Mapping[str, int]) -> TwoTexts:
        """Return what the template puts around and between two texts. `special_tokens`: name → id.

        >>> TEMPLATES["bert"].around_two({"[CLS]": 101, "[SEP]": 102})
        ((101, 0), (-1, 0), (102, 0), (-2, 1), (102, 1))
        """
        places = {**special_tokens, FIRST: FIRST_TEXT, SECOND: SECOND_TEXT}
        return tuple((places[slot.name], slot.type_id) for slot in self.pair) if self.special_tokens else ()


_A, _B, _END = Slot(FIRST), Slot(SECOND), Slot("<|endoftext|>")
_CLS, _SEP, _S = Slot("[CLS]"), Slot("[SEP]"), Slot("<s>")
TEMPLATES: dict[str, Template] = {
    "none": Template("None", "Nothing is added.", (_A,), (_A, _B)),
    "bert": Template(
        "[CLS] and [SEP]",
        "BERT's: [CLS] before, [SEP] after each text. The type of a token says whose it is: 0 the first text's, 1 the "
        "second's.",
        (_CLS, _A, _SEP),
        (_CLS, _A, _SEP, Slot(SECOND, 1), Slot("[SEP]", 1)),
    ),
    "endoftext": Template(
        "<|endoftext|>",
        "GPT-2's training put <|endoftext|> between documents. Its tokenizer does not add it to a text.",
        (_A, _END),
        (_A, _END, _B, _END),
    ),
    "s": Template(
        "<s>",
        "Mistral's: <s>, its BOS, before each text.",
        (_S, _A),
        (_S, _A, Slot("<s>", 1), Slot(SECOND, 1)),
    ),
}


class ProcessedToken(NamedTuple):
    """A token in the result of `process`.

    - `token`: the token's bytes as they are drawn.
    - `token_id`: the token's id; `UNKNOWN` for a special token that the vocabulary does not have.
    - `type_id`: the type id of the slot that the token is in.
    - `source`: the text that the token comes from, `FIRST` or `SECOND`; "" for a special token of the template.
    - `start`, `end`: character offsets in that text; 0 and 0 for a special token of the template.
    - `lost`: whether the vocabulary cannot write the text of the token.
    """

    token: bytes
    token_id: int
    type_id: int
    source: str
    start: int
    end: int
    lost: bool = False


def process(
    template: Template, special_tokens: Mapping[str, int], first: Encoding, second: Encoding | None = None
) -> list[ProcessedToken]:
    """Return the tokens of one text, or of two, in the slots of a template. `special_tokens`: name → id.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug pug", Settings(vocab_size=258, special_tokens=("[CLS]", "[SEP]"))).tokenizer()
    >>> [(row.token, row.token_id, row.type_id) for row in process(TEMPLATES["bert"], tok.special_tokens,
    ...     tok.encode("a"), tok.encode("b"))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [(b'[CLS]', 256, 0), (b'a', 97, 0), (b'[SEP]', 257, 0), (b'b', 98, 1), (b'[SEP]', 257, 1)]
    """
    texts = {FIRST: first, SECOND: second}
    slots = template.single if second is None else template.pair
    return [row for slot in slots for row in _rows(slot, special_tokens, texts)]


def _rows(
    slot: Slot, special_tokens: Mapping[str, int], texts: Mapping[str, Encoding | None]
) -> Iterator[ProcessedToken]:
    if slot.name not in texts:
        yield ProcessedToken(slot.name.encode(), special_tokens.get(slot.name, UNKNOWN), slot.type_id, "", 0, 0)
    elif (encoding := texts[slot.name]) is not None:
        for token, i, span, lost in zip(encoding.drawn, encoding.ids, encoding.spans, encoding.lost, strict=True):
            yield ProcessedToken(token, i, slot.type_id, slot.name, *span, lost)
