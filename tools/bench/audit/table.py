"""Writes the table of `capgraph audit --json` of three sets between the markers of a page.

    python3 tools/bench/audit/table.py AUDIT.json RUN PAGE.md

RUN is the run of the second set, whose versions the page names.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from page import replace_date, replace_table  # noqa: E402

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


def main(audit, run, page):
    head = "| | negatives | text-only | as written | less likely | equal | siblings | (chance) | tables | spaces | a/an | doubled |"
    rows = [head, "|---|" + "--:|" * 11, *map(row, NAMES, json.loads(pathlib.Path(audit).read_text()))]
    replace_table(pathlib.Path(page), "table", rows)
    replace_date(pathlib.Path(page), run, "tools/bench/audit/audit DATA")


main(*sys.argv[1:])
