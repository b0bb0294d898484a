"""The step of BenchmarkStep (train/step_bench_test.go) in PyTorch, with its texts padded in three ways. OMP_NUM_THREADS says on how many cores.

    OMP_NUM_THREADS=1 python train/testdata/step.py"""
import math
import time

import open_clip
import torch
from open_clip.loss import ClipLoss

torch.set_num_threads(int(__import__("os").environ.get("OMP_NUM_THREADS", "1")))


def step_of(context):
    torch.manual_seed(0)
    model = open_clip.model.CLIP(
        embed_dim=64, vision_cfg={"image_size": 32, "patch_size": 8, "width": 64, "layers": 2, "head_width": 32},
        text_cfg={"context_length": context, "vocab_size": 1024, "width": 64, "heads": 2, "layers": 2})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.1)
    images = torch.rand(64, 3, 32, 32)
    texts = torch.zeros(64, context, dtype=torch.long)
    for i in range(64):
        n = 5 + i % 12
        texts[i, :n] = torch.randint(0, 1022, (n,))
        texts[i, n - 1] = 1023
    loss = ClipLoss()

    def step():
        optimizer.zero_grad()
        image, text, scale = model(images, texts)
        loss(image, text, scale).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))
    return step


for context in (77, 32, 16):
    step = step_of(context)
    for _ in range(5):
        step()
    times = []
    for _ in range(30):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    times.sort()
    print(f"padded to {context}: median {1e3 * times[15]:.1f} ms, least {1e3 * times[0]:.1f} ms")
