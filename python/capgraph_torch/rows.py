"""Fast access to any row of Parquet files, although a whole row group has to be decoded for one row. A group is decoded once, and
kept in a folder in small compressed pieces, which all processes of a machine map."""
from __future__ import annotations

import contextlib
import fcntl
import functools
import os
from typing import Iterator, Optional

import numpy as np
import pyarrow as pa

from .files import open_parquet

COLUMNS = ["key", "image_key", "image", "text", "pos", "pos_kind", "pos_id", "pos_confidence", "pos_count", "pos_parts", "neg", "neg_of", "neg_changed", "neg_category",
           "neg_parts"]
PIECE = 256  # rows that are read together


class Rows:
    """The rows of several files in order. Without a folder, the most recent groups are kept in memory, for access in order."""

    def __init__(self, files: list[str], folder: Optional[str]):
        self.files, self.folder = files, folder
        self.groups = []  # of each row group: its file, its number there
        ends = [0]
        for path in files:
            file = open_parquet(path)
            if missing := set(COLUMNS) - set(file.schema_arrow.names):
                raise ValueError(f"{path} lacks the columns {', '.join(sorted(missing))}: make the texts again with this version of capgraph")
            meta = file.metadata
            for g in range(meta.num_row_groups):
                self.groups.append((path, g))
                ends.append(ends[-1] + meta.row_group(g).num_rows)
        self.ends = np.array(ends)
        self.__setstate__(self.__dict__)

    def __getstate__(self) -> dict:
        return {name: self.__dict__[name] for name in ("files", "folder", "groups", "ends")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self.group = functools.lru_cache(64 if self.folder else 2)(self.open_group)
        self.piece = functools.lru_cache(16)(self.open_piece)

    def __len__(self) -> int:
        return int(self.ends[-1])

    def read(self, first: int, last: int, columns: list[str] = COLUMNS) -> list[dict]:
        """Returns rows first to last - 1."""
        rows: list[dict] = []
        while first < last:
            g = int(np.searchsorted(self.ends, first, "right")) - 1
            at = first - int(self.ends[g])
            n = min(last - first, PIECE - at % PIECE, int(self.ends[g + 1]) - first)
            rows += self.piece(g, at // PIECE).slice(at % PIECE, n).select(columns).to_pylist()
            first += n
        return rows

    def open_piece(self, g: int, k: int) -> pa.RecordBatch:
        group = self.group(g)
        return group[k] if isinstance(group, list) else group.get_batch(k)

    def open_group(self, g: int) -> list[pa.RecordBatch] | pa.ipc.RecordBatchFileReader:
        if self.folder is None:
            return list(self.decode(g))
        path = os.path.join(self.folder, f"{g:06d}.arrow")
        with alone(path):
            if not os.path.exists(path):
                pieces = self.decode(g)
                first = next(pieces)
                with pa.OSFile(path + ".tmp", "wb") as file:
                    with pa.ipc.new_file(file, first.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
                        writer.write_batch(first)
                        for piece in pieces:
                            writer.write_batch(piece)
                os.replace(path + ".tmp", path)
        return pa.ipc.open_file(pa.memory_map(path))

    def decode(self, g: int) -> Iterator[pa.RecordBatch]:
        """Returns a group in pieces of PIECE rows, except the last. A piece is small: no offset overflows 32 bits."""
        path, number = self.groups[g]
        rows = int(self.ends[g + 1] - self.ends[g])
        for piece in open_parquet(path).iter_batches(PIECE, row_groups=[number], columns=COLUMNS):
            if len(piece) != min(PIECE, rows):
                raise ValueError(f"{path}, row group {number}: a piece of {len(piece)} rows: want {min(PIECE, rows)}")
            rows -= len(piece)
            yield piece


@contextlib.contextmanager
def alone(path: str) -> Iterator[None]:
    """Lets one process at a time work on a path; a killed one blocks nobody."""
    if os.path.exists(path):
        yield
        return
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
