"""An index of the rows of Parquet files by key, for more rows than a dict can hold: 12 bytes a row, in arrays that processes share."""
from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from .files import open_parquet


class Index(NamedTuple):
    """The rows of each key of a column. Rows are numbered from 0 through all files."""

    hashes: np.ndarray  # uint64, ascending: of the key of each row
    rows: np.ndarray  # uint32: the rows of those hashes; of equal hashes ascending
    runs: np.ndarray  # uint32: the first row of each run of one key in one file, and the number of rows
    images: np.ndarray  # uint32: the same of runs of one image_key
    files: np.ndarray  # uint32: the first row of each file, and the number of rows

    def find(self, key: str) -> list[int]:
        """Returns the rows whose key has the same hash, ascending: those of the key and, very rarely, of another."""
        wanted = hash_texts(pa.array([key]))[0]
        first, last = np.searchsorted(self.hashes, wanted, "left"), np.searchsorted(self.hashes, wanted, "right")
        return self.rows[first:last].tolist()


def build(files: list[str], by: str) -> Index:
    """Reads the columns by and image_key of all files."""
    rows = [open_parquet(path).metadata.num_rows for path in files]
    ends = np.cumsum([0] + rows)
    if ends[-1] >= 2**32:
        raise ValueError(f"{os.path.dirname(files[0])} has {ends[-1]:,} rows, more than an index can number: make it two folders")
    columns = {name: np.empty(ends[-1], np.uint64) for name in (by, "image_key")}
    for path, at in zip(files, ends):
        for batch in open_parquet(path).iter_batches(1 << 16, columns=list(columns)):
            for name, hashes in columns.items():
                hashes[at:at + len(batch)] = hash_texts(batch.column(name))
            at += len(batch)
    order = np.argsort(columns[by], kind="stable")
    return Index(columns[by][order], order.astype(np.uint32), *(starts(columns[name], ends) for name in (by, "image_key")), ends.astype(np.uint32))


def starts(hashes: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Returns where runs of equal hashes begin, each within a file, and the number of rows."""
    first = np.empty(len(hashes) + 1, bool)
    first[1:-1] = hashes[1:] != hashes[:-1]
    first[ends] = True
    return np.flatnonzero(first).astype(np.uint32)


def save(index: Index, folder: str) -> None:
    """Writes the arrays to an existing folder."""
    for name, array in index._asdict().items():
        np.save(os.path.join(folder, f"{name}.npy"), array)


def load(folder: str) -> Index:
    """Returns the arrays of a folder, mapped: the processes of a machine share their memory."""
    return Index(*(np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r") for name in Index._fields))


def hash_texts(texts: pa.Array) -> np.ndarray:
    """Returns a 64-bit hash of each text: Σ (byte + 1) · a random number of the byte's place, mixed."""
    texts = texts.cast(pa.large_string())  # whichever offsets they have
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)[texts.offset:texts.offset + len(texts) + 1]
    length = np.diff(ends)
    bytes_ = np.frombuffer(data or b"", np.uint8)[ends[0]:ends[-1]].astype(np.uint64)
    place = np.arange(len(bytes_)) - np.repeat(ends[:-1] - ends[0], length)
    factors = mix(np.arange(1, length.max(initial=0) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum((bytes_ + np.uint64(1)) * factors[place])])
    ends = ends - ends[0]
    return mix(sums[ends[1:]] - sums[ends[:-1]])


def mix(z: np.ndarray) -> np.ndarray:
    """SplitMix64's output of each state."""
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
