"""The former module of `dumps_model`, for one release. `dumps_model` is now in `tokenizer_json_write`."""

from __future__ import annotations

import warnings

from bpe_core.files.tokenizer_json_write import dumps_model

__all__ = ["dumps_model"]

warnings.warn("dumps_model is now in bpe_core.files.tokenizer_json_write", DeprecationWarning, stacklevel=2)
