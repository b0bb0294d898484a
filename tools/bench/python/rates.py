#!/usr/bin/env python3
"""Captions a second of processor time, of parsing and of texts: by the commands, by the Python package in batches of 1,024, and by sng_parser with spaCy if
they are installed. Prints the table of docs/measurements/scale.md.

    CAPGRAPH=dist/capgraph PYTHONPATH=python python tools/bench/python/rates.py ../shared/data/coco/captions_val2017.json

Each figure is the best of two. Processor time is that of Python and of the program, so that others on the machine matter less."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

BATCH, ROWS, SLOW_ROWS = 1024, 8 * 1024, 512
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
captions = [" ".join(a["caption"].split()) for a in json.load(open(sys.argv[1]))["annotations"]][:ROWS]


def processor_time():
    """Seconds that Python, its children and the worker have had."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    from capgraph import _worker
    if _worker._worker.process:
        with open(f"/proc/{_worker._worker.process.popen.pid}/stat") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
        total += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return total


def best(make, rows):
    """The most rows a second of two times."""
    times = []
    for _ in range(2):
        begin = processor_time()
        make()
        times.append(processor_time() - begin)
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
    import pyarrow  # noqa: F401
    import pyarrow.compute  # noqa: F401
    import capgraph
    imported = processor_time()
    capgraph.parse(captions[:1])
    parsed = processor_time()
    capgraph.texts(captions[:1])
    first = {"`parse`": parsed - imported, "`texts`, with counts of public captions": processor_time() - parsed}
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
    print("\n| first call, after pyarrow is imported | seconds |\n|---|---|")
    for name, seconds in first.items():
        print(f"| {name} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
