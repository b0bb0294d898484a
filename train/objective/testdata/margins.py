"""Writes margins.json: negclip, mosaiclip and fscclip with margins and weights, by PyTorch in float64, for margins_test.go. It checks
that capgraph_torch computes the same.

    PYTHONPATH=python python3 train/objective/testdata/margins.py          writes it
    PYTHONPATH=python python3 train/objective/testdata/margins.py --check  compares with it"""
import json
import pathlib
import sys

import numpy as np
import torch

import capgraph_torch

MARGIN, SCALE = 3.0, 4.0
random = np.random.default_rng(5)
# Three images: positives with their confidence, the caption first; negatives with the place of their positive and their share of the
# margin. Image 1 has no negative, "a dog" is true of images 0 and 2, and a negative of image 2 is true of image 0.
SAMPLES = [
    {"pos": [["a big dog on a mat", 1.0], ["a dog", 0.9], ["a mat", 0.0]], "neg": [["a cat", 1, 0.8], ["a dog under a mat", 0, 0.5]]},
    {"pos": [["two birds", 1.0]], "neg": []},
    {"pos": [["a dog by a red car", 1.0], ["a red car", 0.7], ["a dog", 0.75]], "neg": [["a blue car", 1, 0.6], ["a mat", 1, 0.3], ["a cat by a red car", 0, 0.9]]},
]
names = sorted({text for s in SAMPLES for text, *_ in s["pos"] + s["neg"]})
image = torch.nn.functional.normalize(torch.tensor(random.normal(size=(3, 8)))).requires_grad_()
text = torch.nn.functional.normalize(torch.tensor(random.normal(size=(len(names), 8)))).requires_grad_()
log_scale = torch.tensor(np.log(SCALE), requires_grad=True)
known = [{t for t, _ in s["pos"]} for s in SAMPLES]
row = {name: i for i, name in enumerate(names)}


def weighted(values, by):
    return sum(v * w for v, w in zip(values, by)) / sum(by)


def similarities(texts, of):
    """S of all images and texts; of says whose negatives are pushed, and how far."""
    s = log_scale.exp() * image @ text[[row[t] for t in texts]].T
    push = torch.zeros_like(s)
    for j, (i, share) in of.items():
        push[i, j] = MARGIN * share
    return s, s + push


def mosaiclip():
    pos = [(i, t, max(c, 0.01)) for i, s in enumerate(SAMPLES) for t, c in s["pos"]]
    neg = [(i, t, share) for i, s in enumerate(SAMPLES) for t, _, share in s["neg"]]
    m, texts = len(pos), [t for _, t, _ in pos + neg]
    s, pushed = similarities(texts, {m + k: (i, share) for k, (i, _, share) in enumerate(neg)})
    true = torch.tensor([[t in known[i] for t in texts] for i in range(3)])
    weight = [w for _, _, w in pos]
    i2t = []
    for i in range(3):
        among = [j for j in range(len(texts)) if j < m or not true[i, j]]
        own = [j for j in range(m) if true[i, j]]
        i2t.append(pushed[i, among].logsumexp(0) - weighted([s[i, j] for j in own], [weight[j] for j in own]))
    t2i = [s[:, j].logsumexp(0) - s[true[:, j], j].mean() for j in range(m)]
    loss = (sum(i2t) / 3 + weighted(t2i, weight)) / 2
    batch = {"margin": torch.tensor([share for *_, share in neg], dtype=torch.float64), "weight": torch.tensor(weight, dtype=torch.float64),
             "of": torch.tensor([sum(len(x["pos"]) for x in SAMPLES[:i]) + of for i, x in enumerate(SAMPLES) for _, of, _ in x["neg"]])}
    batch["image_of"] = torch.tensor([i for i, _, _ in pos])
    push = capgraph_torch.margins(3, batch, MARGIN)
    theirs = capgraph_torch.mosaiclip(image, text[[row[t] for t in texts]], log_scale.exp(), true, m, margin=push, weight=batch["weight"])
    torch.testing.assert_close(loss, theirs, rtol=1e-12, atol=1e-12)
    return loss


def captions():
    """The captions, then their negatives, and whose those are."""
    neg = [(i, t, share) for i, s in enumerate(SAMPLES) for t, of, share in s["neg"] if of == 0]
    return [s["pos"][0][0] for s in SAMPLES] + [t for _, t, _ in neg], {3 + k: (i, share) for k, (i, _, share) in enumerate(neg)}


def push_of(of):
    batch = {"margin": torch.tensor([share for _, share in of.values()], dtype=torch.float64), "of": torch.tensor([i for i, _ in of.values()]), "image_of": torch.arange(3)}
    return capgraph_torch.margins(3, batch, MARGIN)


def negclip():
    texts, of = captions()
    s, pushed = similarities(texts, of)
    loss = (sum(pushed[i].logsumexp(0) - s[i, i] for i in range(3)) + sum(s[:, j].logsumexp(0) - s[j, j] for j in range(3))) / 6
    theirs = capgraph_torch.negclip(image, text[[row[t] for t in texts]], log_scale.exp(), push_of(of))
    torch.testing.assert_close(loss, theirs, rtol=1e-12, atol=1e-12)
    return loss


def fscclip():
    texts, of = captions()
    _, pushed = similarities(texts, of)
    terms = []
    for i in range(3):
        own = [j for j, (image_of, _) in of.items() if image_of == i]
        if own:
            p = pushed[i, [i] + own].softmax(0)
            y = torch.full_like(p, 0.02 / len(p))
            y[0] += 0.98
            terms.append((y * (1 - p) ** 2 * -p.log()).sum())
    loss = sum(terms) / len(terms)
    theirs = capgraph_torch.fscclip(image, text[[row[t] for t in texts]], log_scale.exp(), torch.tensor([i for i, _ in of.values()]), margin=push_of(of))
    torch.testing.assert_close(loss, theirs, rtol=1e-12, atol=1e-12)
    return loss


cases = {}
for name, loss in (("mosaiclip", mosaiclip), ("negclip", negclip), ("fscclip", fscclip)):
    image.grad = text.grad = log_scale.grad = None
    value = loss()
    value.backward()
    cases[name] = {"loss": value.item(), "d_image": image.grad.tolist(), "d_text": text.grad.tolist(), "d_log_scale": log_scale.grad.item()}
out = {"margin": MARGIN, "samples": SAMPLES, "names": names, "image": image.tolist(), "text": text.tolist(), "log_scale": log_scale.item(), "cases": cases}
file = pathlib.Path(__file__).with_suffix(".json")
if "--check" in sys.argv:
    for name, case in json.loads(file.read_text())["cases"].items():
        for what, value in case.items():
            torch.testing.assert_close(torch.tensor(cases[name][what]), torch.tensor(value), rtol=1e-9, atol=1e-12)
else:
    file.write_text(json.dumps(out) + "\n")
