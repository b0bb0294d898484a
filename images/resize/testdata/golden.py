"""Writes golden.json: small images resampled by Pillow and by torchvision.

    python testdata/golden.py    # Pillow, torchvision, torch
"""

import base64
import hashlib
import json
import os

import numpy as np
import torch
from PIL import Image
from torchvision.transforms import InterpolationMode, functional

# Width, height; of the output; box of the output that is kept.
CASES = [
    (200, 150, 70, 70, None), (37, 23, 16, 16, None), (16, 16, 37, 23, None), (1, 1, 8, 8, None), (1, 40, 9, 9, None),
    (40, 1, 9, 9, None), (2, 3, 5, 4, None), (300, 7, 11, 11, None), (7, 300, 11, 11, None), (32, 32, 32, 32, None),
    (50, 40, 40, 32, (4, 0, 36, 32)), (40, 90, 32, 72, (0, 20, 32, 52)), (101, 67, 3, 2, None), (9, 9, 1, 1, None),
    (64, 64, 63, 65, None), (5, 5, 64, 64, (17, 3, 40, 50)),
]


def pixels(width, height, seed):
    """SplitMix64, a byte a number, of which every fifth is 0 or 255; the second half of the cases has no more than gentle contrast."""
    state, out = seed, bytearray()
    for _ in range(width * height * 3):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        out.append(255 * (z >> 8 & 1) if (z >> 16) % 5 == 0 else z & 255)
    a = np.frombuffer(bytes(out), np.uint8).reshape(height, width, 3)
    return 96 + a // 4 if seed >= len(CASES) else a


rows = []
for seed, (w, h, fw, fh, box) in enumerate(CASES + CASES):
    a = pixels(w, h, seed)
    box = box or (0, 0, fw, fh)
    # Pillow 13 begins with columns where many more rows than columns go; up to 12 all versions begin with rows.
    pil = np.asarray(Image.fromarray(a).resize((fw, h), Image.BICUBIC).resize((fw, fh), Image.BICUBIC).crop(box))
    row = {"size": [w, h], "full": [fw, fh], "box": box, "sha256": hashlib.sha256(a.tobytes()).hexdigest()}
    row["pillow"] = hashlib.sha256(pil.tobytes()).hexdigest()
    if seed >= len(CASES):  # a tensor is not clipped between the passes: only where nothing overshoots is it Pillow's
        whole = functional.resize(torch.from_numpy(a.copy()).permute(2, 0, 1), [fh, fw], InterpolationMode.BICUBIC, antialias=True)
        vision = whole.permute(1, 2, 0).numpy()[box[1]:box[3], box[0]:box[2]]
        row["torchvision"] = base64.b64encode(vision.tobytes()).decode()
    rows.append(row)
with open(os.path.join(os.path.dirname(__file__), "golden.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
