"""Byte-pair encoding, recorded: train once, look at any step.

>>> from bpe_core import Settings, train
>>> run = train("low low low lower", Settings(pretokenizer="whitespace", vocab_size=258))
>>> [merge.token for merge in run.merges]
[b'lo', b'low']
>>> run.tokenizer().encode("slow").tokens
(b's', b'low')

A name is imported when it is first used, so `import bpe_core` alone loads nothing. Thus a command can be ready for
Ctrl-C before the libraries load (see `cli`).
"""

from typing import TYPE_CHECKING

__version__ = "2.0.0"

if TYPE_CHECKING:
    from bpe_core.corpus.source_counts import SourceError as SourceError
    from bpe_core.corpus.text_files import TextError as TextError
    from bpe_core.corpus.text_files import TextFile as TextFile
    from bpe_core.files import FORMATS as FORMATS
    from bpe_core.files import Format as Format
    from bpe_core.files import FormatError as FormatError
    from bpe_core.files import HubError as HubError
    from bpe_core.files import dumps as dumps
    from bpe_core.files import load as load
    from bpe_core.files import loads as loads
    from bpe_core.published import PUBLISHED as PUBLISHED
    from bpe_core.record.record import Merge as Merge
    from bpe_core.record.record import PairCount as PairCount
    from bpe_core.record.run import Run as Run
    from bpe_core.record.run_file import RunFileError as RunFileError
    from bpe_core.record.run_training import train as train
    from bpe_core.record.run_training import train_counts as train_counts
    from bpe_core.sameness.same import Sameness as Sameness
    from bpe_core.sameness.same import same as same
    from bpe_core.settings import ALPHABETS as ALPHABETS
    from bpe_core.settings import WORD_MARKERS as WORD_MARKERS
    from bpe_core.settings import Settings as Settings
    from bpe_core.settings import SettingsError as SettingsError
    from bpe_core.text.normalized_text import Normalized as Normalized
    from bpe_core.text.normalizers import NORMALIZERS as NORMALIZERS
    from bpe_core.text.normalizers import normalize as normalize
    from bpe_core.text.pretokenizers import PRETOKENIZERS as PRETOKENIZERS
    from bpe_core.text.rules import PatternError as PatternError
    from bpe_core.text.rules import Pretoken as Pretoken
    from bpe_core.text.rules import Pretokenizer as Pretokenizer
    from bpe_core.ties import TIE_RULES as TIE_RULES
    from bpe_core.tokenizer.base_symbols import UNKNOWN as UNKNOWN
    from bpe_core.tokenizer.checks import SpecialTokenError as SpecialTokenError
    from bpe_core.tokenizer.comparison import Comparison as Comparison
    from bpe_core.tokenizer.comparison import compare as compare
    from bpe_core.tokenizer.encoding import Encoding as Encoding
    from bpe_core.tokenizer.tokenizer import Tokenizer as Tokenizer
    from bpe_core.tokenizer.trimming import trim as trim
else:
    from importlib import import_module

    _NAMES = {
        "corpus.source_counts": ("SourceError",),
        "corpus.text_files": ("TextError", "TextFile"),
        "files": ("FORMATS", "Format", "FormatError", "HubError", "dumps", "load", "loads"),
        "published": ("PUBLISHED",),
        "record.run_training": ("train", "train_counts"),
        "record.record": ("Merge", "PairCount"),
        "record.run": ("Run",),
        "record.run_file": ("RunFileError",),
        "sameness.same": ("Sameness", "same"),
        "settings": ("ALPHABETS", "WORD_MARKERS", "Settings", "SettingsError"),
        "text.normalized_text": ("Normalized",),
        "text.normalizers": ("NORMALIZERS", "normalize"),
        "text.pretokenizers": ("PRETOKENIZERS",),
        "text.rules": ("PatternError", "Pretoken", "Pretokenizer"),
        "ties": ("TIE_RULES",),
        "tokenizer.checks": ("SpecialTokenError",),
        "tokenizer.comparison": ("Comparison", "compare"),
        "tokenizer.encoding": ("Encoding",),
        "tokenizer.tokenizer": ("Tokenizer",),
        "tokenizer.trimming": ("trim",),
        "tokenizer.base_symbols": ("UNKNOWN",),
    }
    _HOMES = {name: f"bpe_core.{module}" for module, names in _NAMES.items() for name in names}
    # after `import bpe_core` alone, these folders and modules can be used as well: `bpe_core.files.save`
    _CHAPTERS = (
        "chat",
        "corpus",
        "counting",
        "files",
        "pictures",
        "record",
        "settings",
        "text",
        "ties",
        "tokenizer",
        "training",
    )
    __all__ = sorted(_HOMES)

    def __getattr__(name: str) -> object:
        """Import a name or a folder when it is first used."""
        if name in _CHAPTERS:
            return import_module(f"bpe_core.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'bpe_core' has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """Return all names, imported or not."""
        return sorted({*globals(), *__all__, *_CHAPTERS})
