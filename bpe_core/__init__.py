"""Byte-pair encoding, recorded: train once, look at any step.

>>> from bpe_core import Settings, train
>>> run = train("low low low lower", Settings(pretokenizer="whitespace", vocab_size=258))
>>> [merge.token for merge in run.merges]
[b'lo', b'low']
>>> run.tokenizer().encode("slow").tokens
(b's', b'low')
"""

import signal
import sys

if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # `python -m bpe_core` is being imported, which takes a moment: Ctrl-C ends it without a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from bpe_core.corpus.text_files import TextError, TextFile
from bpe_core.files import FORMATS, Format, FormatError, HubError, dumps, load, loads
from bpe_core.record.recording import train, train_counts
from bpe_core.record.run import Merge, PairCount, Run
from bpe_core.settings import ALPHABETS, WORD_MARKERS, Settings, SettingsError
from bpe_core.text.normalized_text import Normalized
from bpe_core.text.normalizers import NORMALIZERS, normalize
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError, Pretoken, Pretokenizer
from bpe_core.ties import TIE_RULES
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN

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
    "HubError",
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
