"""The same sentence in eight languages, and its number of tokens with each tokenizer."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pages.parts.playground.many_tokenizers import row_of
from pages.parts.session.vocabularies import Vocabulary

SENTENCES = {
    "English": "The children read a book under the old tree.",
    "German": "Die Kinder lesen ein Buch unter dem alten Baum.",
    "Spanish": "Los niños leen un libro bajo el viejo árbol.",
    "Russian": "Дети читают книгу под старым деревом.",
    "Arabic": "يقرأ الأطفال كتابًا تحت الشجرة القديمة.",
    "Hindi": "बच्चे पुराने पेड़ के नीचे एक किताब पढ़ते हैं।",
    "Chinese": "孩子们在老树下读一本书。",
    "Swahili": "Watoto wanasoma kitabu chini ya mti mzee.",
}
FIRST = "English"


def times_english(title: str) -> str:
    """Return the name of the column with a tokenizer's tokens as a multiple of its tokens for English."""
    return f"{title}, English = 1"


def prices(vocabularies: Sequence[Vocabulary]) -> pd.DataFrame:
    """Return a row for each language: each tokenizer's tokens for the sentence, also as a multiple of English's."""
    columns: dict[str, list[object]] = {"language": list(SENTENCES), "sentence": list(SENTENCES.values())}
    for vocabulary in vocabularies:
        counts = {language: len(row_of(vocabulary, text).table) for language, text in SENTENCES.items()}
        columns[vocabulary.title] = list(counts.values())
        columns[times_english(vocabulary.title)] = [round(count / counts[FIRST], 2) for count in counts.values()]
    return pd.DataFrame(columns)
