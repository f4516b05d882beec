"""The values of a column in a Parquet file, a few at a time. Parquet is read here only: its library has no types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from bpe_core.counting.found_files import FoundFileError

AT_ONCE = 1 << 22  # bytes of values in memory at once, about, if the rows of a group are about equally long
MOST_ROWS = 4096  # in memory at once


def values(
    file: BinaryIO,
    column: str,
    no_such_column: Callable[[str, Iterable[str]], str],
    several: Callable[[str, int], str],
) -> Iterator[tuple[object, str]]:
    """Yield each value of a column, and the column's name. Row groups are read one after the other.

    `column`: "" for the only column with texts. Raises `FoundFileError`.
    """
    try:
        table = pq.ParquetFile(file, buffer_size=1 << 18)  # so that a row group is not read at once
        name = column or _only_text(table.schema_arrow)
        if name not in table.schema_arrow.names:
            raise FoundFileError(no_such_column(name, table.schema_arrow.names))
        if (number := table.schema_arrow.names.count(name)) > 1:
            raise FoundFileError(several(name, number))
        for number in range(table.num_row_groups):
            group = table.metadata.row_group(number)
            each = max(group.total_byte_size // max(group.num_rows, 1), 1)
            size = max(1, min(MOST_ROWS, AT_ONCE // each))
            for batch in table.iter_batches(size, row_groups=[number], columns=[name]):
                yield from ((value, name) for value in batch.column(0).to_pylist())
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FoundFileError(f"it cannot be read as Parquet: {reason[:200]}") from None


def names(file: BinaryIO) -> list[str]:
    """Return the names of the columns. Raises `FoundFileError`."""
    try:
        found: list[str] = pq.read_schema(file).names
    except (pa.ArrowException, OSError) as error:
        raise FoundFileError(str(error)) from None
    return found


def _only_text(schema: pa.Schema) -> str:
    texts = [field.name for field in schema if _is_text(field.type)]
    if len(texts) == 1:
        return str(texts[0])
    known = ", ".join(f"“{name[:40]}”" for name in (texts or schema.names)[:20])
    raise FoundFileError(f"it has no column that is the only one with texts: choose one of {known}")


def _is_text(kind: pa.DataType) -> bool:
    """Return whether the values of a column are texts, however Arrow keeps them."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
