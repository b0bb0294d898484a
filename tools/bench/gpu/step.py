"""The step of BenchmarkStepOnACard (train/step_card_test.go) in PyTorch: MosaiCLIP on ViT-B/32 of open_clip, random weights, images and texts, in
bfloat16, with the texts laid out in four ways: padded to 77 tokens as open_clip has them, to the longest of the batch, in two buckets by
length, and packed with attention of variable length. Eager and compiled. See docs/measurements/gpu.md.

    python tools/bench/gpu/step.py             # times, on a card; without one the arithmetic, and that nothing was measured
    python tools/bench/gpu/step.py --check     # the four have the same features, on the CPU
"""
import argparse
import math
import time

import torch
import torch.nn.functional as F

IMAGES, TEXTS, POSITIVES, VOCABULARY, CONTEXT = 256, 10, 3, 49408, 77
LENGTHS = (5, 6, 6, 7, 7, 7, 7, 7, 7, 8)  # tokens of an image's texts, 6.7 in the mean
WAYS = ("padded to 77", "padded to the longest", "two buckets", "variable length")
PEAK = 790e12  # FLOP/s of bf16 that products on an H100 come to


def lengths(images):
    return [LENGTHS[i % TEXTS] for i in range(images * TEXTS)]


def tokens(images, device):
    out = torch.zeros(images * TEXTS, CONTEXT, dtype=torch.long)
    generator = torch.Generator().manual_seed(0)
    for row, n in zip(out, lengths(images)):
        row[0] = VOCABULARY - 2
        row[1:n - 1] = torch.randint(1, VOCABULARY - 2, (n - 2,), generator=generator)
        row[n - 1] = VOCABULARY - 1
    return out.to(device)


def padded(model, text, most):
    """Features of texts whose rows are cut to most tokens; the end token is the one of the highest number."""
    text = text[:, :most]
    x = model.token_embedding(text) + model.positional_embedding[:most]
    x = model.transformer(x, attn_mask=model.attn_mask[:most, :most])
    x = model.ln_final(x[torch.arange(len(text), device=text.device), text.argmax(dim=-1)])
    return x @ model.text_projection


def buckets(model, text, sizes):
    order = sorted(range(len(sizes)), key=lambda i: sizes[i])
    half = len(order) // 2
    parts = []
    for part in (order[:half], order[half:]):
        parts.append(padded(model, text[torch.tensor(part, device=text.device)], max(sizes[i] for i in part)))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(parts)[back.to(text.device)]


def attend(q, k, v, starts, longest):
    """Causal attention within packed sequences; on the CPU, where the kernel is not, under a mask."""
    if q.is_cuda:
        from torch.nn.attention.varlen import varlen_attn
        return varlen_attn(q, k, v, starts, starts, longest, longest, window_size=(-1, 0))
    of = torch.bucketize(torch.arange(len(q)), starts[1:].long(), right=True)
    at = torch.arange(len(q))
    mask = (of[:, None] == of) & (at[:, None] >= at)
    return F.scaled_dot_product_attention(q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), attn_mask=mask).transpose(0, 1)


def packed(model, text, sizes):
    device = text.device
    starts = F.pad(torch.tensor(sizes, dtype=torch.int32).cumsum(0, dtype=torch.int32), (1, 0)).to(device)
    there = torch.arange(CONTEXT, device=device) < torch.tensor(sizes, device=device)[:, None]
    places = torch.arange(CONTEXT, device=device).expand_as(text)[there]
    x = model.token_embedding(text[there]) + model.positional_embedding[places]
    for block in model.transformer.resblocks:
        heads = block.attn.num_heads
        qkv = F.linear(block.ln_1(x), block.attn.in_proj_weight, block.attn.in_proj_bias)
        q, k, v = qkv.view(len(x), 3, heads, -1).unbind(1)
        x = x + block.attn.out_proj(attend(q, k, v, starts, max(sizes)).reshape(len(x), -1))
        x = x + block.mlp(block.ln_2(x))
    return model.ln_final(x[starts[1:].long() - 1]) @ model.text_projection


def features(model, text, sizes, way):
    if way == WAYS[0]:
        return padded(model, text, CONTEXT)
    if way == WAYS[1]:
        return padded(model, text, max(sizes))
    if way == WAYS[2]:
        return buckets(model, text, sizes)
    return packed(model, text, sizes)


def loss_of(model, image, text, true):
    """MosaiCLIP's: means over what is true, over rows, and over the columns of positives."""
    image, text = F.normalize(image.float(), dim=-1), F.normalize(text.float(), dim=-1)
    s = model.logit_scale.exp() * image @ text.T
    rows = s.logsumexp(1) - (s * true).sum(1) / true.sum(1)
    columns = true.sum(0) > 0
    s, true = s[:, columns], true[:, columns]
    return (rows.mean() + (s.logsumexp(0) - (s * true).sum(0) / true.sum(0)).mean()) / 2


def step_of(way, compiled):
    import open_clip
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = True
    model = open_clip.create_model("ViT-B-32").cuda()
    pixels = torch.randint(0, 256, (IMAGES, 3, 224, 224), dtype=torch.uint8, device="cuda")
    text, sizes = tokens(IMAGES, "cuda"), lengths(IMAGES)
    true = torch.zeros(IMAGES, IMAGES * TEXTS, device="cuda")
    for i in range(IMAGES):
        true[i, i * TEXTS:i * TEXTS + POSITIVES] = 1
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.1, fused=True)

    def forward(pixels, text):
        with torch.autocast("cuda", torch.bfloat16):
            return model.encode_image((pixels / 255 - 0.45) / 0.27), features(model, text, sizes, way)

    encode = torch.compile(forward) if compiled else forward

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss_of(model, *encode(pixels, text), true).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
    return step


def flops(way, width=512, layers=12):
    """Of products of a step, forward and backward: 6 for each weight and token, and attention's. The image tower's, then the text tower's."""
    vision = 6 * IMAGES * (50 * 12 * 12 * 768 * 768 + 49 * 3 * 32 * 32 * 768) + 3 * 4 * IMAGES * 12 * 50 * 50 * 768
    sizes = lengths(IMAGES)
    half = sorted(sizes)
    n = {WAYS[0]: [CONTEXT] * len(sizes), WAYS[1]: [max(sizes)] * len(sizes),
         WAYS[2]: [half[len(half) // 2 - 1]] * (len(half) // 2) + [half[-1]] * (len(half) // 2), WAYS[3]: sizes}[way]
    return vision, 6 * sum(n) * layers * 12 * width * width + 3 * 4 * layers * width * sum(x * x for x in n)


def measure(way, compiled):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    step = step_of(way, compiled)
    for _ in range(10):
        step()
    torch.cuda.synchronize()
    begin, n = time.perf_counter(), 30
    for _ in range(n):
        step()
    torch.cuda.synchronize()
    seconds, work = (time.perf_counter() - begin) / n, sum(flops(way))
    print(f"PyTorch {torch.__version__}, {way + (', compiled' if compiled else ''):33} {1e3 * seconds:7.1f} ms/step {IMAGES / seconds:8.0f} images/s "
          f"{work / seconds / 1e12:6.0f} TFLOP/s {work / PEAK / seconds:5.0%} of the floor {torch.cuda.max_memory_allocated() / 1e9:6.1f} GB", flush=True)


def check():
    import open_clip
    torch.manual_seed(0)
    model = open_clip.model.CLIP(embed_dim=16, vision_cfg={"image_size": 32, "patch_size": 16, "width": 16, "layers": 1, "head_width": 8},
                                 text_cfg={"context_length": CONTEXT, "vocab_size": VOCABULARY, "width": 16, "heads": 2, "layers": 2}).eval()
    text, sizes = tokens(3, "cpu"), lengths(3)
    with torch.no_grad():
        want = model.encode_text(text)
        for way in WAYS:
            off = (features(model, text, sizes, way) - want).norm() / want.norm()
            print(f"{way}: {off:.1e} from open_clip's encode_text")
            assert off < 1e-5, way


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="hold the four against open_clip, on the CPU")
    if parser.parse_args().check:
        return check()
    print(f"a step of {IMAGES} images × {TEXTS} texts of {sum(LENGTHS) / TEXTS} tokens on ViT-B/32:")
    for way in WAYS:
        vision, text = flops(way)
        print(f"  {way:22} images {vision / 1e12:4.1f} TFLOP, texts {text / 1e12:4.1f} TFLOP: {1e3 * (vision + text) / PEAK:4.1f} ms at {PEAK / 1e12:.0f} TFLOP/s")
    if not torch.cuda.is_available():
        print("there is no card: nothing was measured")
        return
    print(torch.cuda.get_device_name())
    for compiled in (False, True):
        for way in WAYS:
            try:
                measure(way, compiled)
            except Exception as error:  # one that fails does not keep the others from being measured
                print(f"PyTorch, {way}{', compiled' if compiled else ''}: {type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main()
