"""Writes the tables of docs/measurements/evidence.md: tools/bench/evidence/evidence calls this."""

import ast
import csv
import difflib
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from page import replace_date, replace_table  # noqa: E402

ROWS = range(0, 1000, 100)


def captions(tsv):
    with open(tsv, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*")


def marked(positive, negative):
    """The negative with the words in bold that the positive does not have there."""
    old, new = positive.split(), negative.split()
    out = []
    # "wave ." and "wave." are one word here: white space astray is counted in the figures.
    bare = lambda words: [w.strip(".,").lower() for w in words]
    for op, _, _, a, b in difflib.SequenceMatcher(None, bare(old), bare(new), autojunk=False).get_opcodes():
        if a < b:
            words = cell(" ".join(new[a:b]))
            out.append(words if op == "equal" or not words.strip(".,") else f"**{words}**")
    return " ".join(out)


def graphs_table(ten, work):
    ours = (work / "graphs.txt").read_text().splitlines()
    theirs = (Path(__file__).parent / "stanford.txt").read_text().splitlines()
    assert len(ours) == len(theirs) == len(ten)
    yield "| | caption | capgraph | Stanford's parser |"
    yield "|---|---|---|---|"
    for n, row, a, b in zip(ROWS, ten, ours, theirs):
        yield f"| {n} | {cell(row['title'])} | {cell(a)} | {cell(b)} |"


def negatives_table(ten, work):
    texts = {}
    for line in (work / "texts.jsonl").read_text().splitlines():
        row = json.loads(line)
        texts[row["key"]] = row
    yield "| | NegCLIP | capgraph | in all |"
    yield "|---|---|---|---|"
    for n, row in zip(ROWS, ten):
        published = [marked(row["title"], text) for text in ast.literal_eval(row["neg_caption"])]
        ours = texts[str(n)]
        first = {}
        for text, of, changed in zip(ours["neg"], ours["neg_of"], ours["neg_changed"]):
            if of == 0:
                first.setdefault(changed, f"{marked(ours['pos'][0], text)} ({changed})")
        yield f"| {n} | {'<br>'.join(published)} | {'<br>'.join(first[c] for c in sorted(first))} | {len(ours['neg'])} |"


def measures_table(work):
    def line(name, g):
        number = lambda v: "" if v is None else f"{v:.1f}"
        false = g.get("false_negatives") or {}
        cells = [number(g.get(k)) for k in ("equal_to_positives", "stray_spaces", "article_errors", "article_errors_of_positives", "length_accuracy",
                                            "text_only_accuracy", "text_only_accuracy_as_written")]
        cells += [number(false.get("said_by_sibling")), number(false.get("said_by_other_image"))]
        cells[2:4] = [f"{cells[2]} ({cells[3]})"]
        cells[-2:] = [f"{cells[-2]} ({cells[-1]})" if false.get("negatives") else "", f"{false.get('negatives', 0):,}"]
        return f"| {name} | {g['negatives']:,} | {' | '.join(cells)} |"

    yield "| | negatives | equal | stray | a/an (of pos) | by length | text-only | as written | said (chance) | judged |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    negclip = json.loads((work / "negclip.json").read_text())["groups"]
    ours = json.loads((work / "capgraph.json").read_text())["groups"]
    yield line("NegCLIP", negclip[0])
    yield line("capgraph", ours[0])
    yield line("capgraph, balance from 1,000 captions", json.loads((work / "capgraph-1000.json").read_text())["groups"][0])
    for g in ours[1:]:
        if g["name"].startswith("changed: "):
            yield line("capgraph, " + g["name"].removeprefix("changed: "), g)


def factual_table(work):
    yield "| FACTUAL's development part | captions | set match | tuple F1 | mean F1 | SPICE |"
    yield "|---|---|---|---|---|---|"
    for line in (work / "factual.txt").read_text().splitlines():
        if m := re.match(r"(all|\S+ words|above 10)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)$", line):
            yield f"| {m[1]} | {m[2]} | {m[3]} | {m[4]} | {m[5]} | {m[6]} |"


def write(tsv, work, page):
    ten = [captions(tsv)[n] for n in ROWS]
    tables = {
        "graphs": graphs_table(ten, work),
        "negatives": negatives_table(ten, work),
        "measures": measures_table(work),
        "factual": factual_table(work),
    }
    for name, rows in tables.items():
        replace_table(page, name, rows)
    replace_date(page, work / "run", "tools/bench/evidence/evidence DATA")


def main():
    match sys.argv[1:]:
        case ["corpus", tsv, out]:
            with open(out, "w", encoding="utf-8") as f:
                for n, row in enumerate(captions(tsv)):
                    f.write(json.dumps({"key": str(n), "image": row["filepath"], "caption": row["title"]}) + "\n")
        case ["ten", tsv]:
            rows = captions(tsv)
            for n in ROWS:
                print(rows[n]["title"])
        case ["write", tsv, work, page]:
            write(tsv, Path(work), Path(page))


main()
