"""Features of published models, at their real sizes, with weights that no file has: towers.json, made by PyTorch and open_clip on the CPU
in float64.

    python testing/golden/testdata/towers.py          writes it beside this file
    python testing/golden/testdata/towers.py --check  makes it again and compares

It needs what golden.py needs, and 3 GB of memory. Both sides make the weights by a formula (package golden, formula.go): element i of a
parameter is mean + bound·u_i, in float32.

towers.json: by the name of a model, model, its configuration as open_clip has it, or as capgraph has it where open_clip has none of that name; parameters, their shapes by name, running averages included; image, the features of two images, uint8 [2, side, side, 3] of
the formula's bytes "pixels"; tokens, of two texts; text, their features. Features are before normalisation."""
import hashlib
import json
import sys

import golden
import numpy as np
import open_clip
import torch
from timm.data import IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD

MODELS = ["ViT-B-16", "RN50", "vit_base_patch14_dinov2", "swin_tiny_patch4_window7_224", "ViT-B-16-SigLIP"]
CONFIGS = golden.HERE.parents[2] / "train/model/configs"
LENGTHS = [5, 77]


def outputs(text, n):
    """n outputs of SplitMix64, its state being the first 8 bytes of SHA-256 of a text."""
    state = np.frombuffer(hashlib.sha256(text.encode()).digest()[:8], "<u8")
    with np.errstate(over="ignore"):
        z = state + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return z ^ z >> np.uint64(31)


def formula(name, shape):
    n = int(np.prod(shape))
    u = ((outputs("formula\n" + name, n) >> np.uint64(40)).astype(np.int64) - 2**23).astype(np.float32) / np.float32(2**23)
    bound, mean = np.float32(0.125), np.float32(0)
    if len(shape) > 1:
        bound = np.float32(np.sqrt(3 * shape[0] / n))
    elif name.endswith(("weight", "gamma", "running_var")):
        mean = np.float32(1)
    return torch.from_numpy((mean + u * bound).reshape(shape))


def pixels(side, n=2):
    return (outputs("formula\npixels", n * side * side * 3) >> np.uint64(56)).astype(np.uint8).reshape(n, side, side, 3)


def texts(config):
    """The tokens of two texts: CLIP's, of LENGTHS, or SigLIP's, which are padded with their end mark."""
    if config.get("pool_type") == "last":
        return [[1000 * (i + 1) + 37 * k if k < n - 1 else 1 for k in range(config["context_length"])] for i, n in enumerate((5, config["context_length"]))]
    return [[49406, *(1000 * i + 37 * k for k in range(n - 2)), 49407] for i, n in enumerate(LENGTHS)]


def tensors(model):
    """Parameters and running averages, by name."""
    return [(name, x) for name, x in model.state_dict().items() if x.is_floating_point()]


def filled(model):
    """A model in float64 whose tensors are the formula's."""
    for name, x in tensors(model):
        x.copy_(formula(name.removeprefix("text."), tuple(x.shape)))  # of CustomTextCLIP
    return model.double().eval()


@torch.no_grad()
def features(name):
    config = open_clip.get_model_config(name) or json.loads((CONFIGS / f"{name}.json").read_text())
    side, mean, std = config["vision_cfg"]["image_size"], open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD
    custom = config.pop("custom_text", False)
    model = (open_clip.model.CustomTextCLIP if custom else open_clip.model.CLIP)(**config)
    if "dinov2" in name:
        model.visual.set_input_size(side)  # timm's is 518
    if "timm_model_name" in config["vision_cfg"]:
        mean, std = IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD
    if "siglip" in config["vision_cfg"].get("timm_model_name", ""):
        mean = std = (0.5, 0.5, 0.5)
    filled(model)
    ids = torch.zeros(len(LENGTHS), config["text_cfg"]["context_length"], dtype=torch.long)
    for row, text in zip(ids, texts(config["text_cfg"])):
        row[:len(text)] = torch.tensor(text)
    return {"model": config, "parameters": {name.removeprefix("text."): list(x.shape) for name, x in tensors(model)},
            "image": model.encode_image(golden.preprocess(pixels(side), mean, std)).tolist(),
            "tokens": texts(config["text_cfg"]), "text": model.encode_text(ids).tolist()}


def made():
    return {name: features(name) for name in MODELS}


if __name__ == "__main__":
    file = golden.HERE / "towers.json"
    if "--check" in sys.argv:
        wrong = golden.differ(json.loads(file.read_text()), json.loads(json.dumps(made())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    golden.write(file, made())
