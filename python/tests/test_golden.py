"""The golden values of the Go tests are what their scripts make."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "testing/golden/testdata"


@pytest.mark.parametrize("script", ["golden.py --check", "curve.py --check 30", "occlip.py --check", "resnet.py --check", "spans.py --check", "towers.py --check",
                                    "towers_tiny.py --check"])
def test_golden(script):
    done = subprocess.run([sys.executable, *script.split()], cwd=SCRIPTS, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", ["margins.py", "superclip.py"])
def test_objectives(script):
    """capgraph_torch computes the losses with margins, and superclip's, that capgraph train is compared with."""
    root = SCRIPTS.parents[2]
    env = os.environ | {"PYTHONPATH": str(root / "python")}
    done = subprocess.run([sys.executable, script, "--check"], cwd=root / "train/objective/testdata", env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
