"""The order of an epoch (docs/format.md, "The order"): the same as in capgraph train."""
from __future__ import annotations

from typing import Iterator, Optional, Sequence

import numpy as np
import torch

from .draw import numbers
from .folder import Folder


class Order(torch.utils.data.Sampler):
    """The batches of an epoch of a Folder, for DataLoader's batch_sampler: lists of indices. batch counts the images of all
    world processes together; rank has its share of each. Shards are in random order, and so are the images within each window, so that
    the requested rows are near each other. The last images, fewer than a batch, are left out. The seed and the epoch are those of the
    folder's texts; start is the first step of the next epoch, for a training that resumes.

    Images whose file does not exist are in no batch, so that each batch has its size: absent has their indices. Without it they
    are looked for. A training that resumes gives the absent of the one before."""

    def __init__(self, folder: Folder, batch: int, rank: int = 0, world: int = 1, window: int = 1 << 16, absent: Optional[Sequence[int]] = None):
        index = folder.texts.corpus.index
        self.absent = list(folder.absent() if absent is None else absent)
        self.present = np.setdiff1d(np.arange(len(folder), dtype=np.uint32), np.array(self.absent, np.uint32), assume_unique=True)
        # the first image of each shard among those that are present, and their number
        self.shards = np.searchsorted(self.present, np.searchsorted(index.runs, index.files)).tolist()
        self.texts, self.batch, self.rank, self.world, self.window, self.start = folder.texts, batch, rank, world, window, 0
        if not 0 <= rank < world <= batch:
            raise ValueError(f"rank {rank} of {world} processes and a batch of {batch}: want an image for each process")
        if len(self) == 0:
            missing = f", {len(self.absent)} more are missing in {folder.folder}" if self.absent else ""
            raise ValueError(f"an epoch has {len(self.present)} images{missing} and a batch has {batch}: lower the batch, or add images")

    def __len__(self) -> int:
        """Returns the number of steps of an epoch."""
        return self.shards[-1] // self.batch

    def __iter__(self) -> Iterator[list[int]]:
        start, self.start = self.start, 0
        places = epoch_order(self.texts.seed, self.texts.epoch, self.shards, self.window)
        first, last = (k * self.batch // self.world for k in (self.rank, self.rank + 1))
        for step in range(len(self)):
            batch = [next(places) for _ in range(self.batch)]
            if step >= start:
                yield self.present[batch[first:last]].tolist()


def epoch_order(seed: int, epoch: int, shards: Sequence[int], window: int) -> Iterator[int]:
    """Returns the images of an epoch, numbered from 0 through all shards. shards: the first image of each, and the number of images."""
    taken = (range(shards[s], shards[s + 1]) for s in permutation(seed, epoch, "shards", "0", len(shards) - 1))
    images = (i for shard in taken for i in shard)
    for w, at in enumerate(range(0, shards[-1], window)):
        among = [next(images) for _ in range(min(window, shards[-1] - at))]
        for i in permutation(seed, epoch, "order", f"0\n{w}", len(among)):
            yield among[i]


def permutation(seed: int, epoch: int, purpose: str, key: str, n: int) -> list[int]:
    """Returns 0 to n - 1 in random order (Fisher and Yates)."""
    random, order = numbers(purpose, seed, epoch, key), list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(random) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order
