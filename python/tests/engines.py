"""What the tests of engines share: a corpus of some shards, and whether two folders hold the same bytes."""
import hashlib
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARDS = 24


def write_corpus(folder, rows=12_000):
    """Writes captions.tsv of the sample captions again and again, of images of their own, and pipeline.yaml, whose paths are relative."""
    captions = [line.split("\t", 1)[1] for line in (ROOT / "testdata/cc12m.tsv").read_text("utf-8", "replace").splitlines() if "\t" in line]
    with open(folder / "captions.tsv", "w", encoding="utf-8") as file:
        for row in range(rows):
            file.write(f"https://example.org/{row}.jpg\t{captions[row % len(captions)]}\n")
    (folder / "pipeline.yaml").write_text(f"source: {{format: cc12m, paths: captions.tsv}}\noutput: {{dir: out, shard_rows: {rows // SHARDS}}}\n")


def hashes(folder):
    """The SHA-256 of each file by its path, but of the dataset card, which names the folder."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "README.md"}


def finished(out, name):
    """How many shards of a pass are done."""
    return len(list((out / ".capgraph/entries" / name).glob("*.json")))


def wait_for_shard(out, running):
    """Returns when the first shard is parsed, or when the future of the run ends before."""
    while not finished(out, "parse") and not running.done():
        time.sleep(0.05)
