"""Columns of strings, of whatever holds them."""
from __future__ import annotations

import pyarrow as pa


def strings(values, name: str) -> pa.ChunkedArray:
    """A column of strings of a list, or of a column of numpy, pandas, pyarrow or polars. None and NaN are null."""
    if isinstance(values, (str, bytes, dict)):
        raise TypeError(f"{name} is a {type(values).__name__}: pass a list of them")
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        column = values
    elif hasattr(values, "__arrow_c_stream__"):  # pandas, polars
        column = pa.chunked_array(values)
    elif hasattr(values, "to_arrow"):
        column = values.to_arrow()
    else:
        return pa.chunked_array([_of_objects(values.tolist() if hasattr(values, "tolist") else list(values), name)])
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind)):
        raise TypeError(f"{name} is a column of {column.type}, not of strings")
    return column.cast(pa.large_string())


def _of_objects(values: list, name: str) -> pa.Array:
    values = [None if value is None or value != value else value for value in values]
    for row, value in enumerate(values):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name}[{row}] is a {type(value).__name__}, not a string or None")
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError:  # lone surrogates, which no UTF-8 has: such a caption is rejected, its neighbours are not
        return pa.array([value and value.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for value in values],
                        pa.large_string())
