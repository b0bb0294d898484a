"""Writes golden.json: the sum of a network of a formula as ruleparse/tools/teach/student.py packs it, and its scores in PyTorch.

    python ruleparse/internal/convnet/testdata/golden.py >ruleparse/internal/convnet/testdata/golden.json
"""

import hashlib
import json
import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[3] / "tools" / "teach"))
import student  # noqa: E402

count = 0


def following(n):
    global count
    x = (torch.arange(count, count + n) * 2654435761 + 12345) & 0xFFFFFFFF
    count += n
    x ^= x >> 15
    x = x * 0x85EBCA6B & 0xFFFFFFFF
    return (x ^ x >> 13) >> 24


def small(like, unit):
    return (following(like.numel()).view(like.shape) % 31 - 15) / unit


codes = following(100 * student.CODES).view(100, student.CODES)
net = student.Network(codes, torch.zeros(student.CODES, 256, student.DIMENSIONS)).eval()
with torch.no_grad():
    large = lambda like: (following(like.numel()) - 128) * 40 / (student.VALUE * student.WEIGHT)
    for table in (net.books, net.words, net.before, net.behind, *net.traits, net.flags, net.unknown):
        table.copy_(small(table, student.INPUT))
    for w, b in zip(net.layers, net.biases):
        w.copy_(small(w.T, student.WEIGHT).T)
        b.copy_(large(b))
    net.pool.copy_(small(net.pool.T, student.WEIGHT).T)
    net.out.copy_(small(net.out.T, student.WEIGHT).T)
    net.bias.copy_(large(net.bias))
    golden = []
    limits = torch.tensor([100, student.WORDS, student.AFFIXES, student.AFFIXES, 1 << student.FLAGS, *student.TRAITS])
    for n in 1, 2, 7, 40:
        rows = torch.stack([following(n * len(limits)).view(n, -1) * 9973 % limits])[0]
        rows[::5, 0] = -1
        scores = net(rows.unsqueeze(0), torch.ones(1, n))[0] * student.VALUE * student.WEIGHT
        golden.append(dict(Rows=rows.tolist(), Scores=scores.round().int().tolist()))
packed = hashlib.sha256(net.pack()[4:]).hexdigest()  # after its share
print('{"Packed":"' + packed + '","Texts":[\n' + ",\n".join(json.dumps(g, separators=(",", ":")) for g in golden) + "\n]}")
