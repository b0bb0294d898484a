"""Weights in the forms that others write, through capgraph's reader and writer, into open_clip: the features must not change."""
import json
import subprocess
import sys
from pathlib import Path

import open_clip
import pytest
import timm
import torch
import transformers
from PIL import Image
from safetensors.torch import load_file, save_file

import capgraph_convert

ROOT = Path(__file__).parents[2]
MODEL = {"embed_dim": 16,
         "vision_cfg": {"image_size": 32, "layers": 2, "width": 32, "head_width": 16, "patch_size": 8},
         "text_cfg": {"context_length": 12, "vocab_size": 64, "width": 24, "heads": 2, "layers": 2}}
IMAGES = torch.rand(5, 3, 32, 32, generator=torch.Generator().manual_seed(1))
TEXTS = torch.tensor([[62, 5, 9, 63] + [0] * 8, [62] + [7] * 10 + [63], [62, 63] + [0] * 10])


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """Runs MODEL WEIGHTS DIR."""
    binary = tmp_path_factory.mktemp("bin") / "export"
    subprocess.run(["go", "build", "-o", binary, "./train/checkpoint/testdata/export"], cwd=ROOT, check=True)

    def run(config, weights, folder):
        file = config if isinstance(config, Path) else folder.with_suffix(".json")
        if file is not config:
            file.write_text(json.dumps(config))
        done = subprocess.run([binary, file, weights, folder], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return run


def tiny(seed=3, **extra):
    torch.manual_seed(seed)
    return open_clip.model.CLIP(**MODEL, **extra).eval()


@torch.no_grad()
def features(model, images=IMAGES, texts=TEXTS):
    return model.encode_image(images), model.encode_text(texts)


def same(got, want):
    for a, b in zip(got, want):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("quick_gelu", [False, True])
def test_open_clip_reads_an_export(export, tmp_path, quick_gelu):
    model = tiny(quick_gelu=quick_gelu)
    torch.save(model.state_dict(), tmp_path / "model.pt")
    capgraph_convert.convert(tmp_path / "model.pt", tmp_path / "model.safetensors")
    export(MODEL | {"quick_gelu": quick_gelu}, tmp_path / "model.safetensors", tmp_path / "out")
    again = open_clip.create_model(f"local-dir:{tmp_path / 'out'}").eval()
    assert type(again.visual.transformer.resblocks[0].mlp.gelu).__name__ == ("QuickGELU" if quick_gelu else "GELU")
    same(features(again), features(model))
    _, _, preprocess = open_clip.create_model_and_transforms(f"local-dir:{tmp_path / 'out'}")
    assert tuple(preprocess.transforms[-1].mean) == open_clip.OPENAI_DATASET_MEAN
    weights = load_file(tmp_path / "out/open_clip_model.safetensors")
    assert {k: v.shape for k, v in weights.items()} == {k: v.shape for k, v in model.state_dict().items()}


def test_the_custom_text_tower(export, tmp_path):
    model = open_clip.model.CustomTextCLIP(**MODEL).eval()
    save_file({k: v.contiguous() for k, v in model.state_dict().items()}, tmp_path / "model.safetensors")
    export(MODEL, tmp_path / "model.safetensors", tmp_path / "out")
    same(features(open_clip.create_model(f"local-dir:{tmp_path / 'out'}").eval()), features(model))


def test_hugging_face(export, tmp_path):
    torch.manual_seed(4)
    config = transformers.CLIPConfig(
        projection_dim=16,
        text_config={"hidden_size": 24, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 64,
                     "max_position_embeddings": 12, "eos_token_id": 63, "hidden_act": "quick_gelu"},
        vision_config={"hidden_size": 32, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 32,
                       "patch_size": 8, "hidden_act": "quick_gelu"})
    model = transformers.CLIPModel(config).eval()
    with torch.no_grad():
        for p in model.parameters():
            p += 0.05 * torch.randn_like(p)
    model.save_pretrained(tmp_path / "hf")
    export(tmp_path / "hf", tmp_path / "hf", tmp_path / "out")
    with torch.no_grad():
        want = model.get_image_features(IMAGES), model.get_text_features(TEXTS)
    again = open_clip.create_model(f"local-dir:{tmp_path / 'out'}").eval()
    same(features(again), want)
    assert again.logit_scale.item() == model.logit_scale.item()


def test_positions_of_another_size(export, tmp_path):
    """As open_clip itself resizes them."""
    torch.save(tiny().state_dict(), tmp_path / "model.pt")
    capgraph_convert.convert(tmp_path / "model.pt", tmp_path / "model.safetensors")
    larger = {"embed_dim": 16, "vision_cfg": MODEL["vision_cfg"] | {"image_size": 56}, "text_cfg": MODEL["text_cfg"] | {"context_length": 20}}
    export(larger, tmp_path / "model.safetensors", tmp_path / "out")
    model = open_clip.model.CLIP(**larger).eval()
    open_clip.load_checkpoint(model, str(tmp_path / "model.safetensors"))
    images, texts = torch.rand(2, 3, 56, 56), torch.nn.functional.pad(TEXTS, (0, 8))
    same(features(open_clip.create_model(f"local-dir:{tmp_path / 'out'}").eval(), images, texts), features(model, images, texts))


def convert(*args):
    return subprocess.run([sys.executable, ROOT / "python/capgraph_convert.py", *args], capture_output=True, text=True)


def test_averaged_weights(tmp_path, capsys):
    """--ema takes them, under any of their names; without it the others are taken, and a line says that there are averaged ones."""
    state, source, target = tiny().state_dict(), tmp_path / "epoch_9.pt", tmp_path / "out.safetensors"
    averaged = {f"module.{k}": v * 2 for k, v in state.items()} | {"n_averaged": torch.tensor(5)}

    def check(factor):
        got = load_file(target)
        assert got.keys() == state.keys() and all(torch.equal(got[k], factor * v) for k, v in state.items())

    for key in ("state_dict_ema", "ema_state_dict", "model_ema", "ema"):
        torch.save({"state_dict": state, key: averaged}, source)
        for ema in (False, True):
            capgraph_convert.convert(source, target, ema=ema)
            assert ("--ema" in capsys.readouterr().out) != ema
            check(1 + ema)
    for args, factor in (([], 1), (["--ema"], 2)):
        done = convert(source, target, *args)
        assert done.returncode == 0 and ("--ema" in done.stdout) == (factor == 1), done
        check(factor)
    torch.save(state, source)
    done = convert(source, target, "--ema")
    assert done.returncode == 1 and "has no averaged weights" in done.stderr


@pytest.mark.parametrize("bias", [None, -10])
def test_wrappers_and_the_bias_of_siglip(export, tmp_path, bias):
    """Compiled and parallel models lose their prefixes, in any order. A logit_bias is kept by a model that has one, and by no other."""
    model = tiny(init_logit_bias=-7.0)
    for prefix in ("_orig_mod.", "module._orig_mod.", "_orig_mod.module."):
        torch.save({f"{prefix}{k}": v for k, v in model.state_dict().items()}, tmp_path / "siglip.pt")
        capgraph_convert.convert(tmp_path / "siglip.pt", tmp_path / "out.safetensors")
        assert load_file(tmp_path / "out.safetensors").keys() == model.state_dict().keys()
    export(MODEL | {"init_logit_bias": bias}, tmp_path / "out.safetensors", tmp_path / "out")
    again = open_clip.create_model(f"local-dir:{tmp_path / 'out'}").eval()
    same(features(again), features(model))
    assert again.logit_bias is None if bias is None else again.logit_bias.item() == -7


@torch.no_grad()
def test_siglip(export, tmp_path, monkeypatch):
    """A model of SigLIP's form, with small layers: open_clip reads the export, and so does capgraph; pixels are preprocessed as before."""
    size = {"layers": 2, "width": 64, "head_width": 16, "patch_size": 8, "mlp_ratio": 2}
    vision = {"timm_model_name": "vit_base_patch16_siglip_224", "timm_pool": "map", "timm_proj": "none", "image_size": 32}
    text = {"context_length": 12, "vocab_size": 64, "width": 64, "heads": 4, "layers": 2, "no_causal_mask": True, "pool_type": "last", "proj_bias": True,
            "norm_kwargs": {"eps": 1e-6}, "hf_tokenizer_name": "timm/ViT-B-16-SigLIP", "tokenizer_kwargs": {"clean": "canonicalize"}}
    config = {"embed_dim": 64, "init_logit_bias": -10, "vision_cfg": vision, "text_cfg": text}
    create = timm.create_model
    monkeypatch.setattr(timm, "create_model", lambda name, **kwargs: create(
        name, **kwargs, img_size=32, patch_size=8, embed_dim=64, depth=2, num_heads=4, mlp_ratio=2))
    torch.manual_seed(5)
    model = open_clip.model.CustomTextCLIP(**config).eval()
    for p in model.parameters():
        p += 0.05 * torch.randn_like(p)
    torch.save(model.state_dict(), tmp_path / "siglip.pt")
    capgraph_convert.convert(tmp_path / "siglip.pt", tmp_path / "siglip.safetensors")
    export(config | {"vision_cfg": vision | size}, tmp_path / "siglip.safetensors", tmp_path / "out")
    texts = torch.tensor([[9, 5, 7] + [1] * 9, [11] * 11 + [1]])
    again, _, preprocess = open_clip.create_model_and_transforms(f"local-dir:{tmp_path / 'out'}")
    same(features(again.eval(), texts=texts), features(model, texts=texts))
    assert again.logit_bias.item() == model.logit_bias.item() and tuple(preprocess.transforms[-1].mean) == (0.5, 0.5, 0.5)
    assert preprocess(Image.new("RGB", (60, 20))).shape == (3, 32, 32) and preprocess.transforms[0].size == (32, 32)
    export(tmp_path / "out", tmp_path / "out", tmp_path / "again")
    for file in ("open_clip_config.json", "open_clip_model.safetensors"):
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "out" / file).read_bytes()


def test_converting(tmp_path):
    state = tiny().state_dict()
    # OpenAI's are archives of half precision, with their sizes among the tensors.
    archive = torch.nn.Module()
    archive.inner = torch.nn.Linear(3, 2).half()
    archive.register_buffer("vocab_size", torch.tensor(64))
    torch.jit.script(archive).save(str(tmp_path / "archive.pt"))
    torch.save({"epoch": 3, "state_dict": {f"module.{k}": v for k, v in state.items()}, "optimizer": {"step": 1}}, tmp_path / "epoch_3.pt")
    torch.save(state, tmp_path / "pytorch_model.bin")
    for name, want in (("archive.pt", archive.inner.state_dict(prefix="inner.")), ("epoch_3.pt", state), ("pytorch_model.bin", state)):
        done = subprocess.run([sys.executable, ROOT / "python/capgraph_convert.py", tmp_path / name, tmp_path / "out.safetensors"], capture_output=True, text=True, check=True)
        got = load_file(tmp_path / "out.safetensors")
        assert f"{len(want)} tensors" in done.stdout and got.keys() == want.keys()
        assert all(torch.equal(got[k], v) and got[k].dtype == v.dtype for k, v in want.items())
    torch.save({"epoch": 3}, tmp_path / "empty.pt")
    with pytest.raises(SystemExit, match="no tensors"):
        capgraph_convert.convert(tmp_path / "empty.pt", tmp_path / "none.safetensors")
    torch.save({"a": tmp_path}, tmp_path / "object.pt")  # a pickled object: to read it is to run it
    with pytest.raises(Exception, match="(?i)weights.only"):
        capgraph_convert.convert(tmp_path / "object.pt", tmp_path / "none.safetensors")
    assert not (tmp_path / "none.safetensors").exists()
