"""Writes superclip.json: two batches of superclip with PyTorch in float64, for superclip_test.go."""
import json
import pathlib

import numpy as np
import torch

WIDTH, CLASSES = 6, 7
random = np.random.default_rng(3)
head = torch.tensor(random.normal(size=(CLASSES, WIDTH)), requires_grad=True)
counts, images, steps = [0] * CLASSES, 0, []
# Parts of each image. Two are of one class, an image has none, and a batch has none at all.
for parts in [[[1, 9, 3], [2**31 - 1], [], [2, 9]], [[9, -4], [5, 6, 12, 1]], [[], []]]:
    features = torch.nn.functional.normalize(torch.tensor(random.normal(size=(len(parts), WIDTH)))).requires_grad_()
    own = [sorted({p % 2**32 % CLASSES for p in image}) for image in parts]
    for classes in filter(None, own):
        images += 1
        for c in classes:
            counts[c] += 1
    head.grad, terms = None, []
    for i, classes in enumerate(own):
        if classes:
            weights = torch.zeros(CLASSES, dtype=torch.float64)
            weights[classes] = torch.log((1 + images) / (1 + torch.tensor(counts, dtype=torch.float64)[classes])) + 1
            logits = WIDTH**0.5 * (head @ features[i])
            terms.append(torch.nn.functional.cross_entropy(logits, weights / weights.sum()))
    loss = torch.stack(terms).mean() if terms else 0 * (features.sum() + head.sum())
    loss.backward()
    steps.append({"parts": parts, "features": features.tolist(), "loss": loss.item(), "d_features": features.grad.tolist(), "d_head": head.grad.tolist()})
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps({"head": head.tolist(), "steps": steps}) + "\n")
