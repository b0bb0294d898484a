"""Writes the teacher's weights as the parser reads them: int8 matrices, docs of ruleparse/internal/encoder.

    python ruleparse/tools/teach/export.py --teacher teacher.pt --out ruleparse/internal/model/encoder.bin
"""

import argparse
import functools
import json
import struct

import numpy as np

from teach import Teacher

MAGIC = b"capgraph encoder 1\n"
PARTS = 64  # outputs of a matrix are packed by as many
INPUTS = 4  # and by as many inputs, as processors multiply them


def pack_floats(x):
    return np.ascontiguousarray(x, "<f4").tobytes()


def quantise(w):
    """Rounds each row to int8 and returns the values with the step of each row."""
    step = np.abs(w).max(1) / np.float32(127)
    step[step == 0] = 1
    return np.rint(w / step[:, None]).astype(np.int8), step


def pack_matrix(w, bias=None, exact=False):
    outputs, inputs = w.shape
    biases = pack_floats(np.zeros(outputs) if bias is None else bias)
    if exact:
        return pack_floats(w) + biases
    values, step = quantise(w)
    packed = values.reshape(outputs // PARTS, PARTS, inputs // INPUTS, INPUTS).transpose(0, 2, 1, 3)
    return packed.tobytes() + pack_floats(step) + biases


def pack_teacher(teacher, exact):
    """Returns the bytes of the file, with float32 in the place of int8 if it is exact."""
    pack = functools.partial(pack_matrix, exact=exact)
    encoder = {k: v.numpy() for k, v in teacher.encoder.state_dict().items()}
    heads = {k: v.numpy() for k, v in teacher.heads.state_dict().items()}
    words, config = encoder["embeddings.word_embeddings.weight"], teacher.config
    hidden, count, layers = config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]
    pieces = sorted(json.loads(teacher.vocabulary)["model"]["vocab"].items(), key=lambda x: x[1])
    vocabulary = "".join(piece + "\n" for piece, _ in pieces).encode()
    positions = encoder["embeddings.position_embeddings.weight"] + encoder["embeddings.token_type_embeddings.weight"][:1]
    values, step = quantise(words)
    words_packed = pack_floats(words) if exact else values.tobytes() + pack_floats(step)
    out = [MAGIC, struct.pack("<5I", layers, len(words), len(positions), len(vocabulary), int(exact)), vocabulary, words_packed]
    out += [pack_floats(x) for x in (teacher.shape.weight.detach(), teacher.written.weight.detach(), positions)]

    def add_norm(name):
        out.extend(pack_floats(encoder[f"{name}.LayerNorm.{part}"]) for part in ("weight", "bias"))

    add_norm("embeddings")
    size = hidden // count
    order = np.arange(hidden).reshape(count, size).T.flatten()  # the same place of all heads together
    for k in range(layers):
        layer = f"encoder.layer.{k}."
        ws, bs = [], []
        for part, factor in ("query", np.float32(size**-0.5)), ("key", np.float32(1)), ("value", np.float32(1)):
            ws.append(encoder[f"{layer}attention.self.{part}.weight"][order] * factor)
            bs.append(encoder[f"{layer}attention.self.{part}.bias"][order] * factor)
        out.append(pack(np.concatenate(ws), np.concatenate(bs)))
        out.append(pack(encoder[layer + "attention.output.dense.weight"][:, order], encoder[layer + "attention.output.dense.bias"]))
        add_norm(layer + "attention.output")
        for part in "intermediate", "output":
            out.append(pack(encoder[f"{layer}{part}.dense.weight"], encoder[f"{layer}{part}.dense.bias"]))
        add_norm(layer + "output")
    out += [pack_floats(heads["lab.weight"]), pack_floats(heads["lab.bias"])]
    for ends, tables, inner, last in ("k1 k2 o1 o2", "lgap", "lmid", "lw"), ("a1 a2 b1 b2 p1 p2", "typ used gap len", "mid", "w"):
        out.append(pack(np.concatenate([heads[f"{end}.weight"] for end in ends.split()])))
        out += [pack_floats(heads[f"{table}.weight"]) for table in tables.split()]
        out += [pack(heads[f"{inner}.weight"], heads[f"{inner}.bias"]), pack_floats(heads[f"{last}.weight"]), pack_floats(heads[f"{last}.bias"])]
    return b"".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--teacher", required=True, help="what teach.py train wrote")
    parser.add_argument("--float32", action="store_true", help="do not round to int8, to measure what that costs")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with open(args.out, "wb") as f:
        f.write(pack_teacher(Teacher.load(args.teacher), args.float32))


if __name__ == "__main__":
    main()
