"""The names of the chapter, each with its home. `__init__.py` reads this file, and so do type checkers and editors."""

from bpe_core.files.format import Format as Format
from bpe_core.files.format import FormatError as FormatError
from bpe_core.files.format import MergesError as MergesError
from bpe_core.files.hub import HubError as HubError
from bpe_core.files.loading import load as load
from bpe_core.files.loading import opened as opened
from bpe_core.files.loading import opened_beside as opened_beside
from bpe_core.files.opening import FORMATS as FORMATS
from bpe_core.files.opening import READABLE as READABLE
from bpe_core.files.opening import format_of as format_of
from bpe_core.files.opening import loads as loads
from bpe_core.files.saving import dumps as dumps
from bpe_core.files.saving import format_for as format_for
from bpe_core.files.saving import paths_of as paths_of
from bpe_core.files.saving import save as save
from bpe_core.writing import check_writable as check_writable
