"""python/examples/finetune.py on a tiny model and COCO's images: every objective, two processes as one, and a training that was killed."""
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import open_clip
import pytest
import torch
from conftest import ROOT
from PIL import Image
from safetensors.torch import load_file, save_file

SCRIPT = ROOT / "python/examples/finetune.py"
SMALL = {"--model": Path(__file__).parent / "tiny.json", "--batch": 16, "--epochs": 2, "--lr": 1e-3, "--warmup": 2, "--workers": 0, "--save-every": 2}


@pytest.fixture(scope="module")
def finetune():
    spec = importlib.util.spec_from_file_location("finetune", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def data(captions, tmp_path_factory):
    """The images, of which one is missing and one is broken, and what to evaluate on."""
    folder = tmp_path_factory.mktemp("finetune")
    (folder / "images").mkdir()
    names = sorted({row["image"] for row in captions.rows.values()})
    for name in names[2:]:
        (folder / "images" / name).symlink_to(captions.images / name)
    (folder / "images" / names[1]).write_bytes((captions.images / names[1]).read_bytes()[:2000])
    rows = {row["image"]: row for row in captions.rows.values() if row["neg"] and row["image"] in names[2:]}
    pairs = {i: {"filename": name, "caption": row["text"], "negative_caption": row["neg"][-1]} for i, (name, row) in enumerate(rows.items())}
    (folder / "pairs.json").write_text(json.dumps(pairs))
    said = {}
    for row in captions.rows.values():
        said.setdefault(row["image"], []).append(row["text"])
    (folder / "retrieval.json").write_text(json.dumps([{"image": name, "caption": said[name]} for name in names[2:22]]))
    evaluate = {"--pairs": folder / "pairs.json", "--retrieval": folder / "retrieval.json", "--eval-images": captions.images}
    return SimpleNamespace(options=SMALL | {"--texts": captions.out / "texts", "--images": folder / "images"}, broken=names[:2], evaluate=evaluate, rows=captions.rows)


def words(options):
    return [str(x) for pair in options.items() for x in pair]


def steps(out):
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("objective", ["clip", "negclip", "ceclip", "mosaiclip"])
def test_objective(finetune, data, tmp_path, objective, capsys):
    amp = ["--amp"] if objective == "negclip" else []
    options = data.options | data.evaluate | {"--out": tmp_path, "--objective": objective, "--stage1": 1, "--epochs": 10}
    finetune.main(finetune.arguments(words(options) + amp))
    log = steps(tmp_path)
    loss = lambda part: sum(s["loss"] for s in part) / len(part)
    assert [s["step"] for s in log] == list(range(1, 31)) and loss(log[-6:]) < loss(log[3:9])  # of the second stage, in which more texts are drawn
    assert "1 images are missing or broken" in capsys.readouterr().out
    state = torch.load(tmp_path / "checkpoint.pt")
    keys = {row["image"]: row["image_key"] for row in data.rows.values()}
    missing, broken = data.broken
    assert set(state["missing"]) == {keys[broken]}
    assert keys[missing] not in state["missing"] and len(state["absent"]) == 1  # it is in no batch
    assert bool(state["ceclip"]["threshold"].any()) == (objective == "ceclip")
    results = json.loads((tmp_path / "results.json").read_text())
    assert list(results) == ["before", "after", "wise"] and all(0 <= v <= 100 for r in results.values() for v in r.values())
    assert results["after"]["text to image R@1"] > results["before"]["text to image R@1"]
    after, wise = (load_file(tmp_path / f"{name}.safetensors") for name in ("model", "wise"))
    for name, before in state["before"].items():
        assert torch.equal(after[name], state["model"][name])
        between = (before + after[name]) / 2 if name.startswith("visual.") else after[name]
        torch.testing.assert_close(wise[name], between)
    open_clip.create_model("tiny", pretrained=str(tmp_path / "model.safetensors"))


@pytest.mark.parametrize("objective", ["ceclip", "mosaiclip"])
def test_two_processes_are_as_one(finetune, data, tmp_path, objective):
    options = data.options | {"--objective": objective, "--epochs": 1}
    finetune.main(finetune.arguments(words(options | {"--out": tmp_path / "one"})))
    subprocess.run([sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", SCRIPT, *words(options | {"--out": tmp_path / "two"})],
                   check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
    one, two = ([s["loss"] for s in steps(tmp_path / name)] for name in ("one", "two"))
    assert len(one) == 3 and two == pytest.approx(one, rel=1e-5)


def test_killed_and_gone_on(finetune, data, tmp_path):
    """Weights and losses are bitwise those of a training that nobody stopped."""
    options = data.options | {"--objective": "ceclip", "--workers": 2}
    finetune.main(finetune.arguments(words(options | {"--out": tmp_path / "whole"})))
    command = [sys.executable, SCRIPT, *words(options | {"--out": tmp_path / "killed"})]
    env = os.environ | {"PYTHONPATH": str(ROOT / "python"), "OMP_NUM_THREADS": str(torch.get_num_threads())}
    process = subprocess.Popen(command, env=env)
    while process.poll() is None and not (tmp_path / "killed/checkpoint.pt").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert torch.load(tmp_path / "killed/checkpoint.pt")["step"] < 6, "it ended before it was killed"
    subprocess.run(command, check=True, env=env)
    whole, killed = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "killed"))
    assert all(torch.equal(whole[name], killed[name]) for name in whole)
    assert [(s["step"], s["loss"]) for s in steps(tmp_path / "killed")] == [(s["step"], s["loss"]) for s in steps(tmp_path / "whole")]


@pytest.mark.parametrize("objective", ["clip", "negclip", "ceclip", "mosaiclip"])
def test_beside_capgraph_train(finetune, data, capgraph, captions, tmp_path, objective):
    """The same weights, texts, images and seed give the same losses. Images are copied without loss, since decoders of JPEG differ."""
    images = tmp_path / "images"
    images.mkdir()
    for name in sorted({row["image"] for row in captions.rows.values()})[1:]:  # one is missing
        with Image.open(captions.images / name) as image:
            image.convert("RGB").resize((96, 80)).save(images / name, "PNG")
    torch.manual_seed(1)
    open_clip.add_model_config(SMALL["--model"])
    weights = {k: v.contiguous() for k, v in open_clip.create_model("tiny").state_dict().items()}
    save_file(weights, tmp_path / "init.safetensors")
    options = {"--images": images, "--pretrained": tmp_path / "init.safetensors", "--objective": objective, "--epochs": 7, "--seed": 5, "--lr": 1e-4, "--stage1": 2}
    finetune.main(finetune.arguments(words(data.options | options | {"--out": tmp_path / "torch"})))
    vocabulary = Path(open_clip.__file__).parent / "bpe_simple_vocab_16e6.txt.gz"
    stage = {"stage1_epochs": 2} if objective == "mosaiclip" else {}
    recipe = {
        "seed": 5, "data": {"corpora": {"texts": captions.out, "images": {"paths": images}}, "max_left_out": 0.1}, "tokenizer": {"vocabulary": vocabulary},
        "model": {"config": SMALL["--model"], "init": tmp_path / "init.safetensors"}, "objective": {objective: {"weight": 1} | stage},
        "optimiser": {"lr": 1e-4, "warmup": 2}, "batch": {"size": 16}, "epochs": 7, "output": {"dir": tmp_path / "go"},
    }
    (tmp_path / "train.yaml").write_text(json.dumps(recipe, default=str))
    capgraph("train", "--progress", "none", tmp_path / "train.yaml")
    want = [s["loss"] for s in map(json.loads, (tmp_path / "go/metrics.jsonl").read_text().splitlines()) if "loss" in s]
    got = [s["loss"] for s in steps(tmp_path / "torch")]
    assert len(got) == 21 and got == pytest.approx(want, rel=1e-5)
