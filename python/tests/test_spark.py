"""Spark's driver on executors that are processes of their own, of which one is killed."""
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import engines
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: .ci/run engines tests its driver")
from pyspark.sql import SparkSession  # noqa: E402

from capgraph import spark as driver, tasks  # noqa: E402


@pytest.fixture(scope="module")
def session():
    made = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").getOrCreate()
    yield made
    made.stop()


def executors(session):
    """The processes of its executors."""
    found = subprocess.run(["pgrep", "-f", f"CoarseGrainedExecutorBackend.*{session.sparkContext.applicationId}"], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


def test_an_executor_is_lost(session, single, monkeypatch, capsys):
    """One of two executors is killed in the middle of parse; the bytes are those of one process."""
    folder, whole = single
    monkeypatch.chdir(folder)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(driver.run, session, "pipeline.yaml", parts=6)
        engines.wait_for_shard(folder / "out", running)
        os.kill(executors(session)[0], signal.SIGKILL)
        assert engines.finished(folder / "out", "parse") < engines.SHARDS, "the executor was lost too late"
        running.result()
    assert engines.hashes(folder / "out") == whole
    assert "texts    6 of 6 tasks" in capsys.readouterr().err


def test_a_mistake_ends_the_run(session, single, monkeypatch):
    folder, _ = single
    monkeypatch.chdir(folder)
    driver.run(session, "pipeline.yaml", sets=["output.dir=other"], parts=2)
    with pytest.raises(tasks.TaskError, match="seed") as error:
        driver.run(session, "pipeline.yaml", sets=["output.dir=other", "seed=8"], parts=2)
    assert error.value.code == tasks.USAGE
