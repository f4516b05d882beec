"""The former place of `dumps_model`, for one release: it is in `tokenizer_json`."""

from __future__ import annotations

import warnings

from bpe_core.files.tokenizer_json import dumps_model

__all__ = ["dumps_model"]

warnings.warn("dumps_model is now in bpe_core.files.tokenizer_json", DeprecationWarning, stacklevel=2)
