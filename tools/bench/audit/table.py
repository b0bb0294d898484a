"""Writes the table of `capgraph audit --json` of three sets between the markers of a page.

    python3 tools/bench/audit/table.py AUDIT.json RUN PAGE.md

RUN is the run of the second set, whose versions the page names.
"""
import datetime
import json
import pathlib
import re
import sys

NAMES = ["NegCLIP", "capgraph, balanced over all captions", "capgraph, balanced over 1,000"]


def cell(value):
    return "–" if value is None else f"{value:.1f}"


def row(name, audited):
    g = audited["groups"][0]
    truth, tables = g.get("false_negatives") or {}, g.get("by_tables") or {}
    values = [g["text_only_accuracy"], g["text_only_accuracy_as_written"], (g.get("likelihood") or {}).get("less_likely"),
              g["equal_to_positives"], truth.get("said_by_sibling"), truth.get("said_by_other_image"), tables.get("may_be_true"),
              g["stray_spaces"], max(0, g["article_errors"] - g["article_errors_of_positives"]), g["doubled_words"]]
    return f"| {name} | {g['negatives']:,} | " + " | ".join(map(cell, values)) + " |"


def versions(run):
    plans = [json.loads(pathlib.Path(run, f".capgraph/plans/{p}.json").read_text())["version"].split() for p in ("parse", "texts")]
    return ", ".join(v for v in sum(plans, []) if v.split("/")[0] in ("clean", "ruleparse", "negatives", "balance"))


def main(audit, run, page):
    head = "| | negatives | text-only | as written | less likely | equal | siblings | (chance) | tables | spaces | a/an | doubled |"
    rows = [head, "|---|" + "--:|" * 11, *map(row, NAMES, json.loads(pathlib.Path(audit).read_text()))]
    text = pathlib.Path(page).read_text()
    text = re.sub(r"(<!-- table -->\n).*?(\n<!-- end of table -->)", lambda m: f"{m[1]}\n" + "\n".join(rows) + f"\n{m[2]}", text, flags=re.DOTALL)
    text = re.sub(r"Measured on .*", f"Measured on {datetime.date.today()} with {versions(run)} by `tools/bench/audit/audit ../shared/data`.", text, count=1)
    pathlib.Path(page).write_text(text)


main(*sys.argv[1:])
