"""The names of the package, each with its home. `__init__.py` reads this file, and so do type checkers and editors."""

from bpe_core.corpus.sources import SourceError as SourceError
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
from bpe_core.text.normalizers import NORMALIZERS as NORMALIZERS
from bpe_core.text.normalizers import Normalized as Normalized
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

__version__: str
