"""The loss of 1,000 steps of clip on the tiny model of golden.py, made by PyTorch on the CPU in float64: curve.json.

    python testing/golden/testdata/curve.py           writes it beside this file
    python testing/golden/testdata/curve.py --check N makes the first N steps again and compares

It needs what golden.py needs. The model has QuickGELU and begins with tiny.safetensors. Loss t is that of step t's batch before
the step. AdamW as in golden.py, with lr 5e-4 at the most, 100 steps of warm-up, cosine to 0 at step 1,000; gradients clipped to a norm
of 1.

Step t, from 0, has 16 images and a text of each, made of the outputs of one SplitMix64 whose state is 1,000,003 + t. Image after
image, the outputs a, b, c are taken, in this order, and then one output each of 64 blocks of 4 × 4 pixels, rows first:
  colour = a mod 8, quarter = b mod 4 (left above, right above, left below, right below), form = c mod 3;
  the pixels of a block are all (64 + output mod 64) in red, green and blue;
  the 16 × 16 pixels of the quarter are then, in red, green and blue, 40, or 215 where bits 0, 1, 2 of colour are 1.
The text, between the start 62 and the end 63, is by form
  0: colour + 1, quarter + 20      1: 40, colour + 1, 41, quarter + 20      2: quarter + 30, 42, 43, colour + 10, 44"""
import json
import math
import sys

import golden
import numpy as np
import torch

M64 = 2**64 - 1
STEPS, WARMUP, LR, N = 1000, 100, 5e-4, 16


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & M64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        yield z ^ z >> 31


def batch(t):
    """Images and texts of a step."""
    random, texts = splitmix(1_000_003 + t), []
    images = np.zeros((N, 32, 32, 3), np.uint8)
    for image in images:
        colour, quarter, form = next(random) % 8, next(random) % 4, next(random) % 3
        grey = np.array([64 + next(random) % 64 for _ in range(64)], np.uint8).reshape(8, 8)
        image[:] = grey.repeat(4, 0).repeat(4, 1)[:, :, None]
        y, x = 16 * (quarter // 2), 16 * (quarter % 2)
        image[y:y + 16, x:x + 16] = [215 if colour >> bit & 1 else 40 for bit in range(3)]
        texts.append([golden.START, *([colour + 1, quarter + 20], [40, colour + 1, 41, quarter + 20],
                                      [quarter + 30, 42, 43, colour + 10, 44])[form], golden.END])
    return images, texts


def loss(model, t):
    """That of a step's batch."""
    images, texts = batch(t)
    return golden.clip(model.encode_image(golden.preprocess(images)), model.encode_text(golden.pad(texts)), model.logit_scale.exp(), None, None)


def curve(steps, nudge=0.0):
    model = golden.tiny(True)
    with torch.no_grad():
        model.text_projection[0, 0] += nudge
    opt, losses = golden.optimiser(model, LR), []
    for t in range(steps):
        of_step = loss(model, t)
        losses.append(of_step["loss"].item())
        golden.step(model, opt, golden.rate(t, LR, WARMUP, STEPS), of_step)
    return losses


if __name__ == "__main__":
    torch.set_num_threads(1)
    file = golden.HERE / "curve.json"
    if "--check" in sys.argv:
        wanted = json.loads(file.read_text())[:int(sys.argv[-1])]
        worst = max(abs(a / b - 1) for a, b in zip(curve(len(wanted)), wanted))
        sys.exit(f"a loss differs by {worst:.1e} of itself" if worst > 1e-6 else 0)
    file.write_text("[" + ",\n".join(map(repr, curve(STEPS))) + "]\n")
