"""A run as tasks of any engine. A task is one call of the program on some machine: attempt runs it there. drive submits the tasks of
each pass after all tasks of the previous pass have succeeded."""
import argparse
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass

USAGE, NOT_READY = 2, 3  # exit codes of capgraph; 1 is a run that failed
ATTEMPTS = 3  # of a task that fails
PATIENCE = 600  # seconds that a task may find its input not whole
PARTS = 64
PAUSE = 10  # seconds before another attempt, and between two lines of progress

_libc = ctypes.CDLL(None)


class TaskError(RuntimeError):
    """A task that is not retried. code is capgraph's exit code."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def program():
    """The capgraph of this machine: the one that CAPGRAPH names, of this Python's environment, or in the PATH."""
    own = os.path.join(sysconfig.get_path("scripts"), "capgraph")
    found = os.environ.get("CAPGRAPH") or (own if os.access(own, os.X_OK) else shutil.which("capgraph"))
    if not found:
        raise FileNotFoundError(f"no capgraph in {os.path.dirname(own)} or the PATH of {os.uname().nodename}: install its wheel on every machine")
    return found


def plan(recipe=None, sets=(), parts=PARTS):
    """Returns the run as 'capgraph plan --tasks' prints it."""
    args = [recipe] if recipe else []
    args += [arg for key in sets for arg in ("--set", key)]
    done = subprocess.run([program(), "plan", "--tasks", str(parts), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise TaskError(done.stderr.strip().removeprefix("capgraph: "), done.returncode)
    sys.stderr.write(done.stderr)
    return json.loads(done.stdout)


def attempt(folder, recipe, args, index, workers):
    """Runs a task on this machine, in folder, with workers processors. Returns its exit code (negative: the signal that ended it), its last output, and the number
    of rows that it processed."""
    if not os.path.isdir(folder):
        return 1, f"there is no {folder} on {os.uname().nodename}: start the driver in a folder that every machine has", 0
    with tempfile.TemporaryDirectory() as scratch:
        command = [program(), *args, "--progress", "json", "--workers", str(workers)]
        if recipe:
            command.append(os.path.join(scratch, recipe["name"]))
            with open(command[-1], "w", encoding="utf-8", newline="") as file:
                file.write(recipe["text"])
        # What runs the task takes it along when it is killed.
        done = subprocess.run(command, cwd=folder, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, encoding="utf-8", errors="replace", preexec_fn=lambda: _libc.prctl(1, signal.SIGTERM))
    said, rows = [], 0
    for line in done.stderr.splitlines():
        if not line.startswith('{"time"'):
            said.append(line)
        elif '"done":true' in line:
            rows = json.loads(line).get("rows", 0)
    return done.returncode, _end("\n".join(said)), rows


@dataclass
class _Task:
    index: int
    due: float = 0  # when it is to be submitted
    failed: int = 0  # attempts


def drive(run, submit, say=lambda text: print(text, file=sys.stderr, flush=True)):
    """Runs all tasks of a plan. submit(folder, recipe, args, index) has the engine call attempt, and returns a concurrent.futures.Future of
    its result. Raises TaskError for a task that cannot succeed; the output of other tasks is kept."""
    for step in run["steps"]:
        began = told = time.monotonic()
        rows = again = 0
        todo, running = [_Task(index) for index in range(step["tasks"])], {}
        while todo or running:
            now = time.monotonic()
            for task in [task for task in todo if task.due <= now]:
                todo.remove(task)
                running[submit(run["dir"], run["recipe"], step["args"], task.index)] = task
            if running:
                ended = wait(running, timeout=1, return_when=FIRST_COMPLETED).done
            else:
                time.sleep(min(task.due for task in todo) - now)
                continue
            for future in ended:
                task, (code, text, count) = running.pop(future), _result(future)
                rows += count
                if code == 0:
                    continue
                text = f"pass {step['pass']}, task {task.index}: {text or f'exit code {code}'}"
                task.failed += code != NOT_READY
                if code == NOT_READY and time.monotonic() - began > PATIENCE:
                    raise TaskError(f"{text}\nthe pass before is done: see that output.dir is the same on all machines", code)
                if code == USAGE or task.failed == ATTEMPTS:
                    raise TaskError(text, max(code, 1))
                say(f"tried again in {PAUSE} s: {text}")
                again += 1
                task.due = time.monotonic() + PAUSE
                todo.append(task)
            if time.monotonic() - told > PAUSE or not (todo or running):
                told = time.monotonic()
                parts = f"{step['tasks'] - len(todo) - len(running)} of {step['tasks']} tasks, {rows:,} rows, {rows / (told - began):,.0f} rows/s"
                say(f"{step['pass']:8} {parts}{f', {again} tried again' if again else ''}")


def _result(future):
    try:
        return future.result()
    except Exception as error:  # of the engine, or of Python on the machine of the task
        return 1, f"{type(error).__name__}: {_end(str(error))}", 0


def _end(text):
    return "\n".join(text.strip().splitlines()[-20:])


def command(name, description, options=()):
    """The command line of a driver: 'NAME run RECIPE', with the options given as (flag, keywords)."""
    parser = argparse.ArgumentParser(prog=name, description=description)
    run = parser.add_subparsers(dest="command", required=True).add_parser("run", help="run all passes of a recipe")
    run.add_argument("recipe", nargs="?", help="the recipe (default pipeline.yaml)")
    run.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="set a key of the recipe")
    run.add_argument("--parts", metavar="N", type=int, default=PARTS, help=f"tasks of a pass that goes shard by shard (default {PARTS})")
    for flag, keywords in options:
        run.add_argument(flag, **keywords)
    return parser.parse_args()
