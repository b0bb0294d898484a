"""Golden values of the trainer: tiny.safetensors and golden.json, made by PyTorch and open_clip on the CPU in float64.

    python testing/golden/testdata/golden.py          writes both beside this file
    python testing/golden/testdata/golden.py --check  makes them again and compares

It needs torch, open_clip_torch and safetensors. Package golden reads the files; their form is this.

tiny.safetensors: the weights of a tiny model under open_clip's names, float32 numbers, so that any precision begins alike.

golden.json:
  model       open_clip's configuration of it, without quick_gelu, which a case sets
  weights     a sketch of every parameter of tiny.safetensors
  batches     by name: images, base64 of uint8 [n, 32, 32, 3]; tokens, those of all texts one after another, without padding,
              and lengths, of each text: m positives, then the r negatives. true, base64 of bytes 0 and 1 [n, m + r], as collate
              of capgraph_torch has it; of and kind [r], a negative's positive and class; sibling_tokens and
              sibling_lengths, another caption of each image
  features    of a batch and an activation, before normalisation: image [n, 16], text [m + r, 16]
  cases       an objective on a batch, from the weights of the file: loss, its terms, what became of the thresholds, and
              a sketch of the gradient of every parameter
  training    ten AdamW steps of a case, each on the same batch: the learning rate, loss, gradient norm before clipping of each,
              and a sketch of every parameter after the last

A sketch of a tensor x of open_clip's shape is nine numbers: its ℓ2 norm, and Σ_i s_i x_i for eight directions d of signs s: s_i is −1
where the highest bit of output i of SplitMix64 is 1; its state is the first 8 bytes, little endian, of SHA-256 of
"sketch\\nD\\nNAME", D the direction from 0 to 7. An error anywhere in x shows in it, at its own size.

Pixels are x/255, less CLIP's means, over CLIP's deviations. Training: lr 1e-3 at the most, 3 steps of linear warm-up, then cosine
to 0 at step 10 (open_clip's cosine_lr), β 0.9, 0.98, ε 1e-6, weight decay 0.1 where open_clip decays, gradients clipped to a norm
of 1, logit_scale clamped to [0, ln 100] after each step."""
import base64
import hashlib
import json
import math
import sys
from pathlib import Path

import numpy as np
import open_clip
import torch
import torch.nn.functional as F
from open_clip.loss import ClipLoss
from safetensors.torch import load_file, save_file

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "python"))
import capgraph_torch  # noqa: E402

START, END = 62, 63
MODEL = {"embed_dim": 16,
         "vision_cfg": {"image_size": 32, "layers": 2, "width": 32, "head_width": 16, "patch_size": 8},
         "text_cfg": {"context_length": 12, "vocab_size": 64, "width": 24, "heads": 2, "layers": 2}}
STEPS, WARMUP, LR = 10, 3, 1e-3
SOFTER = 1.5  # less of logit_scale
ATTENTION = 0.3  # the weight of c2lip's L_xac


def fresh():
    """The weights: open_clip's own, with noise where they are all 0 or 1, so that no gradient is 0 for the wrong reason."""
    torch.manual_seed(30)
    model = open_clip.model.CLIP(**MODEL)
    for p in model.parameters():
        if p.ndim == 1:
            p.data += 0.1 * torch.randn_like(p)
    return {k: v.detach().clone().contiguous() for k, v in model.state_dict().items()}


def tiny(quick_gelu, objective=""):
    """The model with the weights. fscclip tells texts apart that are much alike, so its similarities have a smaller scale: then bfloat16
    rounds little of their differences away."""
    model = open_clip.model.CLIP(**MODEL, quick_gelu=quick_gelu)
    model.load_state_dict(load_file(HERE / "tiny.safetensors"))
    model = model.double()
    model.logit_scale.data -= SOFTER if objective == "fscclip" else 0
    return model


def preprocess(images, mean=open_clip.OPENAI_DATASET_MEAN, std=open_clip.OPENAI_DATASET_STD):
    mean, std = (torch.tensor(x, dtype=torch.float64) for x in (mean, std))
    return ((torch.from_numpy(images).double() / 255 - mean) / std).permute(0, 3, 1, 2)


def pad(texts):
    return torch.tensor([t + [0] * (MODEL["text_cfg"]["context_length"] - len(t)) for t in texts])


# The objectives, from notes' formulas; capgraph_torch writes them in another way, and both must agree.

def similarities(image, text, scale):
    return scale * F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T


def mean(terms):
    return torch.stack(terms).mean()


def clip(image, text, scale, batch, case):
    text = text[:len(image)]
    loss = ClipLoss()(F.normalize(image, dim=-1), F.normalize(text, dim=-1), scale)
    return {"loss": loss}


def negclip(image, text, scale, batch, case):
    n, s = len(image), similarities(image, text, scale)
    i2t = mean([s[i].logsumexp(0) - s[i, i] for i in range(n)])
    t2i = mean([s[:, j].logsumexp(0) - s[j, j] for j in range(n)])
    loss = (i2t + t2i) / 2
    torch.testing.assert_close(loss, capgraph_torch.negclip(image, text, scale), rtol=1e-12, atol=1e-12)
    return {"loss": loss, "i2t": i2t, "t2i": t2i}


def mosaiclip(image, text, scale, batch, case):
    n, m, s, true = len(image), batch["m"], similarities(image, text, scale), batch["true"]
    i2t = mean([torch.stack([s[i, j] for j in range(len(text)) if j < m or not true[i, j]]).logsumexp(0)
                - mean([s[i, k] for k in range(m) if true[i, k]]) for i in range(n)])
    t2i = mean([s[:, j].logsumexp(0) - mean([s[i, j] for i in range(n) if true[i, j]]) for j in range(m)])
    loss = (i2t + t2i) / 2
    torch.testing.assert_close(loss, capgraph_torch.mosaiclip(image, text, scale, true, m), rtol=1e-12, atol=1e-12)
    return {"loss": loss, "i2t": i2t, "t2i": t2i}


def mosaiclip_apart(image, text, scale, batch, case):
    """A softmax for each positive: −log of its share among itself and the negatives."""
    n, m, s, true = len(image), batch["m"], similarities(image, text, scale), batch["true"]
    share = lambda positive, negatives: torch.stack([positive, *negatives]).logsumexp(0) - positive
    i2t = mean([mean([share(s[i, k], [s[i, j] for j in range(len(text)) if not true[i, j]]) for k in range(m) if true[i, k]]) for i in range(n)])
    t2i = mean([mean([share(s[i, j], [s[o, j] for o in range(n) if not true[o, j]]) for i in range(n) if true[i, j]]) for j in range(m)])
    loss = (i2t + t2i) / 2
    torch.testing.assert_close(loss, capgraph_torch.mosaiclip(image, text, scale, true, m, "apart"), rtol=1e-12, atol=1e-12)
    return {"loss": loss, "i2t": i2t, "t2i": t2i}


def siglip(image, text, scale, batch, case):
    """Zhai et al. 2023, eq. 1."""
    n, s, bias = len(image), similarities(image, text, scale), case["bias"]
    loss = -torch.stack([F.logsigmoid((s[i, j] + bias) * (1 if i == j else -1)) for i in range(n) for j in range(n)]).sum() / n
    torch.testing.assert_close(loss, capgraph_torch.siglip(image, text, scale, bias), rtol=1e-12, atol=1e-12)
    return {"loss": loss}


TEMPERATURE = 2.5


def distill(image, text, scale, batch, case):
    """T² times the KL divergence from a teacher's similarities of a batch, the mean of images and of captions.

    The teacher has the same weights, the other activation, and 1.5 less of logit scale.
    """
    n = len(image)
    with torch.no_grad():
        teacher = tiny(not case["quick_gelu"])
        goal = similarities(teacher.encode_image(batch["images"]), teacher.encode_text(batch["texts"][:n]), (teacher.logit_scale - SOFTER).exp())
    s = similarities(image, text[:n], scale)
    kl = lambda s, goal: F.kl_div((s / TEMPERATURE).log_softmax(1), (goal / TEMPERATURE).log_softmax(1), reduction="batchmean", log_target=True)
    return {"loss": TEMPERATURE**2 * (kl(s, goal) + kl(s.T, goal.T)) / 2}


def mosaiclip_sigmoid(image, text, scale, batch, case):
    """SigLIP's loss with several positives: −log σ of each pair, of the negated one if the text is not of the image."""
    n, m, s, true, bias = len(image), batch["m"], similarities(image, text, scale), batch["true"], case["bias"]
    pairs = [-F.logsigmoid((s[i, j] + bias) * (1 if true[i, j] else -1)) for i in range(n) for j in range(len(text)) if j < m or not true[i, j]]
    loss = torch.stack(pairs).sum() / n
    torch.testing.assert_close(loss, capgraph_torch.mosaiclip(image, text, scale, true, m, "sigmoid", bias), rtol=1e-12, atol=1e-12)
    return {"loss": loss}


def csclip(image, text, scale, batch, case):
    """The unit loss of CS-CLIP: unit k of an image among the k-th units of the others and its own foil, both ways."""
    n, m, s, true, of = len(image), batch["m"], similarities(image, text, scale), batch["true"], batch["of"].tolist()
    owner = [min(i for i in range(n) if true[i, j]) for j in range(m)]
    slots = {}
    for i in range(n):
        k = 0
        for j in [j for j in range(m) if owner[j] == i][1:]:
            foils = [m + f for f, p in enumerate(of) if p == j and not true[i, m + f]]
            if foils:
                slots.setdefault(k, []).append((i, j, foils[0]))
                k += 1
    terms = []
    for units in slots.values():
        for i, j, foil in units:
            i2t = torch.stack([s[i, j], s[i, foil]] + [s[i, q] for _, q, _ in units if q != j and not true[i, q]]).logsumexp(0) - s[i, j]
            t2i = torch.stack([s[i, j]] + [s[o, j] for o, _, _ in units if o != i and not true[o, j]]).logsumexp(0) - s[i, j]
            terms.append((i2t + t2i) / 2)
    loss = mean(terms) if terms else s.sum() * 0
    torch.testing.assert_close(loss, capgraph_torch.csclip(image, text, scale, true, m, batch["of"], torch.tensor(owner)), rtol=1e-12, atol=1e-12)
    return {"loss": loss}


def owners(batch):
    """The image of each positive: the first that it is true of."""
    return [min(i for i in range(len(batch["true"])) if batch["true"][i, j]) for j in range(batch["m"])]


def c2lip(image, text, scale, batch, case):
    """Noun phrases: the positives but the first of each image, with each image by itself, and with the mean of its patches by their
    softmax; a mean over phrases."""
    n, m, s, true, bias, owner = len(image), batch["m"], similarities(image, text, scale), batch["true"], case["bias"], owners(batch)
    phrases, x, v = [j for j in range(m) if owner[j] in owner[:j]], F.normalize(batch["patches"], dim=-1), F.normalize(text, dim=-1)
    judge = lambda s, i, j: -F.logsigmoid((s + bias) * (1 if true[i, j] else -1))
    attended = lambda i, j: F.normalize((x[i] @ v[j]).softmax(0) @ x[i], dim=0) @ v[j] * scale
    total = lambda f: torch.stack([judge(f(i, j), i, j) for i in range(n) for j in phrases]).sum() / len(phrases) if phrases else (s + bias).sum() * 0
    npc, xac = total(lambda i, j: s[i, j]), total(attended)
    loss = npc + ATTENTION * xac
    same = capgraph_torch.c2lip(image, text, scale, bias, true, m, torch.tensor(owner), batch["patches"], ATTENTION)
    torch.testing.assert_close(loss, same, rtol=1e-12, atol=1e-12)
    return {"loss": loss, "npc": npc, "xac": xac}


def readclip(image, text, scale, batch, case):
    """The first and the last positive of an image stand for a text and its paraphrase."""
    owner = owners(batch)
    groups = [[j for j in range(batch["m"]) if owner[j] == i] for i in range(len(image))]
    a, b = [g[0] for g in groups if len(g) > 1], [g[-1] for g in groups if len(g) > 1]
    s = similarities(text[a], text[b], scale)
    loss = mean([s[k].logsumexp(0) - s[k, k] for k in range(len(a))]) if a else s.sum() * 0
    torch.testing.assert_close(loss, capgraph_torch.readclip(text[a], text[b], scale), rtol=1e-12, atol=1e-12)
    return {"loss": loss + 0 * image.sum()}


def fscclip(image, text, scale, batch, case):
    """A focal loss of each image that has negatives, over its caption and these, by whole texts and by their tokens."""
    gamma, smoothing, weights = 2, 0.02, (0.5, 0.2)
    n, s, of, x, lengths = len(image), similarities(image, text, scale), batch["of"].tolist(), batch["patches"], (batch["texts"] > 0).sum(1).tolist()

    def aligned(i, j):
        """Of a token, the patches of the image that it is nearest to; of a text, the log-sum-exp of its tokens but the first."""
        near = []
        for v in F.normalize(batch["tokens"][j, 1:lengths[j]], dim=-1):
            a = (x[i] @ v).detach()
            a = (a - a.min()) / (a.max() - a.min())
            near.append(F.normalize((a / a.sum()) @ x[i], dim=0) @ v * scale)
        return torch.stack(near).logsumexp(0)

    def focal(s):
        log_p = s.log_softmax(0)
        target = torch.tensor([1 - smoothing, *[0.0] * (len(s) - 1)], dtype=torch.float64) + smoothing / len(s)
        return -(target * (1 - log_p.exp()) ** gamma * log_p).sum()

    choices = [(i, [i, *own]) for i in range(n) if (own := [n + k for k in range(len(of)) if of[k] == i])]
    whole = mean([focal(s[i, js]) for i, js in choices]) if choices else s.sum() * 0
    local = mean([focal(torch.stack([aligned(i, j) for j in js])) for i, js in choices]) if choices else s.sum() * 0
    torch.testing.assert_close(whole, capgraph_torch.fscclip(image, text, scale, batch["of"], gamma, smoothing), rtol=1e-12, atol=1e-12)
    there = (batch["texts"] > 0) & (torch.arange(batch["texts"].shape[1]) > 0)
    same = capgraph_torch.fscclip_local(x, batch["tokens"], there, scale, batch["of"], gamma, smoothing)
    torch.testing.assert_close(local, same, rtol=1e-12, atol=1e-12)
    return {"loss": weights[0] * whole + weights[1] * local, "global": whole, "local": local}


def ceclip(image, text, scale, batch, case):
    n, of, kind, th = len(image), batch["of"].tolist(), batch["kind"].tolist(), case["thresholds"]
    anchored = case["imc"] == "anchored"
    reference = capgraph_torch.CEClip().double()
    reference.threshold.copy_(th)
    itc = negclip(image, text, scale, batch, case)["loss"]
    imc = cmr = torch.zeros((), dtype=torch.float64)
    after = th.clone()
    if of:
        s, t = similarities(image, text, scale), similarities(text[:n], text[n:], scale)
        own = {i: [k for k in range(len(of)) if of[k] == i] for i in range(n)}
        if anchored:
            sibling = similarities(text[:n], batch["sibling"], scale)
            imc = mean([torch.stack([sibling[i, i]] + [t[i, k] for k in ks]).logsumexp(0) - sibling[i, i] for i, ks in own.items() if ks])
        else:
            imc = mean([t[i, ks].logsumexp(0) for i, ks in own.items() if ks])
        gap = torch.stack([s[of[k], of[k]] - s[of[k], n + k] for k in range(len(of))])
        cmr = mean([torch.clamp(th[kind[k]] - gap[k], min=0) for k in range(len(of))])
        for c in set(kind):
            after[c] = mean([gap[k].detach() for k in range(len(of)) if kind[k] == c]).clamp(0, 10)
    loss = itc + 0.2 * imc + 0.4 * cmr
    same = reference(image, text, scale, batch["of"], batch["kind"], batch["sibling"] if anchored else None)
    torch.testing.assert_close(loss, same, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(after, reference.threshold.double(), rtol=1e-6, atol=1e-6)
    case["after"] = after
    return {"loss": loss, "itc": itc, "imc": imc, "cmr": cmr}


# Batches: what they trigger is in their names.

def batch(seed, positives, negatives=(), says=(), siblings=False):
    """positives: the images that each says, its own first. negatives: (positive, class), or (positive, class, an image that it is true
    of). says: pairs of positives, the second of which is the same text as the first."""
    random = np.random.default_rng(seed)
    n = max(i for own in positives for i in own) + 1
    sentence = lambda: [START, *random.integers(1, START, random.integers(0, 11)).tolist(), END]
    texts = [sentence() for _ in positives] + [sentence() for _ in negatives]
    for first, second in says:
        texts[second] = list(texts[first])
    true = np.zeros((n, len(texts)), np.uint8)
    for j, images in enumerate(positives):
        true[images, j] = 1
    for j, negative in enumerate(negatives):
        true[list(negative[2:]), len(positives) + j] = 1
    images = random.integers(0, 256, (n, 32, 32, 3), np.uint8)
    images[:, 8:24, 8:24] = random.integers(0, 256, (n, 1, 1, 3))  # something to tell them apart by
    return {"images": images, "texts": texts, "m": len(positives), "true": true, "of": [x[0] for x in negatives],
            "kind": [x[1] for x in negatives], "siblings": [sentence() for _ in range(n)] if siblings else []}


def own(n):
    return [[i] for i in range(n)]


BATCHES = {
    # of n captions; image 4 has no negative
    "captions": batch(1, own(6), [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 3), (2, 0), (2, 3), (3, 1), (5, 2), (5, 3)], siblings=True),
    "no negatives": batch(2, own(5), siblings=True),
    "one class missing": batch(3, own(4), [(0, 0), (1, 3), (1, 0), (3, 1)]),
    "the same text": batch(4, [[0, 2], [1], [2, 0], [3]], [(1, 0), (2, 1), (3, 3)], says=[(0, 2)]),
    "one image": batch(5, own(1), [(0, 1), (0, 3)]),
    "one image alone": batch(6, own(1)),
    # of sub-graphs: up to 3 + 6 of an image; some positives say several images, some negatives are true of another
    "sub-graphs": batch(7, [[0], [0, 3], [0], [1], [2], [2, 0, 1], [3], [3], [4], [5, 4]],
                        [(0, 0), (0, 1), (1, 0, 2), (2, 2), (2, 2), (2, 1), (3, 0), (4, 0), (5, 1, 3, 4), (7, 2), (7, 0), (9, 1)]),
    # the first foil of a unit is true of its image, a unit is true of another image, an image has no unit
    "units": batch(10, [[0], [0, 1], [0], [1], [1], [1], [2], [3], [3]], [(1, 0, 0), (1, 1), (2, 2), (4, 0, 3), (5, 1), (8, 3), (0, 2)]),
    "one image of sub-graphs": batch(8, [[0], [0], [0]], [(0, 0), (1, 1), (1, 2)]),
}


def inputs(name):
    b = BATCHES[name]
    return {"images": preprocess(b["images"]), "texts": pad(b["texts"]), "m": b["m"], "true": torch.from_numpy(b["true"]).bool(),
            "of": torch.tensor(b["of"]).long(), "kind": torch.tensor(b["kind"]).long(), "siblings": pad(b["siblings"]) if b["siblings"] else None}


def run(model, case, b):
    """The loss of a case and its terms."""
    objective = {"clip": clip, "siglip": siglip, "distill": distill, "negclip": negclip, "mosaiclip": mosaiclip, "mosaiclip apart": mosaiclip_apart, "mosaiclip sigmoid": mosaiclip_sigmoid, "csclip": csclip, "c2lip": c2lip, "readclip": readclip, "fscclip": fscclip, "ceclip": ceclip}[case["objective"]]
    b = dict(b)
    if b["siblings"] is not None:
        b["sibling"] = model.encode_text(b["siblings"])
    b["patches"], b["tokens"] = patches(model, b["images"]), tokens(model, b["texts"])
    return objective(model.encode_image(b["images"]), model.encode_text(b["texts"]), model.logit_scale.exp(), b, case)


def patches(model, images):
    """The patches of images in the common space, [n, 16, 16]."""
    model.visual.output_tokens = True
    tokens = model.visual(images)[1]
    model.visual.output_tokens = False
    return tokens @ model.visual.proj


def tokens(model, ids):
    """The tokens of texts in the common space, [m + r, 12, 16]."""
    x = model.transformer(model.token_embedding(ids) + model.positional_embedding, attn_mask=model.attn_mask)
    return model.ln_final(x) @ model.text_projection


def signs(name, direction, n):
    state = int.from_bytes(hashlib.sha256(f"sketch\n{direction}\n{name}".encode()).digest()[:8], "little")
    with np.errstate(over="ignore"):
        z = np.uint64(state) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        z = z ^ z >> np.uint64(31)
    return 1.0 - 2.0 * (z >> np.uint64(63)).astype(np.float64)


def sketch(name, x):
    x = x.detach().double().numpy().reshape(-1)
    return [math.sqrt(math.fsum(x * x))] + [math.fsum(signs(name, d, len(x)) * x) for d in range(8)]


def decays(name, p):
    return not (p.ndim < 2 or any(part in name for part in ("bn", "ln", "bias", "logit_scale")))


def rate(step, lr=LR, warmup=WARMUP, steps=STEPS):
    if step < warmup:
        return lr * (step + 1) / warmup
    return lr * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2


def optimiser(model, lr=LR):
    named = list(model.named_parameters())
    return torch.optim.AdamW([{"params": [p for n, p in named if not decays(n, p)], "weight_decay": 0.0},
                              {"params": [p for n, p in named if decays(n, p)], "weight_decay": 0.1}], lr=lr, betas=(0.9, 0.98), eps=1e-6)


def step(model, opt, lr, losses):
    """One step down a loss; the norm of the gradient before clipping."""
    opt.zero_grad()
    losses["loss"].backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in opt.param_groups:
        group["lr"] = lr
    opt.step()
    with torch.no_grad():
        model.logit_scale.clamp_(0, math.log(100))
    return float(norm)


def train(case, b):
    model = tiny(case["quick_gelu"], case["objective"])
    opt, rows = optimiser(model), []
    for t in range(STEPS):
        losses = run(model, case, b)
        rows.append((rate(t), losses["loss"].item(), step(model, opt, rate(t), losses)))
        case["thresholds"] = case.get("after", case["thresholds"])
    return {"learning_rates": [r[0] for r in rows], "losses": [r[1] for r in rows], "norms": [r[2] for r in rows],
            "thresholds": case["thresholds"].tolist(), "weights": {n: sketch(n, p) for n, p in model.named_parameters()}}


def cases():
    none, some = [0.0] * 4, [0.5, 2.0, 0.25, 1.5]
    edges = [b for b in BATCHES if b not in ("captions", "sub-graphs", "units", "one image of sub-graphs")]
    for quick in (False, True):
        yield "captions", "clip", quick, none, ""
        yield "captions", "siglip", quick, none, ""
        yield "captions", "distill", quick, none, ""
        yield "captions", "negclip", quick, none, ""
        yield "captions", "ceclip", quick, none, "paper"
        yield "captions", "ceclip", quick, some, "anchored"
        yield "captions", "fscclip", quick, none, ""
        yield "sub-graphs", "mosaiclip", quick, none, ""
        yield "sub-graphs", "mosaiclip apart", quick, none, ""
        yield "sub-graphs", "mosaiclip sigmoid", quick, none, ""
        for objective in ("csclip", "c2lip", "readclip"):
            yield "sub-graphs", objective, quick, none, ""
    for b in edges:
        for objective in ("clip", "siglip", "distill", "negclip", "ceclip", "mosaiclip", "mosaiclip apart", "mosaiclip sigmoid", "csclip", "c2lip", "readclip", "fscclip"):
            yield b, objective, True, some if objective == "ceclip" else none, "paper" if objective == "ceclip" else ""
    yield "no negatives", "ceclip", True, some, "anchored"
    for objective in ("mosaiclip", "mosaiclip apart", "mosaiclip sigmoid", "csclip", "c2lip", "readclip"):
        yield "one image of sub-graphs", objective, True, none, ""
    for objective in ("csclip", "c2lip", "readclip"):
        yield "units", objective, True, none, ""


def golden():
    weights = {n: sketch(n, p) for n, p in tiny(False).named_parameters()}
    out = {"model": MODEL, "weights": weights, "batches": {}, "features": [], "cases": [], "training": []}
    for name, b in BATCHES.items():
        flat = lambda texts: {"tokens": sum(texts, []), "lengths": [len(t) for t in texts]}
        out["batches"][name] = {"n": len(b["images"]), "images": base64.b64encode(b["images"].tobytes()).decode(), **flat(b["texts"]), "m": b["m"],
                                "true": base64.b64encode(b["true"].tobytes()).decode(), "of": b["of"], "kind": b["kind"],
                                **{"sibling_" + k: v for k, v in flat(b["siblings"]).items()}}
    for quick in (False, True):
        model = tiny(quick)
        for name in ("captions", "sub-graphs"):
            b = inputs(name)
            out["features"].append({"batch": name, "quick_gelu": quick, "image": model.encode_image(b["images"]).tolist(), "text": model.encode_text(b["texts"]).tolist()})
    for name, objective, quick, thresholds, imc in cases():
        case = {"batch": name, "objective": objective, "quick_gelu": quick, "imc": imc}
        state = case | {"thresholds": torch.tensor(thresholds, dtype=torch.float64)}
        model, b = tiny(quick, objective), inputs(name)
        if objective in ("siglip", "mosaiclip sigmoid", "c2lip"):
            model.logit_bias = state["bias"] = torch.nn.Parameter(torch.tensor(-10.0, dtype=torch.float64))
        terms = run(model, state, b)
        terms["loss"].backward()
        out["cases"].append(case | {"thresholds": thresholds, "terms": {k: v.item() for k, v in terms.items()}, "thresholds_after": state.get("after", state["thresholds"]).tolist(),
                                    "gradients": {n: sketch(n, p.grad) if p.grad is not None else [0.0] * 9 for n, p in model.named_parameters()}})
        if name in ("captions", "sub-graphs") and (quick or objective == "clip") and "bias" not in state:
            state.pop("after", None)
            state["thresholds"] = torch.tensor(thresholds, dtype=torch.float64)
            out["training"].append(case | {"thresholds": thresholds} | {"after_training": train(state, b)})
    return out


def differ(a, b, at=""):
    """Where two results differ by more than other machines' arithmetic makes of them."""
    if isinstance(a, dict):
        return [x for k in a.keys() | b.keys() for x in (differ(a[k], b[k], f"{at}/{k}") if k in a and k in b else [f"{at}/{k}"])]
    if isinstance(a, list):
        return [f"{at}: length"] if len(a) != len(b) else [x for i, (p, q) in enumerate(zip(a, b)) for x in differ(p, q, f"{at}/{i}")]
    if isinstance(a, float):
        return [] if math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-9) else [f"{at}: {a} and {b}"]
    return [] if a == b else [f"{at}: {a} and {b}"]


def write(path, value):
    """JSON with a line for each entry of its parts."""
    line = lambda v: [json.dumps(x) for x in v] if isinstance(v, list) else [f"{json.dumps(k)}: {json.dumps(x)}" for k, x in v.items()]
    parts = [f"{json.dumps(k)}: {'[{'[isinstance(v, dict)]}\n" + ",\n".join(line(v)) + f"\n{']}'[isinstance(v, dict)]}" for k, v in value.items()]
    path.write_text("{" + ",\n".join(parts) + "}\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if "--check" in sys.argv:
        wrong = differ(json.loads((HERE / "golden.json").read_text()), json.loads(json.dumps(golden())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    save_file(fresh(), HERE / "tiny.safetensors", {"format": "pt"})
    write(HERE / "golden.json", golden())
