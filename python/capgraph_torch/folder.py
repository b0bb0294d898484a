"""Images of a folder with their texts."""
from __future__ import annotations

import errno
import os
from typing import Callable, Optional

import torch

from .texts import Texts

OF_MACHINE = {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE}  # another image would meet them too


class Folder(torch.utils.data.Dataset):
    """The images of a folder that have texts, each once. load(path) returns a tensor, or the input of crop(loaded, numbers); the
    numbers are the epoch's for that image (see Crop). A missing or broken image has None in place of a tensor, and the reason as
    "error": collate leaves it out of the batch and lists it there. A failure of the machine, such as too many open files, ends the
    loading."""

    def __init__(self, folder: str, texts: Texts, load: Callable, crop: Optional[Callable[..., torch.Tensor]] = None):
        self.folder, self.texts, self.load, self.crop = folder, texts, load, crop
        len(texts)  # makes the index here, for all workers

    def __len__(self) -> int:
        return len(self.texts)

    def absent(self) -> list[int]:
        """Returns the indices of the images whose file does not exist."""
        names = self.texts.corpus.first("image")
        return [i for i, name in enumerate(names) if not os.path.exists(os.path.join(self.folder, name))]

    def __getitem__(self, i: int) -> dict:
        drawn = self.texts.at(i)
        try:
            image = self.load(os.path.join(self.folder, drawn["image_path"]))
            if self.crop is not None:
                image = self.crop(image, self.texts.numbers("crop", drawn["image_key"]))
        except Exception as e:  # decoders raise errors of every kind
            if isinstance(e, MemoryError) or getattr(e, "errno", None) in OF_MACHINE:
                raise
            return drawn | {"image": None, "error": f"{type(e).__name__}: {e}"}
        return drawn | {"image": image}
