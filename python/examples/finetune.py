"""Fine-tunes a model of open_clip on capgraph's texts, in one process or under torchrun, and evaluates it before and after.

    python finetune.py --texts coco/texts --images coco/train2017 --model ViT-B-32 --pretrained openai --objective mosaiclip --out out
    torchrun --nproc-per-node 8 finetune.py …

It writes into the folder --out: log.jsonl, with a line for each step; checkpoint.pt, from which the same command resumes;
model.safetensors and, with WiSE-FT, wise.safetensors; and results.json. Batches equal those of capgraph train with the same seed,
texts and batch. It needs open_clip_torch besides capgraph_torch."""
import argparse
import json
import math
import os
import time
from pathlib import Path

import open_clip
import torch
import torch.distributed as dist
from PIL import Image
from safetensors.torch import save_file
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

import capgraph_torch as cg

CLASSES = {"clip": (), "negclip": cg.NEGCLIP, "ceclip": cg.CECLIP, "mosaiclip": None}  # what is drawn of a row for each objective


def arguments(args=None):
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--texts", required=True, help="the folder texts/ of a run")
    p.add_argument("--images", required=True, help="the folder that its column image is relative to")
    p.add_argument("--model", default="ViT-B-32", help="a model of open_clip, or the JSON file of one")
    p.add_argument("--pretrained", help="weights: a tag of open_clip, or a file; without it training begins anew")
    p.add_argument("--objective", choices=CLASSES, default="mosaiclip")
    p.add_argument("--out", required=True, help="the folder to write to; a training that was stopped there goes on")
    p.add_argument("--batch", type=int, default=256, help="images of a step, over all processes together")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--stage1", type=int, default=0, help="mosaiclip: epochs of the first stage, of one positive and one negative an image")
    p.add_argument("--compete", choices=("together", "apart"), default="together", help="mosaiclip: how the positives of an image compete")
    p.add_argument("--lr", type=float, default=1e-5)
    p.add_argument("--warmup", type=int, default=50, help="steps in which the learning rate rises")
    p.add_argument("--wise", type=float, default=0.5, help="share of the trained vision weights in those of WiSE-FT")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--save-every", type=int, default=1000, help="steps between two checkpoints")
    p.add_argument("--workers", type=int, default=8, help="processes that load images, for each of the training's")
    p.add_argument("--amp", action="store_true", help="bfloat16 in the towers")
    p.add_argument("--pairs", help='pairs to evaluate on, in SugarCrepe\'s form: {id: {"filename", "caption", "negative_caption"}}')
    p.add_argument("--retrieval", help='captions to evaluate on, in Karpathy\'s form: [{"image", "caption": [text, …]}]')
    p.add_argument("--eval-images", help="the folder of the images of both")
    return p.parse_args(args)


class Training:
    """The state of a training: what a step needs, and what a checkpoint keeps."""

    def __init__(self, args):
        self.args = args
        self.rank, self.world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        cuda = torch.cuda.is_available()
        self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
        if self.world > 1:
            dist.init_process_group("nccl" if cuda else "gloo")
        torch.manual_seed(args.seed)
        if args.model.endswith(".json"):
            open_clip.add_model_config(args.model)
        name = Path(args.model).stem
        self.model = open_clip.create_model(name, pretrained=args.pretrained, device=self.device)
        self.tokenize = open_clip.get_tokenizer(name)
        self.before = {k: v.clone() for k, v in self.model.state_dict().items()}
        side = open_clip.get_model_preprocess_cfg(self.model)["size"]
        self.side = side if isinstance(side, int) else side[0]
        self.model.train()

        self.texts = cg.Texts(args.texts, by="image_key", seed=args.seed, classes=CLASSES[args.objective], cache=os.path.join(args.out, "cache"))
        self.data = cg.Folder(args.images, self.texts, read_image, cg.Crop(self.side))
        self.order = cg.Order(self.data, args.batch, self.rank, self.world, absent=self.absent())
        self.loader = DataLoader(self.data, batch_sampler=self.order, num_workers=args.workers, collate_fn=cg.collate,
                                 pin_memory=cuda, persistent_workers=args.workers > 0)
        self.steps = args.epochs * len(self.order)

        self.ceclip = cg.CEClip().to(self.device)
        self.optimizer = torch.optim.AdamW(groups(self.model), lr=args.lr, betas=(0.9, 0.98), eps=1e-6)
        self.step, self.missing = 0, {}
        self.resume()
        self.parallel = DistributedDataParallel(self.model, device_ids=[self.device] if cuda else None) if self.world > 1 else self.model

    def rate(self):
        """open_clip's: a linear rise, then a cosine down to 0."""
        args, step = self.args, self.step
        if step < args.warmup:
            return args.lr * (step + 1) / args.warmup
        return args.lr * (1 + math.cos(math.pi * (step - args.warmup) / (self.steps - args.warmup))) / 2

    def loss(self, batch):
        """The loss of the batches of all ranks."""
        batch = {k: v.to(self.device, non_blocking=True) if isinstance(v, torch.Tensor) else v for k, v in batch.items()}
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.args.amp):
            image, text, scale = self.parallel(normalized(batch["images"]), self.tokenize(batch["texts"]).to(self.device))
        image, text, batch = cg.gather(image.float(), text.float(), batch)
        if self.args.objective == "clip":
            return cg.clip(image, text, scale)
        if self.args.objective == "negclip":
            return cg.negclip(image, text, scale)
        if self.args.objective == "ceclip":
            return self.ceclip(image, text, scale, batch["of"], batch["kind"])
        return cg.mosaiclip(image, text, scale, batch["true"], batch["m"], self.args.compete)

    def run(self):
        """Trains to the end."""
        for epoch in range(self.step // len(self.order), self.args.epochs):
            self.texts.set_epoch(epoch, stage=1 if epoch < self.args.stage1 else 2)
            self.order.start = self.step - epoch * len(self.order)
            for batch in self.loader:
                self.train(batch)
                if self.step % self.args.save_every == 0 or self.step == self.steps:
                    self.save()
            if self.missing:
                key, why = next(iter(self.missing.items()))
                print(f"rank {self.rank}, epoch {epoch}: {len(self.missing)} images are missing or broken; of {key}: {why}", flush=True)

    def train(self, batch):
        """One step."""
        began = time.time()
        self.missing |= batch["missing"]
        loss, rate = self.loss(batch), self.rate()
        loss.backward()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad()
        with torch.no_grad():
            self.model.logit_scale.clamp_(0, math.log(100))
        self.step += 1
        if self.rank == 0:
            said = {"step": self.step, "loss": loss.item(), "lr": rate, "seconds": round(time.time() - began, 3)}
            with open(os.path.join(self.args.out, "log.jsonl"), "a") as log:
                log.write(json.dumps(said) + "\n")
            if self.step % 10 == 1 or self.step == self.steps:
                print(f"step {self.step} of {self.steps}: loss {said['loss']:.4f}", flush=True)

    def save(self):
        """Writes a checkpoint atomically."""
        if self.rank == 0:
            path = os.path.join(self.args.out, "checkpoint.pt")
            torch.save({"step": self.step, "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                        "ceclip": self.ceclip.state_dict(), "before": self.before, "missing": self.missing, "absent": self.order.absent}, path + ".tmp")
            os.replace(path + ".tmp", path)

    def absent(self):
        """Returns the images that the last checkpoint passes over, None without one."""
        path = os.path.join(self.args.out, "checkpoint.pt")
        return torch.load(path, mmap=True, weights_only=True)["absent"] if os.path.exists(path) else None

    def resume(self):
        """Loads the last checkpoint, if there is one, and truncates the log there."""
        path, log = os.path.join(self.args.out, "checkpoint.pt"), Path(self.args.out, "log.jsonl")
        if os.path.exists(path):
            state = torch.load(path, map_location=self.device, weights_only=True)
            for part in ("model", "optimizer", "ceclip"):
                getattr(self, part).load_state_dict(state[part])
            self.step, self.before, self.missing = state["step"], state["before"], state["missing"]
        if self.rank == 0:
            lines = log.read_text().splitlines(True) if log.exists() else []
            log.write_text("".join(lines[:self.step]))

    def wise(self):
        """Interpolates the vision tower between the initial and the trained weights (WiSE-FT)."""
        now = self.model.state_dict()
        between = {k: self.before[k].lerp(v, self.args.wise) for k, v in now.items() if k.startswith("visual.") and v.is_floating_point()}
        return now | between


def groups(model):
    """open_clip's: gains, biases and the logit scale do not decay."""
    spared = lambda name, p: p.ndim < 2 or "bn" in name or "ln" in name or "bias" in name or "logit_scale" in name
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    return [{"params": [p for n, p in named if spared(n, p)], "weight_decay": 0.0},
            {"params": [p for n, p in named if not spared(n, p)], "weight_decay": 0.1}]


def read_image(path):
    with Image.open(path) as image:
        return image.convert("RGB")


def normalized(images):
    """Returns bytes, normalised for CLIP's towers."""
    mean, std = (torch.tensor(x, device=images.device).view(3, 1, 1) for x in (open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD))
    return (images / 255 - mean) / std


class Evaluation:
    """Evaluates a model, in percent: pairs in which the true caption scores above the false one, and retrieval among all."""

    def __init__(self, training):
        args = training.args
        self.model, self.tokenize, self.device, self.folder = training.model, training.tokenize, training.device, args.eval_images
        self.preprocess = open_clip.image_transform(training.side, is_train=False)
        self.pairs = list(json.loads(Path(args.pairs).read_text()).values()) if args.pairs else []
        self.retrieval = json.loads(Path(args.retrieval).read_text()) if args.retrieval else []

    @torch.no_grad()
    def features(self, items, prepare, encode):
        parts = [encode(torch.stack([prepare(x) for x in items[i:i + 64]]).to(self.device)) for i in range(0, len(items), 64)]
        return torch.nn.functional.normalize(torch.cat(parts).float(), dim=-1)

    def images(self, names):
        return self.features(names, lambda name: self.preprocess(read_image(os.path.join(self.folder, name))), self.model.encode_image)

    def texts(self, texts):
        return self.features(texts, lambda text: self.tokenize([text])[0], self.model.encode_text)

    def run(self):
        self.model.eval()
        said = {}
        if self.pairs:
            image = self.images([p["filename"] for p in self.pairs])
            true, false = ((image * self.texts([p[of] for p in self.pairs])).sum(1) for of in ("caption", "negative_caption"))
            said["pairs"] = percent(true > false)  # a tie is wrong
        if self.retrieval:
            of = torch.tensor([i for i, x in enumerate(self.retrieval) for _ in x["caption"]], device=self.device)
            image, text = self.images([x["image"] for x in self.retrieval]), self.texts([t for x in self.retrieval for t in x["caption"]])
            said["image to text R@1"] = percent(of[nearest(image, text)] == torch.arange(len(image), device=self.device))
            said["text to image R@1"] = percent(nearest(text, image) == of)
        return said


def percent(right):
    return right.float().mean().item() * 100


def nearest(a, b):
    """The row of b most similar to each of a."""
    return torch.cat([(part @ b.T).argmax(1) for part in a.split(1024)])


def main(args):
    os.makedirs(args.out, exist_ok=True)
    training = Training(args)
    training.run()
    if training.rank == 0:
        weights = {"before": training.before, "after": training.model.state_dict(), "wise": training.wise()}
        weights = {name: {k: v.detach().clone().contiguous() for k, v in state.items()} for name, state in weights.items()}
        save_file(weights["after"], os.path.join(args.out, "model.safetensors"), {"format": "pt"})
        save_file(weights["wise"], os.path.join(args.out, "wise.safetensors"), {"format": "pt"})
        evaluation, results = Evaluation(training), {}
        for name, state in weights.items():
            training.model.load_state_dict(state)
            results[name] = evaluation.run()
            print(f"{name:7}", "  ".join(f"{k} {v:.1f}" for k, v in results[name].items()), flush=True)
        Path(args.out, "results.json").write_text(json.dumps(results, indent=1) + "\n")
    if training.world > 1:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main(arguments())
