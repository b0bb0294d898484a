"""Times the parser's encoder beside onnxruntime's int8 of the same network: the same captions, one core, rounds by turns, the least of each.

    pip install onnx onnxruntime tokenizers
    python tools/bench/encoder/times.py captions.txt        # a caption a line, in the folder of go.mod

onnxruntime gets its own fused operators (Attention, SkipLayerNormalization, BiasGelu), dynamic quantisation, and batches of 32 captions
of like length, padded to the longest. Times are CPU time without cutting words into pieces. See docs/measurements/parser.md.
"""
import argparse
import os
import re
import subprocess
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import BertWordPieceTokenizer

WIDTH, HEADS, INNER = 384, 12, 1536
MAGIC = b"capgraph encoder 1\n"
BATCH = 32  # captions that onnxruntime computes together


class File:
    """Parts of encoder.bin, one after the other: see ruleparse/internal/encoder."""

    def __init__(self, data):
        self.data = data[len(MAGIC):]

    def take(self, n, kind):
        size = n * np.dtype(kind).itemsize
        part, self.data = self.data[:size], self.data[size:]
        return np.frombuffer(part, kind)

    def floats(self, *shape):
        return self.take(int(np.prod(shape)), "<f4").reshape(shape)

    def matrix(self, outputs, inputs):
        w = self.take(outputs * inputs, "i1").reshape(outputs // 64, inputs // 4, 64, 4).transpose(0, 2, 1, 3).reshape(outputs, inputs)
        return w * self.floats(outputs, 1), self.floats(outputs)


def read(path):
    """The vocabulary, the table of pieces, that of positions, and the layers, in float32."""
    with open(path, "rb") as f:
        f = File(f.read())
    layers, pieces, positions, size, _ = f.take(5, "<u4").tolist()
    vocabulary = f.take(size, "u1").tobytes().decode().splitlines()
    words = f.take(pieces * WIDTH, "i1").reshape(pieces, WIDTH)
    words = words * f.floats(pieces, 1)
    shapes, written, places = f.floats(16, WIDTH), f.floats(2, WIDTH), f.floats(positions, WIDTH)
    tables = {"words": words + shapes[0] + written[1], "places": places, "gamma": f.floats(WIDTH), "beta": f.floats(WIDTH)}
    by_head = np.arange(WIDTH).reshape(WIDTH // HEADS, HEADS).T.flatten()  # numbers of a head together
    for k in range(layers):
        w, b = f.matrix(3 * WIDTH, WIDTH)
        w, b = w.reshape(3, WIDTH, WIDTH)[:, by_head].copy(), b.reshape(3, WIDTH)[:, by_head].copy()
        w[0] *= (WIDTH / HEADS) ** 0.5  # Attention divides by it
        b[0] *= (WIDTH / HEADS) ** 0.5
        tables[f"{k}.qkv"], tables[f"{k}.qkv_bias"] = w.reshape(3 * WIDTH, WIDTH).T, b.flatten()
        for name, outputs, inputs in ("out", WIDTH, WIDTH), ("norm", 0, 0), ("inner", INNER, WIDTH), ("outer", WIDTH, INNER), ("norm2", 0, 0):
            if outputs == 0:
                tables[f"{k}.{name}_gamma"], tables[f"{k}.{name}_beta"] = f.floats(WIDTH), f.floats(WIDTH)
                continue
            w, b = f.matrix(outputs, inputs)
            tables[f"{k}.{name}"], tables[f"{k}.{name}_bias"] = (w[:, by_head] if name == "out" else w).T, b
    return vocabulary, layers, tables


def graph(layers, tables):
    """The network of onnxruntime's operators: pieces [batch, length] and lengths [batch] to hidden."""
    nodes = []

    def node(kind, inputs, output, domain="com.microsoft", **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output

    x = node("Add", [node("Gather", ["words", "pieces"], "of_words", ""), node("Gather", ["places", "places_of"], "of_places", "")], "embedded", "")
    x = node("LayerNormalization", [x, "gamma", "beta"], "x", "", axis=-1, epsilon=1e-12)
    for k in range(layers):
        a = node("Attention", [x, f"{k}.qkv", f"{k}.qkv_bias", "lengths"], f"{k}.a", num_heads=HEADS)
        a = node("MatMul", [a, f"{k}.out"], f"{k}.ao", "")
        x = node("SkipLayerNormalization", [x, a, f"{k}.norm_gamma", f"{k}.norm_beta", f"{k}.out_bias"], f"{k}.x", epsilon=1e-12)
        h = node("BiasGelu", [node("MatMul", [x, f"{k}.inner"], f"{k}.h", ""), f"{k}.inner_bias"], f"{k}.g")
        h = node("MatMul", [h, f"{k}.outer"], f"{k}.ho", "")
        x = node("SkipLayerNormalization", [x, h, f"{k}.norm2_gamma", f"{k}.norm2_beta", f"{k}.outer_bias"], f"{k}.y" if k < layers - 1 else "hidden", epsilon=1e-12)
    inputs = [helper.make_tensor_value_info("pieces", TensorProto.INT64, ["b", "t"]), helper.make_tensor_value_info("places_of", TensorProto.INT64, ["t"]),
              helper.make_tensor_value_info("lengths", TensorProto.INT32, ["b"])]
    outputs = [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["b", "t", WIDTH])]
    weights = [numpy_helper.from_array(np.ascontiguousarray(v, np.float32), name) for name, v in tables.items()]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(helper.make_graph(nodes, "encoder", inputs, outputs, weights), opset_imports=opsets, ir_version=8)


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])


def encode(s, texts):
    """Calls s with batches of like length, and returns the hidden rows of the first text."""
    first = None
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for at in range(0, len(order), BATCH):
        batch = [texts[i] for i in order[at:at + BATCH]]
        most = max(map(len, batch))
        pieces = np.array([t + [0] * (most - len(t)) for t in batch], np.int64)
        hidden = s.run(None, {"pieces": pieces, "places_of": np.arange(most), "lengths": np.array([len(t) for t in batch], np.int32)})[0]
        if 0 in order[at:at + BATCH]:
            first = hidden[order[at:at + BATCH].index(0)][:len(texts[0])]
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("captions")
    parser.add_argument("--most", type=int, default=2000, help="captions that are read")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with open(args.captions) as f:
        captions = [line.strip() for line in f if line.strip()][:args.most]
    vocabulary, layers, tables = read("ruleparse/internal/model/encoder.bin")
    cut = BertWordPieceTokenizer({piece: i for i, piece in enumerate(vocabulary)}, lowercase=True)
    texts = [cut.encode(c).ids[:512] for c in captions]
    with tempfile.TemporaryDirectory() as folder:
        measure(args, texts, layers, tables, lambda name: os.path.join(folder, name))


def measure(args, texts, layers, tables, path):
    """Prints the rates; path names a file of a folder."""
    with open(path("pieces"), "w") as f:
        f.writelines(" ".join(map(str, t)) + "\n" for t in texts)
    onnx.save(graph(layers, tables), path("float.onnx"))
    quantize_dynamic(path("float.onnx"), path("int8.onnx"), op_types_to_quantize=["MatMul", "Attention"], weight_type=QuantType.QInt8, per_channel=True,
                     extra_options={"DefaultTensorType": TensorProto.FLOAT})
    subprocess.run(["go", "test", "-c", "-o", path("encoder.test"), "./ruleparse/internal/encoder"], check=True)
    float_session, int8_session = session(path("float.onnx")), session(path("int8.onnx"))

    def ours():
        out = subprocess.run([path("encoder.test"), "-test.run", "-", "-test.bench", "Pieces", "-test.benchtime", "1x"], check=True, capture_output=True, text=True,
                             cwd="ruleparse/internal/encoder", env={**os.environ, "CAPGRAPH_PIECES": path("pieces"), "GOMAXPROCS": "1"}).stdout
        return {name: float(re.search(r"([-\d.e+]+) " + name, out)[1]) for name in ("texts/s", "sum")}

    wanted = encode(float_session, texts)[1:-1]
    wanted = float((wanted * (np.arange(WIDTH) % 7 - 3)).sum())
    best = {"ours": 0, "onnxruntime int8": 0, "onnxruntime float32": 0}
    for _ in range(args.rounds):
        mine = ours()
        best["ours"] = max(best["ours"], mine["texts/s"])
        for name, s in ("onnxruntime int8", int8_session), ("onnxruntime float32", float_session):
            start = time.process_time()
            encode(s, texts)
            best[name] = max(best[name], len(texts) / (time.process_time() - start))
    print(f"{len(texts)} captions of {np.mean([len(t) for t in texts]):.1f} pieces, onnxruntime {onnxruntime.__version__}; captions/s of a core's CPU time")
    for name, rate in best.items():
        print(f"{name:20} {rate:8.0f}")
    print(f"a weighted sum of the first caption's vectors: {mine['sum']:.1f}, {wanted:.1f} of onnxruntime's float32")


if __name__ == "__main__":
    main()
