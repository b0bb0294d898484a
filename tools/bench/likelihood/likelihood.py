"""Tells negatives from positives by how likely language models find the texts.

    pip install pocketsphinx==5.1.1 pyarrow
    capgraph run --set source.format=karpathy --set source.paths=karpathy_val_minus_val2017.json --set output.dir=other
    capgraph run --set source.format=coco --set source.paths=captions_val2017.json --set output.dir=run
    python tools/bench/likelihood/likelihood.py other run [valid_neg_clip.tsv ...]

Two judges, neither of which has seen a negative: trigrams with Witten-Bell interpolation (Witten and Bell 1991, method C) of the positives of
`other`, whose images are none of those that are judged, and the trigrams of general English that come with PocketSphinx. A text's score is the
mean log-probability of its words, its end among them, so that its length tells nothing; the general model passes over words that it does not know.
Prints the share of pairs, in per cent, in which the negative has the lower score, ties one half: 50 is chance.
"""
import ast
import csv
import glob
import math
import os
import re
import sys
from collections import Counter, defaultdict

import pocketsphinx
import pyarrow.parquet as pq

PAIRS = 200_000  # of a file, every n-th beyond


def words(text):
    return re.findall(r"[a-z0-9]+(?:['-][a-z0-9]+)*", text.lower())


class Captions:
    """Trigrams of texts, those of texts that differ counted once each."""

    def __init__(self, texts):
        self.count = Counter()
        self.total = Counter()
        self.kinds = Counter()
        for text in set(texts):
            tokens = ["<s>", "<s>", *words(text), "</s>"]
            for i in range(2, len(tokens)):
                for context in (tuple(tokens[i - 2 : i]), tuple(tokens[i - 1 : i]), ()):
                    gram = (*context, tokens[i])
                    self.kinds[context] += gram not in self.count
                    self.count[gram] += 1
                    self.total[context] += 1

    def probability(self, context, word):
        if context is None:
            return 1 / (self.kinds[()] + 1)
        shorter = self.probability(context[1:] if context else None, word)
        if not self.total[context]:
            return shorter
        return (self.count[(*context, word)] + self.kinds[context] * shorter) / (self.total[context] + self.kinds[context])

    def score(self, text):
        tokens = ["<s>", "<s>", *words(text), "</s>"]
        logs = [math.log(self.probability(tuple(tokens[i - 2 : i]), tokens[i])) for i in range(2, len(tokens))]
        return sum(logs) / len(logs)


class English:
    """The general model of PocketSphinx."""

    def __init__(self):
        file = os.path.join(os.path.dirname(pocketsphinx.__file__), "model/en-us/en-us.lm.bin")
        self.model = pocketsphinx.NGramModel(pocketsphinx.Config(), pocketsphinx.LogMath(), file)
        self.unknown = self.model.prob(["<unk>"])

    def score(self, text):
        tokens = ["<s>", *(w for w in words(text) if self.model.prob([w]) > self.unknown), "</s>"]
        logs = [self.model.prob([tokens[j] for j in range(i, max(i - 3, -1), -1)]) for i in range(1, len(tokens))]
        return sum(logs) / len(logs)


def pairs(path):
    """Yields (class, positive, negative) of a run's folder or of NegCLIP's file."""
    if path.endswith(".tsv"):
        with open(path, newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                for negative in ast.literal_eval(row["neg_caption"]):
                    yield "order", row["title"], negative
        return
    for file in sorted(glob.glob(f"{path}/texts/*.parquet")):
        table = pq.read_table(file, columns=["pos", "neg", "neg_of", "neg_method", "neg_changed"])
        for row in table.to_pylist():
            for negative, of, method, changed in zip(row["neg"], row["neg_of"], row["neg_method"], row["neg_changed"], strict=True):
                yield "half-truth" if method.startswith("add_") else changed, row["pos"][of], negative


def positives(path):
    for file in sorted(glob.glob(f"{path}/texts/*.parquet")):
        for texts in pq.read_table(file, columns=["pos"])["pos"].to_pylist():
            yield from texts


def main(other, paths):
    judges = {"captions": Captions(positives(other)), "English": English()}
    print("| texts | class | pairs | " + " | ".join(judges) + " |\n|---|---|---|" + "---|" * len(judges))
    for path in paths:
        every = list(pairs(path))
        every = every[:: math.ceil(len(every) / PAIRS)]
        right = {name: defaultdict(float) for name in judges}
        number = Counter()
        known = {}
        for changed, positive, negative in every:
            number.update((changed, "all"))
            for name, judge in judges.items():
                for text in (positive, negative):
                    if (name, text) not in known:
                        known[name, text] = judge.score(text)
                difference = known[name, positive] - known[name, negative]
                won = 1.0 if difference > 0 else 0.5 if difference == 0 else 0.0
                for key in (changed, "all"):
                    right[name][key] += won
        for key in sorted(number):
            print(f"| {os.path.basename(path)} | {key} | {number[key]:,} | " + " | ".join(f"{100 * right[n][key] / number[key]:.1f}" for n in judges) + " |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
