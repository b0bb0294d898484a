"""Golden values of a tiny ResNet as image tower: resnet.json, made by PyTorch and open_clip on the CPU in float64.

    python testing/golden/testdata/resnet.py          writes it beside this file
    python testing/golden/testdata/resnet.py --check  makes it again and compares

Weights and running averages are those of towers.py's formula.

resnet.json: model, open_clip's configuration; tensors, the shapes of parameters and running averages by name; tokens, a text of each
image, the images being uint8 [5, 64, 64, 3] of the formula's bytes "pixels".
  features    of the images by running averages, before normalisation
  cases       CLIP's loss of all images, that are encoded in chunks, each normalised by its own moments: chunks, their images; image, the
              features; loss; a sketch of the gradient of every parameter, and of every running average afterwards, each chunk having
              moved it once
  training    golden.py's ten AdamW steps on the batch as one chunk: loss and gradient norm of each, a sketch of every tensor after the last,
              and the features by the running averages then"""
import json
import sys

import golden
import open_clip
import torch
import torch.nn.functional as F
import towers
from open_clip.loss import ClipLoss

MODEL = {"embed_dim": 16,
         "vision_cfg": {"image_size": 64, "layers": [1, 2, 1, 1], "width": 8, "head_width": 32},
         "text_cfg": {"context_length": 12, "vocab_size": 64, "width": 24, "heads": 2, "layers": 2}}
IMAGES = 5


def tiny():
    return towers.filled(open_clip.model.CLIP(**MODEL))


def images():
    return golden.preprocess(towers.pixels(MODEL["vision_cfg"]["image_size"], IMAGES))


def texts():
    return [[golden.START, *range(i + 1, 2 * i + 3), golden.END] for i in range(IMAGES)]


def averages(model):
    return {n: golden.sketch(n, x) for n, x in model.state_dict().items() if "running_" in n}


def run(model, chunks):
    """CLIP's loss, and the images' features."""
    image = torch.cat([model.encode_image(x) for x in images().split(chunks)])
    ids = golden.pad(texts())
    return {"loss": ClipLoss()(F.normalize(image, dim=-1), F.normalize(model.encode_text(ids), dim=-1), model.logit_scale.exp())}, image


def case(chunks):
    model = tiny().train()
    losses, image = run(model, chunks)
    losses["loss"].backward()
    return {"chunks": chunks, "loss": losses["loss"].item(), "image": image.tolist(),
            "gradients": {n: golden.sketch(n, p.grad) for n, p in model.named_parameters()}, "averages": averages(model)}


def training(stepped=lambda model: None):
    model = tiny().train()
    opt, rows = golden.optimiser(model), []
    for t in range(golden.STEPS):
        losses, _ = run(model, [IMAGES])
        rows.append((losses["loss"].item(), golden.step(model, opt, golden.rate(t), losses)))
        stepped(model)
    with torch.no_grad():
        features = model.eval().encode_image(images()).tolist()
    return {"losses": [r[0] for r in rows], "norms": [r[1] for r in rows], "features": features,
            "tensors": {n: golden.sketch(n, x) for n, x in towers.tensors(model)}}


def made():
    with torch.no_grad():
        features = tiny().encode_image(images()).tolist()
    return {"model": MODEL, "tensors": {n: list(x.shape) for n, x in towers.tensors(tiny())}, "tokens": texts(), "features": features,
            "cases": [case([5]), case([3, 2])], "training": training()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    file = golden.HERE / "resnet.json"
    if "--check" in sys.argv:
        wrong = golden.differ(json.loads(file.read_text()), json.loads(json.dumps(made())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    golden.write(file, made())
