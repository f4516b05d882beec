"""Byte-pair encoding, recorded: train once, look at any step.

>>> from bpe_core import Settings, train
>>> run = train("low low low lower", Settings(pretokenizer="whitespace", vocab_size=258))
>>> [merge.token for merge in run.merges]
[b'lo', b'low']
>>> run.tokenizer().encode("slow").tokens
(b's', b'low')
"""

from bpe_core.encoding import UNKNOWN, Encoding
from bpe_core.files import FORMATS, Format, FormatError, dumps, load, loads
from bpe_core.normalizers import NORMALIZERS, Normalized, normalize
from bpe_core.pieces import TextError, TextFile
from bpe_core.pretokenizers import PRETOKENIZERS, PatternError, Pretoken, Pretokenizer
from bpe_core.run import Merge, PairCount, Run, train, train_counts
from bpe_core.settings import ALPHABETS, WORD_MARKERS, Settings, SettingsError
from bpe_core.ties import TIE_RULES
from bpe_core.tokenizer import Tokenizer

__all__ = [
    "ALPHABETS",
    "FORMATS",
    "NORMALIZERS",
    "PRETOKENIZERS",
    "TIE_RULES",
    "UNKNOWN",
    "WORD_MARKERS",
    "Encoding",
    "Format",
    "FormatError",
    "Merge",
    "Normalized",
    "PairCount",
    "PatternError",
    "Pretoken",
    "Pretokenizer",
    "Run",
    "Settings",
    "SettingsError",
    "TextError",
    "TextFile",
    "Tokenizer",
    "dumps",
    "load",
    "loads",
    "normalize",
    "train",
    "train_counts",
]
