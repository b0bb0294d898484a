"""Writes golden.json: small files of every kind with the pixels that Pillow reads,
and what torchvision makes of them; and boxes.json: boxes of the random crop.

    python testdata/golden.py    # Pillow, torchvision, numpy
"""

import base64
import hashlib
import io
import json
import math
import os

import numpy as np
from PIL import Image
from torchvision.transforms import InterpolationMode, functional

HERE = os.path.dirname(__file__)
SIDE = 16


def smooth(width, height, channels):
    """Colours that change slowly, as those of photographs do."""
    random = np.random.default_rng(width * 1000 + height)
    few = random.integers(0, 256, (height // 8 + 2, width // 8 + 2, channels)).astype(np.uint8)
    return np.stack([np.asarray(Image.fromarray(few[..., i]).resize((width, height), Image.BICUBIC)) for i in range(channels)], -1)


def files(width, height):
    rgb = Image.fromarray(smooth(width, height, 3))
    rgba = Image.fromarray(smooth(width, height, 4))
    palette = rgb.convert("P", palette=Image.Palette.ADAPTIVE, colors=16)
    yield "JPEG 4:4:4", rgb, "JPEG", {"quality": 90, "subsampling": 0}
    yield "JPEG 4:2:2", rgb, "JPEG", {"quality": 90, "subsampling": 1}
    yield "JPEG 4:2:0", rgb, "JPEG", {"quality": 90, "subsampling": 2}
    yield "JPEG progressive", rgb, "JPEG", {"quality": 90, "progressive": True}
    yield "JPEG grey", rgb.convert("L"), "JPEG", {"quality": 90}
    yield "JPEG CMYK", rgb.convert("CMYK"), "JPEG", {"quality": 95}
    exif = Image.Exif()
    exif[0x0112] = 6
    yield "JPEG turned by EXIF", rgb, "JPEG", {"quality": 90, "exif": exif}
    yield "PNG", rgb, "PNG", {}
    yield "PNG with alpha", rgba, "PNG", {}
    yield "PNG grey", rgb.convert("L"), "PNG", {}
    yield "PNG grey with alpha", rgba.convert("LA"), "PNG", {}
    yield "PNG palette", palette, "PNG", {}
    yield "PNG palette, one colour transparent", palette, "PNG", {"transparency": 3}
    yield "PNG black and white", rgb.convert("1"), "PNG", {}
    yield "WebP", rgb, "WEBP", {"quality": 80}
    yield "WebP with alpha", rgba, "WEBP", {"quality": 80, "exact": True}
    yield "WebP lossless", rgb, "WEBP", {"lossless": True}
    yield "WebP lossless with alpha", rgba, "WEBP", {"lossless": True, "exact": True}


def text(data):
    return base64.b64encode(data).decode()


def golden():
    rows = []
    for width, height in [(33, 21), (20, 40), (1, 1), (2, 3), (1, 9)]:
        for name, image, kind, options in files(width, height):
            if kind == "JPEG" and (width, height) in [(20, 40), (1, 9)]:
                continue
            out = io.BytesIO()
            image.save(out, kind, **options)
            read = Image.open(io.BytesIO(out.getvalue())).convert("RGB")
            resized = functional.resize(read, SIDE, InterpolationMode.BICUBIC)
            # Pillow 13 begins with columns where many more rows than columns go.
            resized = read.resize((resized.width, read.height), Image.BICUBIC).resize(resized.size, Image.BICUBIC)
            centre = functional.center_crop(resized, [SIDE, SIDE])
            row = {"name": f"{name}, {width} x {height}", "size": [width, height], "file": text(out.getvalue())}
            row["centre"] = hashlib.sha256(centre.tobytes()).hexdigest()
            row |= {"pixels": text(read.tobytes())} if kind == "JPEG" else {"sha256": hashlib.sha256(read.tobytes()).hexdigest()}
            rows.append(row)
    return rows


class Numbers:
    """docs/format.md, "The draw"."""

    def __init__(self, purpose, seed, epoch, key):
        digest = hashlib.sha256(f"{purpose}\n{seed}\n{epoch}\n{key}".encode()).digest()
        self.state = int.from_bytes(digest[:8], "little")

    def next(self):
        m = 2**64 - 1
        self.state = self.state + 0x9E3779B97F4A7C15 & m
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & m
        z = (z ^ z >> 27) * 0x94D049BB133111EB & m
        return z ^ z >> 31

    def between(self, low, high):
        return low + (high - low) * ((self.next() >> 11) / 2**53)


def box(seed, epoch, key, width, height, scale, ratio):
    """docs/format.md, "The crop"."""
    n = Numbers("crop", seed, epoch, key)
    low, high = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(10):
        area = width * height * n.between(*scale)
        aspect = math.exp(n.between(low, high))
        w, h = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
        if 0 < w <= width and 0 < h <= height:
            top = n.next() % (height - h + 1)
            left = n.next() % (width - w + 1)
            return [left, top, w, h]
    w, h = width, height
    if width / height < ratio[0]:
        h = min(max(round(width / ratio[0]), 1), height)
    elif width / height > ratio[1]:
        w = min(max(round(height * ratio[1]), 1), width)
    return [(width - w) // 2, (height - h) // 2, w, h]


def boxes():
    rows = []
    sizes = [(640, 480), (480, 640), (1, 1), (2, 1), (1000, 20), (20, 1000), (333, 500), (16383, 16383)]
    for i, (width, height) in enumerate(sizes * 3):
        seed, epoch, key = [7, 2**64 - 1, 0][i // 8], i % 3, ["000420001", "images/ein Häuschen 小.jpg", ""][i % 3]
        scale, ratio = [([0.9, 1.0], [3 / 4, 4 / 3]), ([0.08, 1.0], [3 / 4, 4 / 3]), ([0.5, 0.5], [1.0, 1.0])][i // 8]
        row = {"seed": str(seed), "epoch": epoch, "key": key, "size": [width, height], "scale": scale, "ratio": ratio}
        rows.append(row | {"box": box(seed, epoch, key, width, height, scale, ratio)})
    return rows


for name, rows in [("golden.json", golden()), ("boxes.json", boxes())]:
    with open(os.path.join(HERE, name), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n")
