"""Settings of a recipe as arguments of Python, in requests and in errors."""
from __future__ import annotations

import json
import re

_WHOLE = ("negatives.shares",)  # whose value is a mapping, not a section
_DOTTED = r"[a-z_]+(?:\.[\w]+)*"
_FLAGS = ((re.compile(r"--redo (index|parse|tally|count|balance|texts)\b"), r'redo="\1"'), (re.compile(r"--append\b"), "append=True"), (re.compile(r"--yes\b"), "yes=True"),
          (re.compile(r"--redo\b"), "redo"), (re.compile(r"\nrun '.* --help' for its arguments$"), ""), (re.compile(r" \(there is no [^()]*, and no --set of it\)"), ""))


def flat(options: dict) -> dict:
    """The settings that nested options name: {"negatives": {"max_negatives": 8}} is {"negatives.max_negatives": 8}."""
    found = {}

    def add(name, value):
        if isinstance(value, dict) and name not in _WHOLE:
            for key, inner in value.items():
                add(f"{name}.{key}" if name else str(key), inner)
        elif value is not None:  # None is the default
            found[name] = value

    add("", options)
    return found


def as_sets(options: dict) -> list[str]:
    """The same as the command line has them: ["negatives.max_negatives=8"]."""
    return [f"{name}={_said(value)}" for name, value in flat(options).items()]


def _said(value) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def argument(name: str, value: str = "…") -> str:
    """A setting as an argument: negatives.max_negatives is negatives={"max_negatives": …}."""
    first, *keys = name.split(".")
    for key in reversed(keys):
        value = f'{{"{key}": {value}}}'
    return f"{first}={value}" if keys or value != "…" else first


def in_python(text: str, options: dict) -> str:
    """An error of the program, with the arguments of Python in place of flags of the command line."""
    for name, value in flat(options).items():
        for shown in (_said(value), "…"):
            start = f"--set {name}={shown}: "
            if text.startswith(start):
                text = f"{argument(name, repr(value))}: {text[len(start):].removeprefix(name + ': ')}"
        if text.startswith(name + ": "):
            text = f"{argument(name, repr(value))}: {text[len(name) + 2:]}"
    text = re.sub(rf"--set '?({_DOTTED})=([^\s:]*)", lambda m: argument(m[1], m[2].strip("'") or "…"), text)
    text = re.sub(rf'nearest valid key is "({_DOTTED})"', lambda m: f"nearest valid argument is {argument(m[1])}", text)
    text = re.sub(r"^(source\.(?:paths|format|columns|keep|where)|output\.(?:dir|shards)): ", lambda m: argument(m[1]) + ": ", text)
    for flag, said in _FLAGS:
        text = flag.sub(said, text)
    return text
