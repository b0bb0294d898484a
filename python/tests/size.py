"""How much memory and time Texts takes of a large corpus, which is generated: about as long as CC12M's rows, of one caption an image.

    python python/tests/size.py --rows 13500000 --folder DIR    makes DIR/texts (10 GB) unless it is there, and measures

It needs pyarrow and torch, and a machine that has the memory twice: nothing is measured well where it swaps."""
import argparse
import os
import resource
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import torch

import capgraph_torch as cg

FILE = 1_000_000  # rows
GROUP = 122_880
WORDS = "a red brown small wooden man dog cat street table riding holding beside under near two of with on in".split()


def text(i, n):
    random = cg.numbers("text", 0, n, str(i))
    return " ".join(cg.pick(random, WORDS) for _ in range(n))


def pools(n):
    """n rows without their keys: a caption, 7 positives and 16 negatives each."""
    pos = [[text(i, 10)] + [text(i + k, 4) for k in range(1, 8)] for i in range(n)]
    neg = [[text(i + 100 + k, 10) for k in range(4)] + [text(i + k, 5) for k in range(12)] for i in range(n)]
    of = pa.array([[0] * 4 + [1 + k % 7 for k in range(12)]] * n, pa.list_(pa.int16()))
    category = [["none"] * 4 + ["c_obj", "c_rel", "c_attr"] * 4] * n
    changed = [["order", "attribute", "action", "object"] * 4] * n
    parts = pa.list_(pa.list_(pa.int32()))
    kind = [["caption"] + ["relation", "object"] * 3 + ["object"]] * n
    return {"text": [p[0] for p in pos], "pos": pos, "pos_kind": kind, "pos_id": [[cg.text_id(t) for t in p] for p in pos],
            "pos_confidence": pa.array([[1.0] * 8] * n, pa.list_(pa.float32())), "pos_count": [[1 + k for k in range(8)]] * n, "pos_parts": pa.array([[[k] for k in range(8)]] * n, parts),
            "neg_parts": pa.array([[[k] for k in range(16)]] * n, parts), "neg": neg, "neg_of": of,
            "neg_changed": changed, "neg_category": category}


def write(path, image_keys, group=GROUP, types=None):
    """A file of texts/ with a row for each image key, whose pools repeat after a while. types makes another schema of the usual one."""
    made = pa.table(pools(min(len(image_keys), 5000)))
    with pq.ParquetWriter(path, schema(made.schema, types), compression="zstd", use_dictionary=False) as out:
        for first in range(0, len(image_keys), group):
            images = image_keys[first:first + group]
            rows = pa.concat_tables([made] * (len(images) // len(made) + 1)).slice(0, len(images))
            rows = rows.append_column("key", pa.array([f"{path.stem}-{first + i}" for i in range(len(images))]))
            rows = rows.append_column("image_key", pa.array(images)).append_column("image", pa.array([f"{k}.jpg" for k in images]))
            out.write_table(rows.cast(schema(rows.schema, types)), row_group_size=group)


def schema(of, types):
    fields = {f.name: f.type for f in of} | {name: pa.string() for name in ("key", "image_key", "image")}
    return pa.schema(list(fields.items())) if types is None else types(pa.schema(list(fields.items())))


def memory():
    """GB that this process has had at most, and that it has now without what is mapped of files."""
    now = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssAnon"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, int(now.split()[1]) / 2**20


def main(args):
    texts = Path(args.folder, "texts")
    texts.mkdir(parents=True, exist_ok=True)
    for first in range(0, args.rows, FILE):
        path = texts / f"train-{first // FILE:05d}.parquet"
        if not path.exists():
            write(path.with_suffix(".part"), [f"{i:012d}" for i in range(first, min(first + FILE, args.rows))])
            os.rename(path.with_suffix(".part"), path)
    print(f"{args.rows:,} rows, {sum(p.stat().st_size for p in texts.glob('*.parquet')) / 1e9:.1f} GB; {memory()[0]:.2f} GB before", flush=True)
    if args.generate:
        return
    began = time.time()
    read = cg.Texts(str(texts), by="image_key")
    sample = read[f"{args.rows // 2:012d}"]
    assert sample["image_key"] == f"{args.rows // 2:012d}" and len(sample["pos"]) and len(read) == args.rows
    print("first sample after %.1f s; %.2f GB at most, %.2f GB now" % (time.time() - began, *memory()), flush=True)
    folder = cg.Folder("/", read, lambda path: torch.zeros(1))
    order = iter(cg.Order(folder, 256))
    for name, batches in (("the order's", [next(order) for _ in range(20)]), ("any", [torch.randint(args.rows, (16,)).tolist() for _ in range(2)])):
        began = time.time()
        for batch in batches:
            cg.collate([folder[i] for i in batch])
        n = sum(map(len, batches))
        print("%s %d samples: %.2f ms each; %.2f GB at most, %.2f GB now" % (name, n, (time.time() - began) / n * 1e3, *memory()), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=13_500_000)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--generate", action="store_true", help="only makes the rows, so that measuring begins with a small process")
    main(parser.parse_args())
