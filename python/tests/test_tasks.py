"""How a driver submits tasks, with threads for an engine."""
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor

import engines
import pytest

from capgraph import tasks


@pytest.fixture
def threads():
    """An engine of two threads: what it submits to."""
    with ThreadPoolExecutor(2) as pool:
        yield lambda *task: pool.submit(tasks.attempt, *task, workers=1)


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(tasks, "PAUSE", 0.1)


def answers(*results):
    """A fake engine, which gives these in their order: results of attempts, or errors of its own. asked are the tasks."""
    left, asked = list(results), []

    def submit(*task):
        asked.append(task)
        future, result = Future(), left.pop(0)
        future.set_exception(result) if isinstance(result, Exception) else future.set_result(result)
        return future

    return submit, asked


def one_step(count):
    return {"dir": "/", "recipe": None, "steps": [{"pass": "parse", "tasks": count, "args": ["run"]}]}


def test_the_bytes_are_those_of_one_process(single, threads, monkeypatch):
    """Twice, of which the second finds all of it done."""
    folder, whole = single
    monkeypatch.chdir(folder)
    said = []
    run = tasks.plan(parts=5)
    monkeypatch.chdir("/")
    for _ in range(2):
        said.clear()
        tasks.drive(run, threads, said.append)
        assert engines.hashes(folder / "out") == whole
    assert [line.split(" tasks")[0] for line in said] == [f"{step['pass']:8} {step['tasks']} of {step['tasks']}" for step in run["steps"]]
    assert {step["pass"]: step["tasks"] for step in run["steps"]}.items() >= {"index": 1, "parse": 5, "balance": 1, "texts": 5}.items()


def test_keys_that_are_set_without_a_recipe(single, threads, monkeypatch):
    folder, _ = single
    (folder / "pipeline.yaml").unlink()
    monkeypatch.chdir(folder)
    run = tasks.plan(sets=["source.format=cc12m", "source.paths=captions.tsv", "output.dir=é '$HOME", "output.shard_rows=500"], parts=1)
    assert run["recipe"] is None
    tasks.drive(run, threads, lambda _: None)
    assert engines.finished(folder / "é '$HOME", "texts") == engines.SHARDS


def test_a_recipe_that_is_wrong(single, monkeypatch):
    folder, _ = single
    monkeypatch.chdir(folder)
    (folder / "pipeline.yaml").write_text("sauce: {}\n")
    with pytest.raises(tasks.TaskError, match="sauce") as error:
        tasks.plan()
    assert error.value.code == tasks.USAGE


def test_what_is_not_ready_is_tried_later(single, threads, monkeypatch, soon):
    folder, _ = single
    monkeypatch.chdir(folder)
    run = tasks.plan("pipeline.yaml", parts=2)
    index, parse = run["steps"][:2]
    said = []
    with ThreadPoolExecutor() as pool:
        parsing = pool.submit(tasks.drive, run | {"steps": [parse]}, threads, said.append)
        while not said:
            time.sleep(0.01)
        assert "pass parse needs all of pass index" in said[0]
        tasks.drive(run | {"steps": [index]}, threads, lambda _: None)
        parsing.result()
    assert engines.finished(folder / "out", "parse") == engines.SHARDS


def test_a_folder_that_machines_do_not_share(soon, monkeypatch):
    """The index is made on one machine and never seen by another."""
    monkeypatch.setattr(tasks, "PATIENCE", 0.3)
    submit, asked = answers(*[(3, "pass parse needs all of pass index", 0)] * 50)
    with pytest.raises(tasks.TaskError, match="output.dir is the same on all machines") as error:
        tasks.drive(one_step(1), submit, lambda _: None)
    assert error.value.code == tasks.NOT_READY and 1 < len(asked) < 50


def test_a_mistake_is_not_tried_again(soon):
    submit, asked = answers((0, "", 1), (2, "output.dir is of another recipe", 0))
    with pytest.raises(tasks.TaskError, match="task 1: output.dir is of another") as error:
        tasks.drive(one_step(2), submit, lambda _: None)
    assert error.value.code == 2 and len(asked) == 2


def test_a_failure_is_tried_three_times(soon):
    """What is not ready, in between, is none."""
    said = []
    submit, asked = answers((1, "no space", 0), (3, "not yet", 0), (-9, "", 0), (0, "", 7))
    tasks.drive(one_step(1), submit, said.append)
    assert len(asked) == 4 and said[-1].endswith("3 tried again") and " 7 rows" in said[-1] and any("exit code -9" in line for line in said)
    submit, asked = answers((1, "no space", 0), OSError("the node is gone"), (-9, "", 0))
    with pytest.raises(tasks.TaskError, match="exit code -9") as error:
        tasks.drive(one_step(1), submit, said.append)
    assert error.value.code == 1 and len(asked) == 3 and "OSError: the node is gone" in "".join(said)


def test_a_machine_without_the_folder_or_the_program(tmp_path, monkeypatch):
    code, text, rows = tasks.attempt(str(tmp_path / "gone"), None, ["run"], 0, 1)
    assert (code, rows) == (1, 0) and "start the driver in a folder that every machine has" in text
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CAPGRAPH", raising=False)
    monkeypatch.setattr(tasks.sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(FileNotFoundError, match="install its wheel on every machine"):
        tasks.program()


def test_a_task_goes_with_what_runs_it(tmp_path, monkeypatch):
    """A worker of an engine that is killed leaves no process behind. The program is a fake that sleeps."""
    fake = tmp_path / "capgraph"
    fake.write_text("#!/bin/sh\necho $$ > pid.new\nmv pid.new pid\nexec sleep 600\n")
    fake.chmod(0o755)
    worker = subprocess.Popen([sys.executable, "-c", "from capgraph import tasks; tasks.attempt('.', None, [], 0, 1)"], cwd=tmp_path,
                              env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(engines.ROOT / "python"), "CAPGRAPH": str(fake)})
    while not (tmp_path / "pid").exists():
        assert worker.poll() is None
        time.sleep(0.01)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    pid = int((tmp_path / "pid").read_text())
    for _ in range(1000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the task lives on")
