"""A tiny DINOv2 in the files that others write, for the tests of this package: dinov2.safetensors of Hugging Face's Dinov2Model,
dinov2_timm.safetensors of timm, whose names DINOv2's own files have too. Weights are by the formula of testing/golden, under the names that capgraph
gives them; positions are of 4 × 4 patches. It needs what testing/golden/testdata/towers_tiny.py needs."""
import sys
from pathlib import Path

import timm
import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "golden/testdata"))
import towers  # noqa: E402
import towers_tiny  # noqa: E402

SIZE = {"width": 8, "layers": 2, "head_width": 4, "mlp_ratio": 2, "image_size": 8, "patch_size": 2}


def save(model, name):
    save_file({k: v.detach().clone() for k, v in model.state_dict().items()}, HERE / name, {"format": "pt"})


model = towers_tiny.DINOv2(6, SIZE)
for name, parts in model.named().items():
    for p, x in zip(parts, towers.formula(name, (sum(p.shape[0] for p in parts), *parts[0].shape[1:])).split([p.shape[0] for p in parts])):
        p.data = x.clone()
model.model.embeddings.mask_token = torch.nn.Parameter(torch.ones(1, SIZE["width"]))
save(model.model, "dinov2.safetensors")
model = timm.create_model("vit_base_patch14_dinov2", img_size=8, patch_size=2, embed_dim=8, depth=2, num_heads=2, mlp_ratio=2)
for name, p in model.named_parameters():
    p.data = towers.formula("visual.trunk." + name, tuple(p.shape))
save(model, "dinov2_timm.safetensors")
