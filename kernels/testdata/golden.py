"""Writes golden.json: what PyTorch, in float64, makes of a few operations.

    python golden.py > golden.json

Every entry has the inputs, the gradient of the output ("dy") and what comes of
them; matrices are flat, by rows.
"""

import json

import torch
import torch.nn.functional as F

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)


def leaf(*shape, scale=1.0):
    return (torch.randn(*shape) * scale).requires_grad_()


def flat(**tensors):
    return {k: v.detach().flatten().tolist() if torch.is_tensor(v) else v for k, v in tensors.items()}


def attention(causal):
    lengths, heads, d = [3, 1, 5], 2, 4
    qkv = leaf(sum(lengths), 3 * heads * d)
    out = []
    for part in qkv.split(lengths):
        q, k, v = (x.reshape(-1, heads, d).transpose(0, 1) for x in part.chunk(3, dim=1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        out.append(y.transpose(0, 1).reshape(-1, heads * d))
    y, dy = torch.cat(out), torch.randn(sum(lengths), heads * d)
    y.backward(dy)
    return flat(lengths=lengths, heads=heads, qkv=qkv, y=y, dy=dy, dqkv=qkv.grad)


def layer_norm():
    x, gain, bias, dy = leaf(4, 6, scale=3), leaf(6), leaf(6), torch.randn(4, 6)
    y = F.layer_norm(x, (6,), gain, bias, 1e-5)
    y.backward(dy)
    return flat(x=x, gain=gain, bias=bias, y=y, dy=dy, dx=x.grad, dgain=gain.grad, dbias=bias.grad)


def linear(activation):
    x, w, b, residual, dy = leaf(3, 5, scale=2), leaf(4, 5), leaf(4), leaf(3, 4), torch.randn(3, 4)
    y = activation(F.linear(x, w, b)) + residual
    y.backward(dy)
    return flat(x=x, w=w, b=b, residual=residual, y=y, dy=dy, dx=x.grad, dw=w.grad, db=b.grad, dresidual=residual.grad)


def normalize():
    x, dy = leaf(3, 4), torch.randn(3, 4)
    with torch.no_grad():
        x[1] = 0
    y = F.normalize(x, dim=-1)
    y.backward(dy)
    return flat(x=x, y=y, dy=dy, dx=x.grad)


def contrastive():
    s = leaf(5, 5, scale=10)
    target = torch.arange(5)
    loss = (F.cross_entropy(s, target) + F.cross_entropy(s.T, target)) / 2
    loss.backward()
    return flat(s=s, loss=loss, ds=s.grad)


def conv1():
    n, side, patch, out = 2, 6, 3, 4
    pixels = torch.randint(0, 256, (n, side, side, 3), dtype=torch.uint8)
    mean, std = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
    x = (pixels.permute(0, 3, 1, 2).double() / 255 - torch.tensor(mean)[:, None, None]) / torch.tensor(std)[:, None, None]
    w = torch.randn(out, 3, patch, patch)
    y = F.conv2d(x, w, stride=patch).flatten(2).transpose(1, 2)  # n, patches, out
    return flat(side=side, patch=patch, mean=mean, std=std, pixels=pixels, w=w, y=y)


def adamw():
    p = leaf(6)
    optimiser = torch.optim.AdamW([p], lr=0.01, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.2)
    steps = []
    before = flat(p=p)["p"]
    for scale in [0.01, 5, 0.3, 100, 1e-4]:
        p.grad = torch.randn(6) * scale
        g = p.grad.clone()
        norm = torch.nn.utils.clip_grad_norm_([p], 0.5)
        optimiser.step()
        steps.append(flat(g=g, norm=norm, p=p))
    return {"p": before, "steps": steps}


def segment_focal():
    lengths, gamma, smoothing, weight = [3, 1, 0, 5, 2], 2.5, 0.1, 0.25
    s = leaf(sum(lengths), scale=3)
    loss = 0
    for segment in s.split(lengths):
        if len(segment) == 0:
            continue
        target = torch.full_like(segment, smoothing / len(segment))
        target[0] += 1 - smoothing
        log_p = F.log_softmax(segment, dim=0)
        loss = loss + weight * (target * (1 - log_p.exp()) ** gamma * -log_p).sum()
    loss.backward()
    return flat(lengths=lengths, gamma=gamma, smoothing=smoothing, weight=weight, s=s, loss=loss, ds=s.grad)


print(
    json.dumps(
        {
            "attention causal": attention(True),
            "attention full": attention(False),
            "layer norm": layer_norm(),
            "linear": linear(lambda x: x),
            "gelu": linear(F.gelu),
            "quick gelu": linear(lambda x: x * torch.sigmoid(1.702 * x)),
            "normalize": normalize(),
            "contrastive": contrastive(),
            "conv1": conv1(),
            "adamw": adamw(),
            "segment focal": segment_focal(),
        },
        indent=None,
    ).replace('}, "', '},\n"')
)
