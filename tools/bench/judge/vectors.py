"""Writes the vectors of word pieces by which the judge of negatives compares words: the embedding of the encoder, in
fewer dimensions.

    python tools/bench/judge/vectors.py ruleparse/internal/model/encoder.bin negatives/plausible/prior.tsv.gz negatives/plausible/vectors.bin

The dimensions are the principal components of the words that captions have (prior.tsv.gz). The file has, with
little-endian numbers, how many pieces there are, how many dimensions, how many bytes the vocabulary has, and a
float32, the value of a unit; the vocabulary, each piece with a newline after it; a row of int8 for each piece.
"""

import collections
import gzip
import struct
import sys

import numpy

WIDTH, DIMENSIONS, LEAST = 384, 32, 5
MAGIC = b"capgraph encoder 1\n"


def read_embedding(path):
    data = open(path, "rb").read()
    at = len(MAGIC)
    _, pieces, _, size, _ = struct.unpack("<5I", data[at : at + 20])
    at += 20
    vocabulary = data[at : at + size].decode().split("\n")[:-1]
    rows = numpy.frombuffer(data, numpy.int8, pieces * WIDTH, at + size).reshape(pieces, WIDTH)
    scales = numpy.frombuffer(data, numpy.float32, pieces, at + size + pieces * WIDTH)
    return vocabulary, rows.astype(numpy.float64) * scales[:, None]


def words_of(path):
    counts = collections.Counter()
    for line in gzip.open(path, "rt"):
        _, *keys, n = line.rstrip("\n").split("\t")
        for word in " ".join(keys).split():
            counts[word] += int(n)
    return [w for w, n in counts.items() if n >= LEAST and w.isalpha()]


def main():
    encoder, prior, out = sys.argv[1:]
    vocabulary, embedding = read_embedding(encoder)
    known = {p: i for i, p in enumerate(vocabulary)}
    words = embedding[[known[w] for w in words_of(prior) if w in known]]
    mean = words.mean(0)
    _, _, axes = numpy.linalg.svd(words - mean, full_matrices=False)
    vectors = (embedding - mean) @ axes[:DIMENSIONS].T
    unit = numpy.quantile(abs(vectors), 0.9999) / 127
    text = "".join(p + "\n" for p in vocabulary).encode()
    with open(out, "wb") as f:
        f.write(struct.pack("<3If", len(vocabulary), DIMENSIONS, len(text), unit) + text)
        f.write(numpy.clip(numpy.round(vectors / unit), -127, 127).astype(numpy.int8).tobytes())


if __name__ == "__main__":
    main()
