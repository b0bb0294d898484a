"""Prints PyTorch's scores of a network that is made by a formula, for a test: python golden.py > golden.json

The network is read from the form of ruleparse/internal/encoder. Its matrices take their inputs as they are, and rounded as there.
"""

import hashlib
import json
import pathlib
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "tools/teach"))
from teach import Heads, make_encoder

WIDTH, HEADS, INNER, HEAD_INNER, LABELS = 384, 12, 1536, 192, 5
LAYERS, PIECES, POSITIONS = 2, 100, 40


class Formula:
    """A file of numbers by a formula."""

    def __init__(self):
        self.k = 0
        self.out = [b"capgraph encoder 1\n", struct.pack("<5I", LAYERS, PIECES, POSITIONS, 5 * PIECES, 0)]
        self.out += [b"p%03d\n" % i for i in range(PIECES)]

    def next(self, n):
        k = np.arange(self.k, self.k + n, dtype=np.uint32)
        self.k += n
        x = k * np.uint32(2654435761) + np.uint32(12345)
        x ^= x >> np.uint32(15)
        x *= np.uint32(0x85EBCA6B)
        x ^= x >> np.uint32(13)
        return (x >> np.uint32(24)).astype(np.int32)

    def small(self, n):
        self.out.append((self.next(n) % 255 - 127).astype(np.int8).tobytes())

    def floats(self, n, start, step):
        self.out.append((np.float32(start) + (self.next(n) - 128).astype(np.float32) * np.float32(step)).astype("<f4").tobytes())

    def norm(self):
        self.floats(WIDTH, 1, 2**-9)
        self.floats(WIDTH, 0, 2**-9)

    def matrix(self, outputs, inputs, bias=2**-10):
        self.small(outputs * inputs)
        self.floats(outputs, 2**-10, 2**-19)
        self.floats(outputs, 0, bias)

    def head(self, ends, *tables):
        self.matrix(ends * HEAD_INNER, WIDTH, 0)
        for rows in tables:
            self.floats(rows * HEAD_INNER, 0, 2**-10)
        self.matrix(HEAD_INNER, HEAD_INNER)
        self.floats(HEAD_INNER, 0, 2**-10)
        self.floats(1, 0, 2**-10)

    def make(self):
        self.small(PIECES * WIDTH)
        self.floats(PIECES, 2**-10, 2**-19)
        for rows in (16, 2, POSITIONS):
            self.floats(rows * WIDTH, 0, 2**-10)
        self.norm()
        for _ in range(LAYERS):
            self.matrix(3 * WIDTH, WIDTH)
            self.matrix(WIDTH, WIDTH)
            self.norm()
            self.matrix(INNER, WIDTH)
            self.matrix(WIDTH, INNER)
            self.norm()
        self.floats(LABELS * WIDTH, 0, 2**-10)
        self.floats(LABELS, 0, 2**-10)
        self.head(4, 64)
        self.head(6, 128, 32, 64, 8)
        return b"".join(self.out)


class File:
    """Parts of a file, one after the other."""

    def __init__(self, data):
        self.data = data

    def take(self, n, kind):
        size = n * np.dtype(kind).itemsize
        part, self.data = self.data[:size], self.data[size:]
        return torch.from_numpy(np.frombuffer(part, kind).astype(np.float32))

    def floats(self, *shape):
        return self.take(int(np.prod(shape)), "<f4").reshape(shape)

    def rows(self, n):
        return self.take(n * WIDTH, "i1").reshape(n, WIDTH) * self.floats(n, 1)

    def matrix(self, outputs, inputs):
        w = self.take(outputs * inputs, "i1").reshape(outputs // 64, inputs // 4, 64, 4).transpose(1, 2).reshape(outputs, inputs)
        return w * self.floats(outputs, 1), self.floats(outputs)


def read(data):
    """The encoder with its tables, and the heads."""
    f = File(data)
    f.take(len(b"capgraph encoder 1\n"), "i1")
    layers, pieces, positions, size, _ = f.take(5, "<u4").int().tolist()
    f.take(size, "i1")
    encoder = make_encoder(dict(model_type="bert", vocab_size=pieces, hidden_size=WIDTH, num_hidden_layers=layers, num_attention_heads=HEADS, intermediate_size=INNER, max_position_embeddings=positions))
    state = {"embeddings.word_embeddings.weight": f.rows(pieces)}
    shape, written = f.floats(16, WIDTH), f.floats(2, WIDTH)
    state["embeddings.position_embeddings.weight"], state["embeddings.token_type_embeddings.weight"] = f.floats(positions, WIDTH), torch.zeros(2, WIDTH)

    def norm(name):
        state[name + ".weight"], state[name + ".bias"] = f.floats(WIDTH), f.floats(WIDTH)

    norm("embeddings.LayerNorm")
    place = torch.arange(WIDTH).reshape(HEADS, WIDTH // HEADS).T.flatten()  # head by head in the encoder
    for k in range(layers):
        name = f"encoder.layer.{k}."
        w, b = f.matrix(3 * WIDTH, WIDTH)
        for i, part in enumerate(("query", "key", "value")):
            factor = (WIDTH / HEADS) ** 0.5 if i == 0 else 1
            for what, t in ("weight", w), ("bias", b):
                to = torch.empty_like(t[:WIDTH])
                to[place] = t[i * WIDTH : (i + 1) * WIDTH] * factor
                state[f"{name}attention.self.{part}.{what}"] = to
        w, b = f.matrix(WIDTH, WIDTH)
        to = torch.empty_like(w)
        to[:, place] = w
        state[name + "attention.output.dense.weight"], state[name + "attention.output.dense.bias"] = to, b
        norm(name + "attention.output.LayerNorm")
        state[name + "intermediate.dense.weight"], state[name + "intermediate.dense.bias"] = f.matrix(INNER, WIDTH)
        state[name + "output.dense.weight"], state[name + "output.dense.bias"] = f.matrix(WIDTH, INNER)
        norm(name + "output.LayerNorm")
    encoder.load_state_dict(state)
    heads, state = Heads(WIDTH), {}
    state["lab.weight"], state["lab.bias"] = f.floats(LABELS, WIDTH), f.floats(LABELS)
    for ends, tables, mid, last in ("k1 k2 o1 o2", dict(lgap=64), "lmid", "lw"), ("a1 a2 b1 b2 p1 p2", dict(typ=128, used=32, gap=64, len=8), "mid", "w"):
        ends = ends.split()
        w, _ = f.matrix(len(ends) * HEAD_INNER, WIDTH)
        for i, name in enumerate(ends):
            state[name + ".weight"] = w[i * HEAD_INNER : (i + 1) * HEAD_INNER]
        for name, rows in tables.items():
            state[name + ".weight"] = f.floats(rows, HEAD_INNER)
        state[mid + ".weight"], state[mid + ".bias"] = f.matrix(HEAD_INNER, HEAD_INNER)
        state[last + ".weight"], state[last + ".bias"] = f.floats(1, HEAD_INNER), f.floats(1)
    heads.load_state_dict(state)
    return encoder.eval(), shape, written, heads.eval()


def round_inputs(module, names):
    """Makes linear parts of a module round their inputs to int8, with a step for each row."""

    def rounded(_, inputs):
        step = inputs[0].abs().amax(-1, keepdim=True) / 127
        return (torch.where(step > 0, inputs[0] / step.clamp(min=1e-30), 0).round() * step,)

    for name, part in module.named_modules():
        if isinstance(part, torch.nn.Linear) and (names is None or name in names):
            part.register_forward_pre_hook(rounded)


def make_texts():
    """Texts with what their tokens are, and what owners and relations are scored."""
    for n in (1, 2, 7, 30):
        first = list(range(1, n + 1))
        rows = [(i, min(i + 1, n - 1), n - 1 - i, n - 1, 5 * i % 64) for i in range(min(n, 5))]
        options = [(i - 1, i - 1, n - 1 - i, n - 1, *((-1, -1) if i % 2 else (i, min(i + 1, n - 1))), 29 * i % 128, 7 * i % 32, 5 * i % 64, i % 8) for i in range(min(n, 5))]
        pieces = [(i * i * 31 + 7 * n) % PIECES for i in range(n + 2)]
        yield dict(pieces=pieces, shapes=[0] + [i % 16 for i in range(n)] + [0], first=first, last=[min(i + i % 3, n) for i in first], rows=rows, options=options)


def score(text, encoder, shape, written, heads):
    """The scores of a text's labels, owners and relations."""
    n = len(text["first"])
    with torch.no_grad():
        e = encoder.embeddings.word_embeddings(torch.tensor([text["pieces"]])) + shape[torch.tensor([text["shapes"]])] + written[1]
        h = encoder(inputs_embeds=e).last_hidden_state[0]
        h = (h[text["first"]] + h[text["last"]]) / 2
        zeros = [[n if v < 0 else v for v in r[:6]] + list(r[6:]) for r in text["options"]]
        relations = heads.relations(torch.cat([h, torch.zeros(1, WIDTH)]), torch.tensor(zeros)).tolist()
        return dict(labels=heads.lab(h).tolist(), owners=heads.owners(h, torch.tensor(text["rows"])).tolist(), relations=relations)


def main():
    data = Formula().make()
    network = encoder, _, _, heads = read(data)
    texts = list(make_texts())
    for text in texts:
        text["float32"] = score(text, *network)
    round_inputs(encoder, None)
    round_inputs(heads, "k1 k2 o1 o2 lmid a1 a2 b1 b2 p1 p2 mid".split())
    for text in texts:
        text["int8"] = score(text, *network)
    text = json.dumps(dict(sha256=hashlib.sha256(data).hexdigest(), texts=texts), separators=(",", ":"))
    print(json.dumps(json.loads(text, parse_float=lambda s: round(float(s), 4)), separators=(",", ":")))


if __name__ == "__main__":
    main()
