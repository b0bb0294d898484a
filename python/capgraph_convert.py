"""Convert a PyTorch checkpoint to a safetensors file, which capgraph reads. This script needs only torch and safetensors.

    python capgraph_convert.py ViT-B-32.pt model.safetensors

It reads OpenAI's archives, state dicts (open_clip's, Hugging Face's CLIPModel), and checkpoints of trainings. It removes the
prefixes of PyTorch's wrappers, "module." and "_orig_mod.". With --ema it takes the averaged weights that a checkpoint has
beside the others. Tensors keep their names and precision; everything else is left out. Files with other pickled objects than
tensors are refused, since unpickling runs their code."""
import argparse
import os
import tempfile
import warnings

import torch
from safetensors.torch import save_file

WEIGHTS = ("state_dict", "model")  # the keys under which checkpoints have weights, and averaged ones
AVERAGED = ("state_dict_ema", "ema_state_dict", "model_ema", "ema")
PREFIXES = ("module.", "_orig_mod.")  # of DistributedDataParallel and torch.compile
SIZES = ("input_resolution", "context_length", "vocab_size")  # of OpenAI's archives


def unwrap(loaded, path, ema):
    """Returns the dictionary of tensors in what a file has."""
    if not isinstance(loaded, dict):
        return {}
    averaged = [key for key in AVERAGED if isinstance(loaded.get(key), dict)]
    if ema:
        if not averaged:
            raise SystemExit(f"{path} has no averaged weights ({', '.join(AVERAGED)}): convert it without --ema")
        loaded = loaded[averaged[0]]
    elif averaged:
        print(f"{path} also has averaged weights, {averaged[0]}: --ema converts those")
    for key in WEIGHTS:
        if isinstance(loaded.get(key), dict):
            loaded = loaded[key]
    return loaded


def state_dict(path, ema=False):
    """Returns the tensors of a checkpoint by name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch.jit is said to be deprecated; OpenAI's files are what they are
            loaded = dict(torch.jit.load(path, map_location="cpu").state_dict())
    except RuntimeError:  # no archive
        loaded = torch.load(path, map_location="cpu", weights_only=True)
    tensors = {k: v for k, v in unwrap(loaded, path, ema).items() if isinstance(v, torch.Tensor) and k not in SIZES}
    if not tensors:
        raise SystemExit(f"{path} has no tensors by name: give a state dict, or an archive of OpenAI's")
    tensors.pop("n_averaged", None)  # the count of torch.optim.swa_utils.AveragedModel
    while prefix := next((p for p in PREFIXES if all(k.startswith(p) for k in tensors)), None):
        tensors = {k.removeprefix(prefix): v for k, v in tensors.items()}
    return {k: v.detach().clone(memory_format=torch.contiguous_format) for k, v in tensors.items()}


def convert(source, target, ema=False):
    """Writes target atomically; returns the number of tensors."""
    tensors = state_dict(source, ema)
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
    parser.add_argument("--ema", action="store_true", help="convert the averaged weights of a checkpoint that has both")
    args = parser.parse_args()
    print(f"{args.target}: {convert(args.source, args.target, args.ema)} tensors")
