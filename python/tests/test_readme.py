"""The loops of README.md run as they stand, on a small model, small batches and two workers."""
import os
import re
from pathlib import Path

import open_clip
import pytest
import torch

BLOCKS = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(), re.S)
SMALLER = {'"ViT-B-32", pretrained="openai"': '"tiny"', "batch_size=256": "batch_size=16", "data, 256": "data, 16", "num_workers=8": "num_workers=2",
           "lr=1e-5": "lr=1e-3", "range(5)": "range(2)"}


@pytest.mark.parametrize("i", range(len(BLOCKS)))
def test_block(i, tars, captions, tmp_path, monkeypatch):
    for name, target in {"out": tars.out, "images": tars.folder, "coco/texts": captions.out / "texts", "coco/images": captions.images}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        os.symlink(target, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    open_clip.add_model_config(Path(__file__).parent / "tiny.json")
    code = BLOCKS[i]
    for name, smaller in SMALLER.items():
        code = code.replace(name, smaller)
    scope = {}
    exec(compile(code, f"README.md, block {i}", "exec"), scope)
    if "loss" in scope:
        assert torch.isfinite(scope["loss"])
        assert len([line for line in BLOCKS[0].splitlines() if line]) <= 17
    else:
        assert all(row["pos"] for row in scope["data"])


def test_a_model_learns(captions):
    """Free features of images and texts reach a lower loss: the gradients point the right way."""
    import capgraph_torch as cg

    texts = cg.Texts(str(captions.out / "texts"), by="image")
    batch = cg.collate([texts[k] | {"image": torch.zeros(1)} for k in sorted({r["image"] for r in captions.rows.values()})[:32]])
    image, text = torch.nn.Parameter(torch.randn(32, 64)), torch.nn.Parameter(torch.randn(len(batch["texts"]), 64))
    optimizer, losses = torch.optim.Adam([image, text], 0.05), []
    for _ in range(200):
        losses.append(cg.mosaiclip(image, text, 20.0, batch["true"], batch["m"]))
        optimizer.zero_grad()
        losses[-1].backward()
        optimizer.step()
    least = batch["true"][:, :batch["m"]].sum(1).log().mean() / 2 + batch["true"][:, :batch["m"]].sum(0).log().mean() / 2
    assert losses[-1] < losses[0] / 2 and losses[-1] < least + 0.3
