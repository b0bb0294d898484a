"""Rewrites the table of kinds of texts in docs/measurements/negatives.md, for COCO, CC3M, alt text and captions of models.

    python3 tools/bench/negatives/kinds.py CAPGRAPH DATA [CORPUS …]

CAPGRAPH is the program, DATA the folder of the data (../shared/data); with names of corpora it prints their columns and
writes nothing. Captions of models are DiscoSG's 300 and those of written/long.jsonl, 150 words in the mean.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from page import replace_table  # noqa: E402
from recaptions import write_recaptions  # noqa: E402

PROGRAM, DATA = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PAGE = Path(__file__).parents[3] / "docs/measurements/negatives.md"
ROWS = ["captions", "kB", "positives a caption", "negatives a caption", "captions without a negative",
        "with a part, and without a negative", "one object", "bare noun", "relation", "sentence", "paraphrase",
        "object changed", "attribute", "quantity", "relation or action", "order", "text-only", "ms of one core a kB", "MB of memory"]


def capgraph(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"capgraph {' '.join(map(str, arguments))}:\n{done.stderr}")
    return done.stdout


def is_bare(text):
    words = text.removeprefix("there is ").removeprefix("there are ").split()
    return len([w for w in words if w not in ("a", "an", "the")]) == 1


def measure(work, settings):
    run = subprocess.Popen([PROGRAM, "run", *(x for s in [*settings, f"output.dir={work}"] for x in ("--set", s))],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(run.pid, 0)
    if status:
        sys.exit(f"capgraph run {settings} failed: run it by hand to see why")
    rows = [json.loads(line) for line in capgraph("cat", *sorted((work / "texts").glob("*.parquet"))).splitlines()]
    parts = [(text, kind) for r in rows for text, kind in zip(r["pos"][1:], r["pos_kind"][1:])]
    negatives = [(changed, "quantity" in method) for r in rows for changed, method in zip(r["neg_changed"], r["neg_method"])]

    def kinds(holds):
        return f"{sum(map(holds, parts)) / len(parts):.1%}"

    def changes(holds):
        return f"{sum(map(holds, negatives)) / len(negatives):.1%}"

    size = sum(len(r["text"].encode()) for r in rows) / 1000
    with_part = [r for r in rows if len(r["pos"]) > 1]
    measured = json.loads(capgraph("eval", "negatives", work, "--json"))["groups"]
    spent = used.ru_utime + used.ru_stime
    return [f"{len(rows):,}", f"{size:,.0f}", f"{len(parts) / len(rows):.1f}", f"{len(negatives) / len(rows):.1f}",
            f"{sum(not r['neg'] for r in rows) / len(rows):.1%}", f"{sum(not r['neg'] for r in with_part) / len(with_part):.1%}",
            *(kinds(lambda p, kind=kind: p[1] == kind) if kind else kinds(lambda p: is_bare(p[0])) for kind in ("object", "", "relation", "sentence", "paraphrase")),
            changes(lambda n: n[0] == "object"), changes(lambda n: n[0] == "attribute" and not n[1]), changes(lambda n: n[1]),
            changes(lambda n: n[0] in ("relation", "action")), changes(lambda n: n[0] == "order"), f"{measured[0]['text_only_accuracy']:.1f}", f"{1000 * spent / size:.0f}", f"{used.ru_maxrss / 1024:,.0f}"]


def main():
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        corpora = {
            "COCO": ["source.format=coco", f"source.paths={DATA}/coco/captions_val2017.json"],
            "CC3M": ["source.format=cc3m", f"source.paths={DATA}/cc3m/cc3m_val_first8000.tsv"],
            "web": ["source.format=parquet", "source.columns={caption: TEXT, image: URL}", f"source.paths={DATA}/webalt/*.parquet"],
            "recaptions": write_recaptions(DATA, work / "recaptions.jsonl"),
        }
        names = sys.argv[3:] or list(corpora)
        columns = [measure(work / name, corpora[name]) for name in names]
    lines = [f"| | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
    lines += [f"| {' | '.join([name, *cells])} |".replace("%", " %") for name, cells in zip(ROWS, zip(*columns))]
    if sys.argv[3:]:
        print("\n".join(lines))
    else:
        replace_table(PAGE, "corpora", lines)


main()
