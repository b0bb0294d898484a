"""Golden values of image towers that are no vision transformer of CLIP's, tiny ones: towers_tiny.json, made by PyTorch on the CPU in float64.

    python testing/golden/testdata/towers_tiny.py          writes it beside this file
    python testing/golden/testdata/towers_tiny.py --check  makes it again and compares

It needs what golden.py needs, transformers and timm. Weights are the formula's (towers.py), under the names that capgraph gives them.

towers_tiny.json: by the name of a tower
  model     its configuration as capgraph has it, with the text tower of golden.py's tiny model
  features  of the images of golden.py's batch "captions", before normalisation
  patches   features of the patches of the first of these, where a tower has them
  loss      of the objective clip on that batch
  gradients a sketch of that of every parameter
  graphs    occlip.py's case "graphs", as occlip.json has it, where a binding can read the tower's patches"""
import json
import sys

import golden
import occlip
import open_clip
import timm
import torch
import towers
from timm.data import IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD
from torch import nn
from transformers import Dinov2Config, Dinov2Model


class DINOv2(nn.Module):
    """Hugging Face's Dinov2Model, and a linear layer behind its class token."""

    def __init__(self, embed_dim, size):
        super().__init__()
        self.model = Dinov2Model(Dinov2Config(
            hidden_size=size["width"], num_hidden_layers=size["layers"], num_attention_heads=size["width"] // size["head_width"],
            mlp_ratio=size["mlp_ratio"], image_size=size["image_size"], patch_size=size["patch_size"], use_mask_token=False),)
        self.model.set_attn_implementation("sdpa")  # the other computes softmax in float32
        self.proj = nn.Linear(size["width"], embed_dim, bias=False)

    def forward(self, images):
        x = self.model(images).last_hidden_state
        return self.proj(x[:, 0]), x[:, 1:]

    def patches(self, images):
        return self.proj(self(images)[1])

    def named(self):
        """The name of each parameter in capgraph, and the parameters whose rows it has."""
        parts = {}
        for name, p in self.model.named_parameters():
            for old, new in (("embeddings.cls_token", "cls_token"), ("embeddings.position_embeddings", "pos_embed"),
                             ("embeddings.patch_embeddings.projection", "patch_embed.proj"), ("encoder.layer", "blocks"),
                             ("attention.attention.query", "attn.qkv"), ("attention.attention.key", "attn.qkv"),
                             ("attention.attention.value", "attn.qkv"), ("attention.output.dense", "attn.proj"),
                             ("layer_scale1.lambda1", "ls1.gamma"), ("layer_scale2.lambda1", "ls2.gamma"), ("layernorm.", "norm.")):
                name = name.replace(old, new)
            parts.setdefault("visual.trunk." + name, []).append(p)
        return parts | {"visual.head.proj.weight": [self.proj.weight]}


class Swin(nn.Module):
    """timm's Swin transformer, and a linear layer behind the mean of its places."""

    def __init__(self, embed_dim, size):
        super().__init__()
        widths = [size["width"] << i for i in range(4)]
        self.trunk = timm.create_model(
            size["timm_model_name"], num_classes=0, img_size=size["image_size"], patch_size=size["patch_size"], embed_dim=size["width"],
            depths=size["layers"], num_heads=[w // size["head_width"] for w in widths], mlp_ratio=size["mlp_ratio"],
            window_size=size["image_size"] // size["patch_size"] // 8)  # the side of the last stage, as 7 is of 224 pixels
        self.proj = nn.Linear(widths[-1], embed_dim, bias=False)

    def forward(self, images):
        return self.proj(self.trunk(images)), None

    def named(self):
        return {"visual.trunk." + name: [p] for name, p in self.trunk.named_parameters()} | {"visual.head.proj.weight": [self.proj.weight]}


class SigLIP(nn.Module):
    """timm's vision transformer of SigLIP, pooled by attention."""

    def __init__(self, size):
        super().__init__()
        self.trunk = timm.create_model(
            size["timm_model_name"], num_classes=0, img_size=size["image_size"], patch_size=size["patch_size"], embed_dim=size["width"],
            depth=size["layers"], num_heads=size["width"] // size["head_width"], mlp_ratio=size["mlp_ratio"])

    def forward(self, images):
        return self.trunk(images), None

    def patches(self, images):
        """Of each patch, what pooling makes of an attention to it alone."""
        pool = self.trunk.attn_pool
        x = pool.proj(pool.kv(self.trunk.forward_features(images)).chunk(2, -1)[1])
        return x + pool.mlp(pool.norm(x))

    def named(self):
        return {"visual.trunk." + name: [p] for name, p in self.trunk.named_parameters()}


class Dual(nn.Module):
    """An image tower with the text tower of golden.py's tiny model."""

    def __init__(self, image, mean, std):
        super().__init__()
        self.image, self.mean, self.std = image, mean, std
        self.text = open_clip.model.CLIP(**golden.MODEL)
        del self.text.visual

    def encode_image(self, images):
        return self.image(self.preprocess(images))

    def preprocess(self, images):
        mean, std = (torch.tensor(x, dtype=torch.float64)[:, None, None] for x in (self.mean, self.std))
        return (images * STD + MEAN - mean) / std  # golden.preprocess took CLIP's

    def encode_text(self, ids):
        return self.text.encode_text(ids)

    def named(self):
        return self.image.named() | {name: [p] for name, p in self.text.named_parameters()}


MEAN, STD = (torch.tensor(x, dtype=torch.float64)[:, None, None] for x in (open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD))


def filled(model):
    for name, parts in model.named().items():
        whole = towers.formula(name, (sum(p.shape[0] for p in parts), *parts[0].shape[1:]) if parts[0].ndim else ())
        for p, x in zip(parts, whole.split([p.shape[0] for p in parts]) if parts[0].ndim else [whole]):
            p.data = x.clone()
    return model.double().eval()


def gradients(model):
    return {name: golden.sketch(name, torch.cat([p.grad if p.ndim else p.grad[None] for p in parts])) for name, parts in model.named().items()
            if parts[0].grad is not None}


class Binding(occlip.Binding):
    def named(self):
        return {"binding." + name: [p] for name, p in self.named_parameters()}


def run(model, vision, binding):
    batch, n = golden.BATCHES["captions"], len(golden.BATCHES["captions"]["images"])
    image, _ = model.encode_image(golden.preprocess(batch["images"]))
    text = model.encode_text(golden.pad(batch["texts"]))
    loss = golden.clip(image, text, model.text.logit_scale.exp(), batch, None)["loss"]
    loss.backward()
    made = {"model": {"model_cfg": golden.MODEL | {"vision_cfg": vision}}, "features": image.tolist(), "loss": loss.item(), "gradients": gradients(model)}
    if hasattr(model.image, "patches"):
        made["patches"] = model.image.patches(model.preprocess(golden.preprocess(batch["images"][:1])))[0].tolist()
    if binding:
        model.zero_grad()
        made["model"]["binding_cfg"] = occlip.BINDING
        case = next(c for c in occlip.cases() if c["name"] == "graphs")
        made["graphs"] = occlip.run(case, model, binding, lambda: gradients(model) | gradients(binding))
    return made


def dinov2():
    vision = {"timm_model_name": "vit_base_patch14_dinov2", "timm_pool": "token", "timm_proj": "linear", "image_size": 32, "layers": 2, "width": 32,
              "head_width": 16, "patch_size": 8, "mlp_ratio": 3}
    model = Dual(DINOv2(golden.MODEL["embed_dim"], vision), IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD)
    return run(filled(model), vision, filled(Binding()))


def swin():
    vision = {"timm_model_name": "swin_tiny_patch4_window7_224", "timm_pool": "avg", "timm_proj": "linear", "image_size": 32, "layers": [2, 2, 3, 1], "width": 8,
              "head_width": 4, "patch_size": 1, "mlp_ratio": 3}
    return run(filled(Dual(Swin(golden.MODEL["embed_dim"], vision), IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD)), vision, None)


def siglip():
    vision = {"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map", "timm_proj": "none", "image_size": 32, "layers": 2,
              "width": golden.MODEL["embed_dim"], "head_width": 8, "patch_size": 8, "mlp_ratio": 4}
    return run(filled(Dual(SigLIP(vision), (0.5,) * 3, (0.5,) * 3)), vision, None)


def made():
    return {"dinov2": dinov2(), "swin": swin(), "siglip": siglip()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    file = golden.HERE / "towers_tiny.json"
    if "--check" in sys.argv:
        wrong = golden.differ(json.loads(file.read_text()), json.loads(json.dumps(made())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    golden.write(file, made())
