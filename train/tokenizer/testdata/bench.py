"""Texts a second of the tokenizers of open_clip and Hugging Face on one core, on
the captions that BenchmarkEncode encodes.

    OMP_NUM_THREADS=1 RAYON_NUM_THREADS=1 python bench.py SHARED [tokenizer.json]

A tokenizer.json is one that capgraph learned; without it open_clip's alone is timed.
"""

import json
import pathlib
import sys
import time

from open_clip.tokenizer import SimpleTokenizer
from tokenizers import Tokenizer

captions = json.loads((pathlib.Path(sys.argv[1]) / "data/coco/captions_val2017.json").read_text("utf-8"))
texts = [a["caption"] for a in captions["annotations"]]


def rate(name, encode):
    encode(texts)  # the words come from its cache, as they do in Go
    start = time.perf_counter()
    encode(texts)
    print(f"{name}: {len(texts) / (time.perf_counter() - start):,.0f} texts/s")


clip = SimpleTokenizer()
rate("open_clip, ids of each text", lambda t: [clip.encode(text) for text in t])
rate("open_clip, as the loader calls it, a text a call", lambda t: [clip(text) for text in t])
for path in sys.argv[2:]:
    learned = Tokenizer.from_file(path)
    rate(path, lambda t: [learned.encode(text) for text in t])
