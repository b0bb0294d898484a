"""run and load: the output folder of a run."""
from __future__ import annotations

import json
import os
import subprocess
from contextlib import ExitStack
from types import SimpleNamespace

from capgraph import _progress, _settings, _worker, tasks


def run(recipe=None, *, append: bool = False, redo: str | None = None, yes: bool = False, **set) -> None:
    """Runs all passes of a recipe, as 'capgraph run' does; a stopped run is continued.

    recipe is a file, or None for pipeline.yaml, or for the keys that are set if there is none. set are sections of a recipe:
    source={"format": "coco", "paths": "captions.json"}, output={"dir": "out"}. append adds files that the folder does not have; redo
    names a pass whose output is replaced, with yes also the index. Raises CapgraphError."""
    command = [tasks.program(), "run", "--progress", "json", *([os.fspath(recipe)] if recipe is not None else [])]
    command += [*(["--append"] if append else []), *(["--redo", redo] if redo else []), *(["--yes"] if yes else [])]
    for setting in _settings.as_sets(set):
        command += ["--set", setting]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace") as running:
        said = _follow(running.stderr)
    if running.returncode:
        said = said.strip().removeprefix("capgraph: ")
        raise _worker.CapgraphError(_settings.in_python(said, set))


def _follow(stderr) -> str:
    """Shows the progress that a run writes as lines of JSON, and returns the rest."""
    said, work, done = [], None, 0
    with ExitStack() as bars:
        for line in stderr:
            try:
                at = json.loads(line) if line.startswith("{") else {}
            except ValueError:
                at = {}
            if at.get("msg") != "progress":
                said.append(line)
                continue
            counted = next((key.removesuffix("_per_second") for key in at if key.endswith("_per_second")), "rows")
            if (at["pass"], at.get("step")) != work:
                bars.close()
                work, done = (at["pass"], at.get("step")), 0
                bar = bars.enter_context(_progress.bar(at["total"] or None, counted, " ".join(filter(None, work))))
            bar.update(at[counted] - done)
            done = at[counted]
    return "".join(said)


def load(folder) -> SimpleNamespace:
    """Returns graphs and texts of the output folder of a run, each a pyarrow.dataset.Dataset with the columns of docs/format.md."""
    import pyarrow.dataset as ds

    parts = {name: os.path.join(os.fspath(folder), name) for name in ("graphs", "texts")}
    for path in parts.values():
        if not os.path.isdir(path):
            raise FileNotFoundError(f"there is no {path}: make it with capgraph.run, or name the output folder of a run")
    return SimpleNamespace(**{name: ds.dataset(path, format="parquet") for name, path in parts.items()})
