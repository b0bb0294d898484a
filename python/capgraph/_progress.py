"""A progress bar of tqdm, where tqdm is installed."""
from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace


def bar(total: int | None, unit: str, named: str = ""):
    """A context with a bar, which has update(n). It shows on a terminal and in a notebook, once the work has taken two seconds."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return nullcontext(SimpleNamespace(update=lambda n: None))
    notebook = any("notebook" in kind.__module__ for kind in tqdm.__mro__)
    return tqdm(total=total, desc=named or None, unit=" " + unit, unit_scale=True, leave=False, delay=2, disable=False if notebook else None)
