"""The products of BenchmarkMultiply with numpy's OpenBLAS and with PyTorch, at the best of their rates.

OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python openblas.py

OPENBLAS_CORETYPE=SkylakeX chooses OpenBLAS' kernels for AVX-512 on processors that it does not know.
"""

import time

import numpy as np
import torch

torch.set_num_threads(1)

# m, n, k, and whether A and B lie transposed.
SIZES = [
    (512, 512, 512, False, False), (512, 512, 512, False, True), (512, 512, 512, True, False),
    (3000, 192, 64, False, True), (3000, 64, 64, False, True), (3000, 256, 64, False, True), (3000, 64, 256, False, True),
    (3000, 64, 192, False, False), (192, 64, 3000, True, False), (64, 64, 3000, True, False), (256, 64, 3000, True, False),
    (1088, 192, 64, False, True), (1500, 768, 3072, False, True), (1500, 3072, 768, False, True), (3072, 768, 1500, True, False),
    (2048, 512, 512, False, True), (64, 64, 64, False, True), (17, 17, 16, False, True),
]

for m, n, k, ta, tb in SIZES:
    a = np.random.rand(*((k, m) if ta else (m, k))).astype(np.float32)
    b = np.random.rand(*((n, k) if tb else (k, n))).astype(np.float32)
    a, b = (a.T if ta else a), (b.T if tb else b)
    x, y = torch.from_numpy(a), torch.from_numpy(b)
    c, z = np.empty((m, n), np.float32), torch.empty(m, n)
    flops, rates = 2 * m * n * k, []
    for product in (lambda: np.dot(a, b, out=c), lambda: torch.mm(x, y, out=z)):
        best = float("inf")
        for _ in range(max(5, min(3000, int(1e10 / flops)))):
            start = time.perf_counter()
            product()
            best = min(best, time.perf_counter() - start)
        rates.append(flops / best / 1e9)
    print(f"{m},{n},{k},{ta},{tb}".lower(), "numpy %.1f, torch %.1f GFLOP/s" % tuple(rates))
