"""Golden values of low-rank adapters and of averages of the weights: lora_ema.json, made by PyTorch on the CPU in float64.

    python testing/golden/testdata/lora_ema.py          writes it beside this file
    python testing/golden/testdata/lora_ema.py --check  makes it again and compares

It needs what golden.py needs. The steps of the tiny model are of clip on curve.py's batches from step 0, with golden.py's optimiser; the
learning rate is 3e-3 at the most, 3 steps of warm-up, cosine to 0 at step 20. B begins with 0, and A with towers.py's formula
under the name of its matrix with ".lora_A".

lora_ema.json:
  lora  trainings with adapters: targets, rank, alpha; loss and gradient norm before clipping of each step; weights, a sketch (golden.py) of
        every parameter after the last, adapted matrices being W + alpha/rank · B·A; adapters, of every A and B
  ema   averages by torch.optim.swa_utils, which begin with the initial weights: model, "tiny" or "resnet", whose ten steps are those of
        resnet.py; decay; weights, a sketch of the average of every parameter, and of every running average, after the last step. The
        decay of step t, from 0, is at the most (1 + t)/(10 + t)"""
import json
import sys

import curve
import golden
import resnet
import torch
import towers
from torch import nn
from torch.nn.utils import parametrize
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

STEPS, WARMUP, LR = 20, 3, 3e-3


class Adapter(nn.Module):
    def __init__(self, name, matrix, rank, alpha):
        super().__init__()
        rows, cols = matrix.shape
        self.A = nn.Parameter(towers.formula(name + ".lora_A", (rank, cols)).double())
        self.B = nn.Parameter(torch.zeros(rows, rank, dtype=torch.float64))
        self.scale = alpha / rank

    def forward(self, matrix):
        return matrix + self.scale * self.B @ self.A


MATRICES = {"attention": [("attn", "in_proj_weight"), ("attn.out_proj", "weight")], "mlp": [("mlp.c_fc", "weight"), ("mlp.c_proj", "weight")]}


def train(model, stepped=lambda model: None):
    opt, losses, norms = golden.optimiser(model, LR), [], []
    for t in range(STEPS):
        loss = curve.loss(model, t)
        losses.append(loss["loss"].item())
        norms.append(golden.step(model, opt, golden.rate(t, LR, WARMUP, STEPS), loss))
        stepped(model)
    return {"losses": losses, "norms": norms}


def lora(targets, rank, alpha):
    model = golden.tiny(True)
    model.requires_grad_(False).logit_scale.requires_grad_(True)
    adapted = [(f"{block}.{part}.{matrix}", model.get_submodule(f"{block}.{part}"), matrix) for target in targets for part, matrix in MATRICES[target]
               for block, module in model.named_modules() if block.rpartition(".")[0].endswith("resblocks")]
    adapters = {name: Adapter(name, getattr(module, matrix), rank, alpha) for name, module, matrix in adapted}
    for name, module, matrix in adapted:
        parametrize.register_parametrization(module, matrix, adapters[name])
    rows = train(model)
    for _, module, matrix in adapted:
        parametrize.remove_parametrizations(module, matrix)  # which leaves the sum
    return {"targets": targets, "rank": rank, "alpha": alpha, **rows, "weights": {n: golden.sketch(n, p) for n, p in model.named_parameters()},
            "adapters": {n: golden.sketch(n, p) for name, a in adapters.items() for n, p in ((name + ".lora_A", a.A), (name + ".lora_B", a.B))}}


def ema(name, decay):
    model = golden.tiny(True) if name == "tiny" else resnet.tiny()
    average = AveragedModel(model, use_buffers=True, multi_avg_fn=lambda averages, values, steps: get_ema_multi_avg_fn(
        min(decay, float(steps / (9 + steps))))(averages, values, steps))
    average.update_parameters(model)  # a copy; steps is 1 then
    train(model, average.update_parameters) if name == "tiny" else resnet.training(average.update_parameters)
    return {"model": name, "decay": decay, "weights": {n: golden.sketch(n, x) for n, x in towers.tensors(average.module)}}


def made():
    return {"lora": [lora(["attention", "mlp"], 3, 6), lora(["attention"], 4, 12), lora(["mlp"], 2, 1)],
            "ema": [ema("tiny", 0.5), ema("resnet", 0.4)]}


if __name__ == "__main__":
    torch.set_num_threads(1)
    file = golden.HERE / "lora_ema.json"
    if "--check" in sys.argv:
        wrong = golden.differ(json.loads(file.read_text()), json.loads(json.dumps(made())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    golden.write(file, made())
