"""The random crop of an epoch (docs/format.md, "The crop"): the same as in capgraph train."""
from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np
import torch

RATIO = (3 / 4, 4 / 3)  # the least and the greatest width to height


class Crop:
    """For Folder: a random box of an image of PIL, its area between scale of the image's, resized to side × side as open_clip's
    training does; bytes [3, side, side]."""

    def __init__(self, side: int, scale: tuple[float, float] = (0.9, 1.0)):
        self.side, self.scale = side, scale

    def __call__(self, image: Any, random: Iterator[int]) -> torch.Tensor:
        left, top, width, height = box(random, *image.size, self.scale)
        part = image.convert("RGB").crop((left, top, left + width, top + height))
        pixels = np.array(part.resize((self.side, self.side), 3))  # 3: bicubic
        return torch.from_numpy(pixels).permute(2, 0, 1).contiguous()


def box(random: Iterator[int], width: int, height: int, scale: tuple[float, float] = (0.9, 1.0),
        aspect: tuple[float, float] = RATIO) -> tuple[int, int, int, int]:
    """left, top, width and height of torchvision's RandomResizedCrop: ten tries, then the centre."""
    low, high = math.log(aspect[0]), math.log(aspect[1])
    for _ in range(10):
        target = width * height * between(random, *scale)
        ratio = math.exp(between(random, low, high))
        w, h = round(math.sqrt(target * ratio)), round(math.sqrt(target / ratio))
        if 0 < w <= width and 0 < h <= height:
            top = next(random) % (height - h + 1)
            return next(random) % (width - w + 1), top, w, h
    w, h = width, height
    if width / height < aspect[0]:
        h = min(max(round(width / aspect[0]), 1), height)
    elif width / height > aspect[1]:
        w = min(max(round(height * aspect[1]), 1), width)
    return (width - w) // 2, (height - h) // 2, w, h


def between(random: Iterator[int], low: float, high: float) -> float:
    """Returns the next number, uniform from low to high."""
    return low + (high - low) * ((next(random) >> 11) / 2**53)
