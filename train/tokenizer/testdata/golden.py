"""Writes what open_clip's tokenizer makes of texts, for the Go tests beside.

    python golden.py [--check] [SHARED]

tricky.jsonl has texts of our own with their ids; corpora.json has, of each
corpus in the folder SHARED/data, how many texts it has and a SHA-256 of the ids
of all. --check writes nothing and fails where a file is not what it would be.
Without SHARED only tricky.jsonl is made. Needs open_clip_torch and, for
SHARED, pyarrow.
"""

import argparse
import hashlib
import json
import pathlib
import struct
import sys

from open_clip.tokenizer import SimpleTokenizer

HERE = pathlib.Path(__file__).parent
CONTEXT = 77


def encode(tokenizer, text):
    """The ids of a text, as the tokenizer's __call__ has them, without padding."""
    ids = [tokenizer.sot_token_id, *tokenizer.encode(text), tokenizer.eot_token_id]
    if len(ids) > CONTEXT:
        ids = ids[: CONTEXT - 1] + [tokenizer.eot_token_id]
    return ids


def corpora(data):
    """Name and texts of each corpus; missing captions are left out."""
    import pyarrow.parquet

    coco = json.loads((data / "coco/captions_val2017.json").read_text("utf-8"))
    yield "coco", [a["caption"] for a in coco["annotations"]]
    karpathy = json.loads((data / "coco/karpathy_val_minus_val2017.json").read_text("utf-8"))
    yield "karpathy", [caption for row in karpathy for caption in row["caption"]]
    rows = (data / "cc3m/cc3m_val_first8000.tsv").read_text("utf-8").removesuffix("\n").split("\n")
    yield "cc3m", [row.split("\t")[0] for row in rows]
    web = pyarrow.parquet.read_table(data / "webalt/train_5000.parquet")["TEXT"].to_pylist()
    web += pyarrow.parquet.read_table(data / "webalt/test_1000.parquet")["TEXT"].to_pylist()
    yield "web", [text for text in web if text is not None]


def digest(tokenizer, texts):
    """SHA-256 over each text's number of ids and the ids, in four bytes each, the least first."""
    sha = hashlib.sha256()
    for text in texts:
        ids = encode(tokenizer, text)
        sha.update(struct.pack(f"<{len(ids) + 1}i", len(ids), *ids))
    return sha.hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("shared", nargs="?", type=pathlib.Path)
    args = parser.parse_args()
    tokenizer = SimpleTokenizer()

    tricky = HERE / "tricky.jsonl"
    texts = [json.loads(line)["text"] for line in tricky.read_text("utf-8").splitlines()]
    lines = [json.dumps({"text": t, "ids": encode(tokenizer, t)}) + "\n" for t in texts]
    files = {tricky: "".join(lines)}
    if args.shared:
        found = {name: {"texts": len(t), "sha256": digest(tokenizer, t)} for name, t in corpora(args.shared / "data")}
        files[HERE / "corpora.json"] = json.dumps(found, indent=1) + "\n"

    stale = [path.name for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    if args.check and stale:
        sys.exit(f"{', '.join(stale)}: not what open_clip gives; run golden.py without --check")
    if not args.check:
        for path, text in files.items():
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
