"""texts/ as a corpus: rows by number, and the numbers of a key's rows."""
from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import weakref
from typing import Iterator, Optional

import numpy as np

from . import files, index
from .rows import Rows, alone


class Corpus:
    """The Parquet files of a folder or an s3:// URL, or one of them. Workers share a folder with an index and
    decoded rows: below cache, where the next training finds it, or a temporary one. A single file is expected to be read in order, and
    its index is in memory."""

    def __init__(self, path: str, by: str, cache: Optional[str] = None):
        self.by = by
        self.files = files.parquet_files(path)
        if not files.is_folder(path):
            self.index, self.rows = index.build(self.files, by), Rows(self.files, None)
            return
        folder = os.path.join(cache, identity(self.files)) if cache else temporary()
        os.makedirs(folder, exist_ok=True)
        self.folder = os.path.join(folder, f"by-{by}")
        with alone(self.folder):
            if not os.path.exists(self.folder):
                made = tempfile.mkdtemp(dir=folder)
                index.save(index.build(self.files, by), made)
                os.rename(made, self.folder)
        self.index, self.rows = index.load(self.folder), Rows(self.files, folder)
        if not cache:
            weakref.finalize(self.rows, remove, folder, os.getpid())

    def __getstate__(self) -> dict:
        """A spawned worker maps the arrays again and does not copy them."""
        return {k: v for k, v in self.__dict__.items() if k != "index" or not hasattr(self, "folder")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        if hasattr(self, "folder"):
            self.index = index.load(self.folder)

    def __len__(self) -> int:
        """Returns the number of runs of rows with one key."""
        return len(self.index.runs) - 1

    def run(self, i: int) -> list[int]:
        """Returns the rows of run i."""
        return list(range(int(self.index.runs[i]), int(self.index.runs[i + 1])))

    def first(self, column: str) -> Iterator[str]:
        """Yields the value of a column in the first row of each run. It reads that column only."""
        runs, k, row = self.index.runs, 0, 0
        for path in self.files:
            for batch in files.open_parquet(path).iter_batches(1 << 16, columns=[column]):
                values, row = batch.column(0), row + len(batch)
                while runs[k] < row and k < len(self):
                    yield values[int(runs[k]) - row + len(batch)].as_py()
                    k += 1

    def find(self, key: str) -> list[int]:
        """Returns the rows with that key, if any."""
        return [i for i in self.index.find(key) if self.rows.read(i, i + 1, [self.by])[0][self.by] == key]

    def images(self, rows: list[int]) -> list[int]:
        """Returns all rows of the images of these rows."""
        starts = self.index.images
        runs = np.unique(np.searchsorted(starts, np.array(rows, starts.dtype), "right")) - 1
        return [row for k in runs for row in range(int(starts[k]), int(starts[k + 1]))]


def identity(names: list[str]) -> str:
    """Returns a name for the current state of the files."""
    return hashlib.sha256("\n".join(map(files.identity, names)).encode()).hexdigest()[:16]


def temporary() -> str:
    return tempfile.mkdtemp(prefix="capgraph-")


def remove(folder: str, owner: int) -> None:
    """Removes the temporary folder, in the process that made it: forked workers have the corpus too, and end earlier."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
