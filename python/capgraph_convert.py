"""Convert a PyTorch checkpoint to a safetensors file, which capgraph reads. This script needs only torch and safetensors.

    python capgraph_convert.py ViT-B-32.pt model.safetensors

It reads OpenAI's archives, state dicts (open_clip's, Hugging Face's CLIPModel), and checkpoints of open_clip's training, whose
prefix "module." it removes. Tensors keep their names and precision; everything else is left out. Files with other pickled
objects than tensors are refused, since unpickling runs their code."""
import argparse
import os
import tempfile
import warnings

import torch
from safetensors.torch import save_file

SIZES = ("input_resolution", "context_length", "vocab_size")  # of OpenAI's archives


def state_dict(path):
    """Returns the tensors of a checkpoint by name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch.jit is said to be deprecated; OpenAI's files are what they are
            loaded = torch.jit.load(path, map_location="cpu").state_dict()
    except RuntimeError:  # no archive
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    for key in ("state_dict", "model"):
        if isinstance(loaded, dict) and isinstance(loaded.get(key), dict):
            loaded = loaded[key]
    tensors = {k: v for k, v in loaded.items() if isinstance(v, torch.Tensor) and k not in SIZES} if isinstance(loaded, dict) else {}
    if not tensors:
        raise SystemExit(f"{path} has no tensors by name: give a state dict, or an archive of OpenAI's")
    if all(k.startswith("module.") for k in tensors):
        tensors = {k.removeprefix("module."): v for k, v in tensors.items()}
    return {k: v.detach().clone(memory_format=torch.contiguous_format) for k, v in tensors.items()}


def convert(source, target):
    """Writes target atomically; returns the number of tensors."""
    tensors = state_dict(source)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(target))) as folder:
        made = os.path.join(folder, "model.safetensors")
        save_file(tensors, made, {"format": "pt"})
        os.chmod(made, 0o644)
        os.replace(made, target)
    return len(tensors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", help="a .pt, .pth or .bin file")
    parser.add_argument("target", help="the .safetensors file to write")
    args = parser.parse_args()
    print(f"{args.target}: {convert(args.source, args.target)} tensors")
