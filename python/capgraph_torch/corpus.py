"""texts/ as a corpus: rows by number, and the numbers of a key's rows."""
from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import weakref
from typing import Optional

import numpy as np

from . import files, index
from .rows import Rows, alone


class Corpus:
    """The Parquet files of a folder or an s3:// URL, or one of them. What is made of them to find rows soon, an index and rows decoded,
    lies in a folder that workers share: below cache, where it stays for the next training, or in a temporary one of this process. One
    file is taken to be read in its order, and has its index in memory."""

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
        """Mapped arrays are mapped again, not copied, where a worker is spawned."""
        return {k: v for k, v in self.__dict__.items() if k != "index" or not hasattr(self, "folder")}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        if hasattr(self, "folder"):
            self.index = index.load(self.folder)

    def __len__(self) -> int:
        """The runs of rows of one key."""
        return len(self.index.runs) - 1

    def run(self, i: int) -> list[int]:
        """The rows of run i."""
        return list(range(int(self.index.runs[i]), int(self.index.runs[i + 1])))

    def find(self, key: str) -> list[int]:
        """The rows with that key, none where there are none."""
        return [i for i in self.index.find(key) if self.rows.read(i, i + 1, [self.by])[0][self.by] == key]

    def images(self, rows: list[int]) -> list[int]:
        """All rows of the images that those rows are of."""
        starts = self.index.images
        runs = np.unique(np.searchsorted(starts, np.array(rows, starts.dtype), "right")) - 1
        return [row for k in runs for row in range(int(starts[k]), int(starts[k + 1]))]


def identity(names: list[str]) -> str:
    """A name for the files as they are now."""
    return hashlib.sha256("\n".join(map(files.identity, names)).encode()).hexdigest()[:16]


def temporary() -> str:
    return tempfile.mkdtemp(prefix="capgraph-")


def remove(folder: str, owner: int) -> None:
    """Forked workers have the corpus too, and end before it is done with."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
