"""Columns of strings, of whatever holds them, and frames."""
from __future__ import annotations

import json

import pyarrow as pa


_ROLES = {"images": "image_key", "keys": "key", "phrases": "phrases"}  # arguments, and the columns of a frame


def request(captions, **given) -> dict[str, pa.ChunkedArray]:
    """The columns of a request. captions is a column of strings, or a frame (pandas, polars, pyarrow) with a column caption; its columns
    image_key, key and phrases stand for the arguments images, keys and phrases, which go before them where they are given."""
    if _is_frame(captions):
        names = list(getattr(captions, "column_names", None) or captions.columns)
        if "caption" not in names:
            raise ValueError(f"the frame has no column 'caption' (it has {', '.join(map(repr, names)) or 'none'}): rename one, or pass the column alone, as frame['text']")
        frame, captions = captions, captions["caption"]
        given = {name: frame[_ROLES[name]] if values is None and _ROLES[name] in names else values for name, values in given.items()}
    columns = {"caption": strings(captions, "captions")}
    for name, values in given.items():
        if values is not None:
            columns[_ROLES[name]] = column = _phrases(values) if name == "phrases" else strings(values, name)
            if len(column) != len(columns["caption"]):
                raise ValueError(f"{name} has length {len(column)}, captions {len(columns['caption'])}: pass one for each caption")
    return columns


def _is_frame(values) -> bool:
    return hasattr(values, "columns") and len(getattr(values, "shape", ())) == 2


def index_of(captions):
    """The index of a frame or column of pandas, or None."""
    return captions.index if hasattr(captions, "iloc") else None


def strings(values, name: str) -> pa.ChunkedArray:
    """A column of strings of a list, or of a column of numpy, pandas, pyarrow or polars. None and NaN are null."""
    if values is None or isinstance(values, (str, bytes, dict)):
        raise TypeError(f"{name} is of type {type(values).__name__}: pass a list of strings, as [{name[:-1]}]")
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
    if column.null_count == len(column):  # of whatever type a column without values has
        return pa.chunked_array([pa.nulls(len(column), pa.large_string())])
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        raise TypeError(f"{name} is a column of {column.type}, not of strings: cast it, as with .astype(str) of pandas")
    return column.cast(pa.large_string())


def _of_objects(values: list, name: str) -> pa.Array:
    values = [None if value is None or value != value else value for value in values]
    for row, value in enumerate(values):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name}[{row}] is of type {type(value).__name__}, not a string or None")
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError:  # lone surrogates, which no UTF-8 has: such a caption is rejected, its neighbours are not
        return pa.array([value and value.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for value in values],
                        pa.large_string())


def _phrases(values) -> pa.Array:
    """A column of the phrases of captions: of lists of texts or spans, or of texts with marks. None is null."""
    values = values.to_pylist() if hasattr(values, "to_pylist") else values.to_list() if hasattr(values, "to_list") else list(values)
    values = [value.tolist() if hasattr(value, "tolist") else None if value != value else value for value in values]
    for row, value in enumerate(values):
        if not (value is None or isinstance(value, (str, list, tuple))):
            raise TypeError(f"phrases[{row}] is of type {type(value).__name__}: pass a list of texts or spans, a text with marks, or None")
    return pa.array([value if value is None or isinstance(value, str) else json.dumps(value, default=lambda v: v.tolist()) for value in values], pa.large_string())
