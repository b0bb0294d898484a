"""The golden values of the Go tests are what their scripts make."""
import runpy
import sys

import pytest
import torch
from conftest import ROOT

GOLDEN = ["golden.py", "curve.py", "occlip.py", "resnet.py", "spans.py", "towers.py", "towers_tiny.py"]


def check(script, monkeypatch, *args):
    """Runs a script as its command does, in this process: one of its own would import open_clip again, in 5 s."""
    monkeypatch.setattr(sys, "argv", [str(script), "--check", *args])
    monkeypatch.syspath_prepend(script.parent)
    threads = torch.get_num_threads()
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        assert not end.code, end.code
    finally:
        torch.set_num_threads(threads)


@pytest.mark.parametrize("script", GOLDEN)
def test_golden(script, monkeypatch):
    check(ROOT / "testing/golden/testdata" / script, monkeypatch, *(["30"] if script == "curve.py" else []))


@pytest.mark.parametrize("script", ["margins.py", "superclip.py"])
def test_objectives(script, monkeypatch):
    """capgraph_torch computes the losses with margins, and superclip's, that capgraph train is compared with."""
    check(ROOT / "train/objective/testdata" / script, monkeypatch)
