"""run and load: the output folder of a run."""
from __future__ import annotations

import os
import subprocess
from types import SimpleNamespace

from capgraph import _worker, tasks


def run(recipe=None, **set) -> None:
    """Runs all passes of a recipe, as 'capgraph run' does; a stopped run is continued.

    recipe is a file, or None for pipeline.yaml, or for the keys that are set if there is none. set are sections of a recipe:
    source={"format": "coco", "paths": "captions.json"}, output={"dir": "out"}. Raises CapgraphError."""
    command = [tasks.program(), "run", "--progress", "none", *([os.fspath(recipe)] if recipe is not None else [])]
    for setting in _worker.settings(set):
        command += ["--set", setting]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode:
        raise _worker.CapgraphError(done.stderr.strip().removeprefix("capgraph: "))


def load(folder) -> SimpleNamespace:
    """Returns graphs and texts of the output folder of a run, each a pyarrow.dataset.Dataset with the columns of docs/format.md."""
    import pyarrow.dataset as ds

    parts = {name: os.path.join(os.fspath(folder), name) for name in ("graphs", "texts")}
    for path in parts.values():
        if not os.path.isdir(path):
            raise FileNotFoundError(f"there is no {path}: make it with capgraph.run, or name the output folder of a run")
    return SimpleNamespace(**{name: ds.dataset(path, format="parquet") for name, path in parts.items()})
