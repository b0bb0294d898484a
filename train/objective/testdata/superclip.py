"""Writes superclip.json: three batches of superclip with PyTorch in float64, for superclip_test.go. It checks that capgraph_torch
computes the same.

    PYTHONPATH=python python3 train/objective/testdata/superclip.py          writes it
    PYTHONPATH=python python3 train/objective/testdata/superclip.py --check  compares with it"""
import json
import pathlib
import sys

import numpy as np
import torch

import capgraph_torch

WIDTH, CLASSES = 6, 7
random = np.random.default_rng(3)
head = torch.tensor(random.normal(size=(CLASSES, WIDTH)), requires_grad=True)
counts, images, steps = [0] * CLASSES, 0, []
theirs = capgraph_torch.SuperClip(WIDTH, CLASSES).double()
theirs.head.data = head.detach().clone()
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
    again = features.detach().requires_grad_()
    batch = [(p, i) for i, image in enumerate(parts) for p in image]
    same = theirs(again, *torch.tensor(batch, dtype=torch.int64).reshape(-1, 2).T)
    theirs.head.grad = None
    same.backward()
    along = (features.grad * features).sum(1, keepdim=True) * features  # theirs normalises features
    for ours, other in ((loss, same), (features.grad - along, again.grad), (head.grad, theirs.head.grad)):
        torch.testing.assert_close(ours, other, rtol=1e-12, atol=1e-12)
    steps.append({"parts": parts, "features": features.tolist(), "loss": loss.item(), "d_features": features.grad.tolist(), "d_head": head.grad.tolist()})
out = {"head": head.tolist(), "steps": steps}
file = pathlib.Path(__file__).with_suffix(".json")
if "--check" in sys.argv:
    for got, want in zip(steps, json.loads(file.read_text())["steps"], strict=True):
        for what in ("features", "loss", "d_features", "d_head"):
            torch.testing.assert_close(torch.tensor(got[what]), torch.tensor(want[what]), rtol=1e-9, atol=1e-12)
else:
    file.write_text(json.dumps(out) + "\n")
