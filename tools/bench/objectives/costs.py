#!/usr/bin/env python3
"""The cost of a step of each objective, beside clip's: the table of docs/measurements/training.md.

    python tools/bench/objectives/costs.py dist/capgraph [ROUNDS]

A step is of train.yaml: 64 of 1,000 rendered scenes, on one core. Its processor time is that of a training of 202 steps less that
of 2, by 200. A row has the median of the rounds (3), and the median of the ratios to clip in the same round. The last columns are
what --dry-run says of ViT-B/32: the most texts of an image, and the work with so many, of 12 tokens each, for 256 images."""
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, ROUNDS, STEPS = Path(sys.argv[1]).resolve(), int((sys.argv[2:] or [3])[0]), 200
RECIPE = Path(__file__).parents[3] / "train.yaml"
OBJECTIVES = {  # beside clip where docs/training.md says so, with the weights of tools/bench/world
    "clip": {"clip": 1}, "siglip": {"siglip": 1}, "negclip": {"negclip": 1}, "ceclip": {"ceclip": 1},
    "clip + mosaiclip": {"clip": 1, "mosaiclip": 0.5}, "clip + csclip": {"clip": 1, "csclip": 0.5},
    "clip + c2lip": {"clip": 1, "c2lip": 0.02}, "clip + c2lip, without patches": {"clip": 1, "c2lip": 0.02, "c2lip.attention": 0},
    "clip + readclip": {"clip": 1, "readclip": 0.5},
    "clip + fscclip": {"clip": 1, "fscclip": 1}, "clip + fscclip, without patches": {"clip": 1, "fscclip": 1, "fscclip.local": 0},
    "clip + distill": {"clip": 1, "distill": 1}, "occlip": {"occlip": 1},
}


def train(folder, recipe, objective, *sets):
    """What a training prints, and its processor time."""
    weights = {"clip": 0, "mosaiclip": 0} | OBJECTIVES[objective]
    sets = [*sets, *(f"objective.{k}{'' if '.' in k else '.weight'}={v}" for k, v in weights.items())]
    before = os.times()
    done = subprocess.run([PROGRAM, "train", recipe, *(x for s in sets for x in ("--set", s)), *(["--dry-run"] if recipe == "full.yaml" else [])],
                          cwd=folder, env={**os.environ, "GOMAXPROCS": "1"}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{objective}: {done.stderr}")
    after = os.times()
    return done.stdout, after.children_user - before.children_user + after.children_system - before.children_system


def step_time(folder, objective, taken=iter(range(10**6))):
    """Milliseconds of a step."""
    sets = ["epochs=0", "world.train=1000", "world.heldout=100", "output.checkpoint_every=0"]
    if "distill" in objective:
        sets += ["model.init=first/model.safetensors", "tokenizer.vocabulary=first/tokenizer.json"]
    long, short = (train(folder, RECIPE, objective, *sets, f"steps={n}", f"output.dir={next(taken)}")[1] for n in (STEPS + 2, 2))
    return (long - short) / STEPS * 1e3


def dry_run(folder, objective):
    """Texts of an image, and TFLOP of a step."""
    out, _ = train(folder, "full.yaml", objective, *["model.init=weights.safetensors"] * ("distill" in objective))
    texts, work = (re.search(rf"{what} of a step\s+([\d.,]+)", out)[1].replace(",", "") for what in ("texts", "work"))
    return int(texts) / 256, float(work)


with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "full.yaml").write_text("data: {corpora: {texts: run, images: {paths: images}}}\nmodel: {config: ViT-B-32}\n"
                                            "batch: {size: 256}\nepochs: 1\noutput: {dir: out}\n")
    train(folder, RECIPE, "clip", "epochs=0", "steps=2", "world.train=1000", "world.heldout=100", "output.dir=first")
    times = {o: [] for o in OBJECTIVES}
    for _ in range(ROUNDS):
        for o in OBJECTIVES:
            times[o].append(step_time(folder, o))
    full = {o: dry_run(folder, o) for o in OBJECTIVES}
    print("| objective | ms of a step | × clip | texts of an image, at most | work on ViT-B/32, × clip |\n|---|--:|--:|--:|--:|")
    for o, t in times.items():
        ratio = statistics.median(a / b for a, b in zip(t, times["clip"]))
        print(f"| {o} | {statistics.median(t):.1f} | {ratio:.2f} | {full[o][0]:g} | {full[o][1] / full['clip'][1]:.2f} |")
