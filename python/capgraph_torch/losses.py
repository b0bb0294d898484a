"""The objectives of CLIP, SigLIP, NegCLIP, CE-CLIP, MosaiCLIP, CS-CLIP, C2LIP, READ-CLIP, FSC-CLIP and SuperCLIP. Features may have any
length: losses normalise them, and compute in float32 or better whatever autocast says. scale is τ, model.logit_scale.exp()."""
from __future__ import annotations

from typing import Mapping, Optional

import torch
import torch.nn.functional as F

from .draw import CECLIP


def logits(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor | float) -> torch.Tensor:
    """scale · cos(a_i, b_j)."""
    with torch.autocast(a.device.type, enabled=False):
        a, b = (F.normalize(x if x.dtype == torch.float64 else x.float(), dim=-1) for x in (a, b))
        return scale * a @ b.T


def clip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float) -> torch.Tensor:
    """Symmetric InfoNCE: text i describes image i; texts after the n captions are ignored."""
    return negclip(image, text[:len(image)], scale)


def siglip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, bias: torch.Tensor | float) -> torch.Tensor:
    """SigLIP (Zhai et al. 2023, eq. 1): each image and caption by itself, with a learned bias (model.logit_bias, from −10); text i describes
    image i; texts after the n captions are ignored. The sum over captions of softplus(∓(s + bias)), a mean over images."""
    s = logits(image, text[:len(image)], scale) + bias
    return F.softplus(s * (1 - 2 * torch.eye(len(s), dtype=s.dtype, device=s.device))).sum(1).mean()


def margins(n: int, batch: Mapping[str, torch.Tensor], most: float) -> torch.Tensor:
    """Returns [n, texts]: what is added to the similarity of each of n images with its own hard negatives, as objective.margin of capgraph
    train: most logits times the batch's margin. The margin= of negclip, mosaiclip and fscclip."""
    of, share = batch["of"], batch["margin"]
    m = len(batch["image_of"])
    push = torch.zeros(n, m + len(of), dtype=share.dtype, device=share.device)
    push[batch["image_of"][of], m + torch.arange(len(of), device=of.device)] = most * share
    return push


def pushed(s: torch.Tensor, margin: Optional[torch.Tensor]) -> torch.Tensor:
    return s if margin is None else s + margin.to(s)


def negclip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, margin: Optional[torch.Tensor] = None) -> torch.Tensor:
    """NegCLIP: text i describes image i, texts after the n captions are negatives; i2t over all texts, t2i over captions. margin is of
    margins()."""
    s, own = logits(image, text, scale), torch.arange(len(image), device=image.device)
    return (F.cross_entropy(pushed(s, margin), own) + F.cross_entropy(s[:, :len(own)].T, own)) / 2


def mosaiclip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, true: torch.Tensor, m: int,
              compete: str = "together", bias: Optional[torch.Tensor | float] = None, margin: Optional[torch.Tensor] = None,
              weight: Optional[torch.Tensor] = None) -> torch.Tensor:
    """½ (L_i2t + L_t2i) of MosaiCLIP §3.5, means over images and positives; the least L_i2t is mean log |P(i)|. true and m are the
    batch's: P(i) is row i of the first m columns of true, Q(j) column j. compete: together, all positives in one softmax, as in the
    paper; apart, each with its own, against negatives alone: mean_p softplus(LSE_negatives − s_p), the least of which is 0; sigmoid, each image and text by itself, as in
    SigLIP, with a learned bias (model.logit_bias, from −10): the sum over texts of softplus(∓(s + bias)). margin is of margins(); weight [m], the
    batch's, makes the means over positives weighted ones; both are for compete="together"."""
    if (compete == "sigmoid") != (bias is not None):
        raise ValueError("a bias is for compete='sigmoid', which needs one")
    if compete != "together" and (margin is not None or weight is not None):
        raise ValueError("margin and weight are for compete='together'")
    s = logits(image, text, scale)
    if compete == "apart":
        return (pairs(s, true, true[:, :m]).mean() + pairs(s[:, :m].T, true[:, :m].T, true[:, :m].T).mean()) / 2
    if compete == "sigmoid":
        known = true & (torch.arange(len(text), device=s.device) >= m)  # a negative that is true of an image is in no term
        return F.softplus((s + bias) * (1 - 2 * true.to(s.dtype))).masked_fill(known, 0).sum(1).mean()
    if compete != "together":
        raise ValueError(f"compete={compete!r}: want together, apart or sigmoid")
    negative = torch.arange(len(text), device=s.device) >= m
    i2t = pushed(s, margin).masked_fill(true & negative, -torch.inf).logsumexp(1)  # a negative that is true of an image leaves its denominator
    s, true = s[:, :m], true[:, :m]
    weight = torch.ones(m, dtype=s.dtype, device=s.device) if weight is None else weight.to(s)
    i2t = i2t - (s * (true * weight)).sum(1) / (true * weight).sum(1)
    t2i = s.logsumexp(0) - (s * true).sum(0) / true.sum(0)
    return (i2t.mean() + (t2i * weight).sum() / weight.sum()) / 2


def csclip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, true: torch.Tensor, m: int, of: torch.Tensor,
           image_of: torch.Tensor) -> torch.Tensor:
    """The unit loss of CS-CLIP (Kargi et al. 2026), beside clip or negclip. Units are the positives of an image but its first, the
    caption, that have a foil: their first negative that is not true of the image. Unit k of an image competes with the k-th units of
    other images that are not true of it, and with its foil: ½ (i2t + t2i), a mean over units; 0 if there are none. true, m, of and
    image_of are the batch's; draw with Texts(weights={"c_obj": 1, "c_rel": 1, "c_attr": 1}, most=(2, 8), bare=True)."""
    s, negative = logits(image, text, scale), torch.arange(len(of), device=of.device)
    caption = captions(image_of)
    by_image = image_of.argsort(stable=True)
    fits = ~caption[of] & ~true[image_of[of], m + negative]
    foil = torch.full((m,), len(of), device=of.device).scatter_reduce(0, of[fits], negative[fits], "amin")
    unit = by_image[foil[by_image] < len(of)]
    if len(unit) == 0:
        return s.sum() * 0
    own = image_of[unit]
    slot = torch.arange(len(unit), device=of.device) - torch.searchsorted(own, own)
    pair = s[own][:, unit]
    met = (slot[:, None] == slot) & ~true[own][:, unit] | torch.eye(len(unit), dtype=torch.bool, device=s.device)
    pair, foils = pair.masked_fill(~met, -torch.inf), s[own, m + foil[unit]]
    return ((torch.cat([pair, foils[:, None]], 1).logsumexp(1) + pair.logsumexp(0)) / 2 - pair.diagonal()).mean()


def captions(image_of: torch.Tensor) -> torch.Tensor:
    """Returns bool [m]: whether a positive is the first of its image, the caption."""
    by_image = image_of.argsort(stable=True)
    ordered, caption = image_of[by_image], torch.ones_like(image_of, dtype=torch.bool)
    caption[by_image[1:]] = ordered[1:] != ordered[:-1]
    return caption


def c2lip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, bias: torch.Tensor | float, true: torch.Tensor, m: int,
          image_of: torch.Tensor, patches: Optional[torch.Tensor] = None, attention: float = 0.01) -> torch.Tensor:
    """The noun phrase losses of C2LIP (arXiv 2603.25722), beside clip or siglip. Phrases are the positives of an image but its first, the
    caption. Each image and phrase is judged by itself, with a learned bias (model.logit_bias, from −10): the sum over images of
    softplus(∓(s + bias)), a mean over phrases; 0 if there are none. true, m and image_of are the batch's; draw with
    Texts(weights={"c_obj": 1}, most=(4, 16), bare=True). patches [n, p, w], features of patches in the common space, add attention
    times L_xac, the same loss of the mean of patches that a phrase attends to."""
    phrase = ~captions(image_of)
    text, sign = text[:m][phrase], 1 - 2 * true[:, :m][:, phrase].to(text.dtype)
    judge = lambda s: F.softplus((s + bias) * sign).sum() / max(len(text), 1)
    loss = judge(logits(image, text, scale))
    if patches is None:
        return loss
    text, patches = F.normalize(text, dim=-1), F.normalize(patches, dim=-1)
    share = torch.einsum("ipw,jw->ijp", patches, text).softmax(-1)
    seen = F.normalize(torch.einsum("ijp,ipw->ijw", share, patches), dim=-1)
    return loss + attention * judge(scale * torch.einsum("ijw,jw->ij", seen, text))


def readclip(text: torch.Tensor, paraphrase: torch.Tensor, scale: torch.Tensor | float, same: Optional[torch.Tensor] = None) -> torch.Tensor:
    """The sentence-level alignment of READ-CLIP (Kwon et al. 2025, eq. 7): text i [n, w] is closer to paraphrase i [n, w] than to the
    others; a mean over texts, 0 if there are none. same [n, n] says which pairs state the same and are not compared."""
    s = logits(text, paraphrase, scale)
    if same is not None:
        s = s.masked_fill(same & ~torch.eye(len(s), dtype=torch.bool, device=s.device), -torch.inf)
    return (s.logsumexp(1) - s.diagonal()).sum() / max(len(s), 1)


def fscclip(image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, of: torch.Tensor, focal: float = 2.0,
            smoothing: float = 0.02, margin: Optional[torch.Tensor] = None) -> torch.Tensor:
    """The global hard-negative loss of FSC-CLIP (Oh et al. 2024), beside clip: image i chooses between its caption, text i, and the hard
    negatives of that caption, whose of is i; the focal loss with label smoothing, a mean over images that have negatives, 0 if none has.
    focal is the exponent, 0 or at least 1. of is the batch's, of texts drawn with CECLIP or NEGCLIP; margin is of margins()."""
    return choose(pushed(logits(image, text, scale), margin), of, focal, smoothing)


def fscclip_local(patches: torch.Tensor, tokens: torch.Tensor, there: torch.Tensor, scale: torch.Tensor | float, of: torch.Tensor,
                  focal: float = 2.0, smoothing: float = 0.02, margin: Optional[torch.Tensor] = None) -> torch.Tensor:
    """The local hard-negative loss of FSC-CLIP, as fscclip, by the log-sum-exp of the similarities of a text's tokens with the mean of the
    image's patches that each weighs by its similarity, less the smallest. patches [n, p, w] and tokens [n + r, l, w] are features in the
    common space; there [n + r, l] says which tokens count: all but the first of a text and its padding."""
    n = len(patches)
    own = torch.cat([torch.arange(n, device=of.device), of])
    tokens, seen = F.normalize(tokens, dim=-1), patches[own]
    share = (tokens @ seen.transpose(1, 2)).detach()
    share = share - share.amin(-1, keepdim=True)
    share = torch.where(share.sum(-1, keepdim=True) > 0, share, 1)
    near = F.normalize(share / share.sum(-1, keepdim=True) @ seen, dim=-1)
    aligned = (scale * (near * tokens).sum(-1)).masked_fill(~there, -torch.inf).logsumexp(-1)
    return choose(pushed(aligned.expand(n, -1), margin), of, focal, smoothing)


def choose(s: torch.Tensor, of: torch.Tensor, focal: float, smoothing: float) -> torch.Tensor:
    """FSC-CLIP's loss of rows i of s [n, n + r], each of which chooses between column i and those whose of is i."""
    n = len(s)
    rows = torch.arange(n, device=s.device)
    own = torch.cat([rows, of]) == rows[:, None]
    log_p = s.masked_fill(~own, -torch.inf).log_softmax(1).masked_fill(~own, 0)
    target = smoothing * own.to(s.dtype) / own.sum(1, keepdim=True) + (1 - smoothing) * torch.eye(*s.shape, dtype=s.dtype, device=s.device)
    loss = -(target * (-torch.expm1(log_p)) ** focal * log_p).sum()
    return loss / (own.sum(1) > 1).sum().clamp(min=1)


def pairs(s: torch.Tensor, true: torch.Tensor, positive: torch.Tensor) -> torch.Tensor:
    """Returns [n], the mean over the positives p of row i of softplus(LSE of what is not true − s_ip). s and true are [n, k], positive
    has their first columns."""
    least = torch.finfo(s.dtype).min / 4  # finite: a row without negatives has the gradient 0, not NaN
    gap = s.masked_fill(true, least).logsumexp(1)[:, None] - s[:, :positive.shape[1]]
    return (F.softplus(gap) * positive).sum(1) / positive.sum(1)


class CEClip(torch.nn.Module):
    """ITC(hn) + alpha IMC + beta CMR of CE-CLIP §3.2 (eqs. 2 to 8) on texts drawn with CECLIP. A module, for its state_dict: the
    thresholds of the four kinds, at most most logits, follow the gaps of the step before and belong in a checkpoint."""

    threshold: torch.Tensor

    def __init__(self, alpha: float = 0.2, beta: float = 0.4, most: float = 10.0):
        super().__init__()
        self.alpha, self.beta, self.most = alpha, beta, most
        self.register_buffer("threshold", torch.zeros(len(CECLIP)))

    def forward(self, image: torch.Tensor, text: torch.Tensor, scale: torch.Tensor | float, of: torch.Tensor, kind: torch.Tensor,
                sibling: Optional[torch.Tensor] = None) -> torch.Tensor:
        """of and kind are the batch's. sibling, the features of another caption of each image, anchors IMC (ours)."""
        n, itc, at = len(image), negclip(image, text, scale), torch.arange(len(of), device=of.device)
        if len(of) == 0:
            return itc
        own = of == torch.arange(n, device=of.device)[:, None]
        imc = logits(text[:n], text[n:], scale).masked_fill(~own, -torch.inf)
        if sibling is not None:
            anchor = logits(text[:n], sibling, scale).diagonal()[:, None]
            imc = torch.cat([anchor, imc], 1) - anchor
        s = logits(image, text, scale)
        gap = s[of, of] - s[of, n + at]
        cmr = F.relu(self.threshold.to(gap)[kind] - gap).mean()
        for k in kind.unique() if self.training else ():
            self.threshold[k] = gap.detach()[kind == k].mean().clamp(0, self.most)
        return itc + self.alpha * imc[own.any(1)].logsumexp(1).mean() + self.beta * cmr


class SuperClip(torch.nn.Module):
    """Images classified by what their captions state (docs/objectives.md, superclip), beside clip: no text is encoded. width is that of
    features, classes are what parts of texts are hashed into. A module: the head learns, and the counts of images, of all and by class,
    belong in a checkpoint. Its texts are drawn with mask="entailed"."""

    counts: torch.Tensor

    def __init__(self, width: int, classes: int = 8192):
        super().__init__()
        self.head = torch.nn.Parameter(torch.randn(classes, width) / width**0.5)
        self.register_buffer("counts", torch.zeros(classes + 1, dtype=torch.int64))

    def forward(self, image: torch.Tensor, known_parts: torch.Tensor, known_parts_of: torch.Tensor) -> torch.Tensor:
        """known_parts and known_parts_of are the batch's; a mean over the images whose captions state something, 0 if none does."""
        states = torch.zeros(len(image), len(self.head), device=image.device, dtype=torch.int64)
        states[known_parts_of, (known_parts & 0xFFFFFFFF) % len(self.head)] = 1
        some = states.any(1)
        if self.training:
            self.counts += torch.cat([states.sum(0), some.sum()[None]])
        with torch.autocast(image.device.type, enabled=False):
            image = F.normalize(image if image.dtype == torch.float64 else image.float(), dim=-1)
            x = image.shape[1]**0.5 * image @ self.head.to(image).T
        seen = 1 + self.counts.to(x)
        y = states * ((seen[-1] / seen[:-1]).log() + 1)
        loss = x.logsumexp(1) - (y * x).sum(1) / y.sum(1).clamp(min=1)
        return (loss * some).sum() / some.sum().clamp(min=1)
