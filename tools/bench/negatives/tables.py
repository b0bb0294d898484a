"""Rewrites the tables of peers and settings in docs/measurements/negatives.md, with their line of date and versions.

    python3 tools/bench/negatives/tables.py CAPGRAPH DATA

CAPGRAPH is the program, DATA the folder of the data (../shared/data). It takes some minutes on two cores.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from page import replace_date, replace_table  # noqa: E402

PROGRAM, DATA = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PAGE = Path(__file__).parents[3] / "docs/measurements/negatives.md"


def capgraph(*arguments):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"capgraph {' '.join(map(str, arguments))}:\n{done.stderr}")
    return done.stdout


def run(folder, *settings):
    capgraph("run", *(x for s in [*settings, f"output.dir={folder}"] for x in ("--set", s)))
    return folder


def measure(*arguments):
    """The measures of all negatives and of those of each `neg_changed`, by name."""
    measured = json.loads(capgraph("eval", "negatives", *arguments, "--json"))["groups"]
    return {"all": measured[0]} | {g["name"].removeprefix("changed: "): g for g in measured if g["name"].startswith("changed: ")}


def peer_row(name, g):
    truth = g.get("false_negatives")
    said = [f"{truth['said_by_sibling']:.1f} ({truth['said_by_other_image']:.1f})", f"{truth['original_said_by_sibling']:.1f}"] if truth else ["", ""]
    return [name, f"{g['negatives']:,}", *(f"{g[k]:.2f}" for k in ("equal_to_positives", "stray_spaces")),
            f"{g['article_errors']:.2f} ({g['article_errors_of_positives']:.2f})", f"{g['doubled_words']:.2f}",
            *(f"{g[k]:.1f}" for k in ("length_accuracy", "text_only_accuracy", "text_only_accuracy_as_written")), *said]


def write_captions(folder):
    """val2017 and Karpathy's images in one file, with all captions and with the first of each image."""
    official = json.loads((DATA / "coco/captions_val2017.json").read_text())
    captions = {i["id"]: [] for i in official["images"]}
    for a in official["annotations"]:
        captions[a["image_id"]].append(a["caption"])
    merged = [{"image": i["file_name"], "caption": captions[i["id"]]} for i in official["images"]]
    merged += json.loads((DATA / "coco/karpathy_val_minus_val2017.json").read_text())
    (folder / "all.json").write_text(json.dumps(merged))
    (folder / "one.json").write_text(json.dumps([{**m, "caption": m["caption"][:1]} for m in merged]))


def write_table(name, columns, rows):
    lines = [columns, ["---"] + ["--:"] * (len(columns) - 1), *rows]
    replace_table(PAGE, name, [f"| {' | '.join(line)} |".replace("%", " %") for line in lines])


def main():
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        write_captions(work)
        one = ["source.format=karpathy", f"source.paths={work}/one.json"]
        published = measure(DATA / "negclip/valid_neg_clip.tsv", "--siblings", DATA / "coco/karpathy_val_minus_val2017.json")
        peers = measure(run(work / "one", *one), "--siblings", work / "all.json")
        write_table("peers", ["", "negatives", "equal", "stray", "a/an (of pos)", "doubled", "by length", "text-only", "as written", "said (chance)",
                              "(original)"], [peer_row("NegCLIP", published["all"]), *(peer_row(name, g) for name, g in peers.items())])
        others = [
            ("default settings", peers),
            ("`negatives.balance.enabled=false`", measure(run(work / "unbalanced", *one, "negatives.balance.enabled=false"))),
            ("`negatives.balance.sample=2500`: most captions are new to balance", measure(run(work / "sample", *one, "negatives.balance.sample=2500"))),
        ]
        write_table("settings", ["text-only", "negatives", *peers], [
            [name, f"{m['all']['negatives']:,}", *(f"{m[k]['text_only_accuracy']:.1f}" for k in peers)] for name, m in others])
        replace_date(PAGE, work / "one", "python3 tools/bench/negatives/tables.py dist/capgraph DATA")


main()
