#!/usr/bin/env python3
"""Captions a second of parsing and of texts: by the commands, by the Python package in batches of 1,024, and by sng_parser with spaCy if
they are installed. Prints the table of docs/measurements/python.md.

    CAPGRAPH=dist/capgraph PYTHONPATH=python python tools/bench/python/rates.py ../shared/data/coco/captions_val2017.json

Each figure is the best of three, on one processor of a machine that others may use."""
import json
import os
import subprocess
import sys
import tempfile
import time

BATCH, ROWS, SLOW_ROWS = 1024, 20 * 1024, 1024
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
captions = [" ".join(a["caption"].split()) for a in json.load(open(sys.argv[1]))["annotations"]][:ROWS]


def best(make, rows):
    """The most rows a second of three times."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        make()
        times.append(time.perf_counter() - begin)
    return rows / min(times)


def command(*args):
    return lambda: subprocess.run([os.environ["CAPGRAPH"], *args], input="\n".join(captions).encode(), stdout=subprocess.DEVNULL, check=True)


def whole_run():
    """All passes of a run; parsing and making texts are most of it."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "captions.jsonl")
        with open(source, "w") as file:
            file.writelines(json.dumps({"caption": c}) + "\n" for c in captions)
        subprocess.run([os.environ["CAPGRAPH"], "run", "--progress", "none", "--workers", "1", "--set", "source.format=jsonl", "--set", f"source.paths={source}",
                        "--set", f"output.dir={folder}/out"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def batches(call):
    return lambda: [call(captions[i:i + BATCH]) for i in range(0, len(captions), BATCH)]


def main():
    began = time.perf_counter()
    import pyarrow  # noqa: F401
    imported = time.perf_counter()
    import capgraph
    capgraph.parse(captions[:1])
    parsed = time.perf_counter()
    capgraph.texts(captions[:1])
    first = {"pyarrow's import": imported - began, "`parse`": parsed - imported, "`texts`, counts of public captions": time.perf_counter() - parsed}
    rates = {
        "`capgraph parse --format json`": best(command("parse", "--format", "json"), ROWS),
        "`capgraph.parse`, a table": best(batches(capgraph.parse), ROWS),
        "`capgraph.parse`, each `Graph`": best(batches(lambda c: list(capgraph.parse(c))), ROWS),
        "`capgraph run`, all passes": best(whole_run, ROWS),
        "`capgraph texts`": best(command("texts"), ROWS),
        "`capgraph.texts`, a table": best(batches(capgraph.texts), ROWS),
        "`capgraph.units`, each `Unit`": best(batches(lambda c: list(capgraph.units(c))), ROWS),
    }
    try:
        import sng_parser
        parser = sng_parser.Parser("spacy", model=os.environ.get("SPACY_MODEL", "en_core_web_sm"))
        rates["`sng_parser`, spaCy"] = best(lambda: [parser.parse(c) for c in captions[:SLOW_ROWS]], SLOW_ROWS)
    except (ImportError, OSError) as error:
        print(f"sng_parser was not measured: {error}", file=sys.stderr)
    print("| | captions a second |\n|---|---|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} |")
    print("\n| first call | seconds |\n|---|---|")
    for name, seconds in first.items():
        print(f"| {name} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
