"""Joins the batches of all ranks into one, so that a loss contrasts over all of them."""
from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch.distributed.nn.functional import all_gather

from .collate import truth


def gather(image: torch.Tensor, text: torch.Tensor, batch: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor, dict[str, Any]]:
    """Returns the features of all ranks, in the order of the ranks, and their batch: true, m, of, kind, image_of, weight and margin. image [n, w] and text
    [m + r, w] are the features of this rank's batch, on the device of its tensors; ranks may have different n, m and r.

    Each rank then computes the loss of the whole batch. Gradients flow back to the rank of each feature, and their mean over ranks,
    which DistributedDataParallel computes, equals that of one process. With one process nothing changes."""
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return image, text, batch
    m, rank = batch["m"], dist.get_rank()
    counts = gather_rows(torch.tensor([[len(image), m, len(text) - m]], device=image.device))
    images_before, texts_before, negatives_before = counts[:rank].sum(0).tolist()
    n, all_m, _ = counts.sum(0).tolist()
    whole = {
        "m": all_m,
        "of": gather_rows(batch["of"] + texts_before),
        "kind": gather_rows(batch["kind"]),
        "image_of": gather_rows(batch["image_of"] + images_before),
        "weight": gather_rows(batch["weight"]),
        "margin": gather_rows(batch["margin"]),
        "ids": texts_of_all(batch["ids"], m),
        "known": gather_rows(batch["known"]),
        "known_of": gather_rows(batch["known_of"] + images_before),
    }
    if "parts" in batch:
        of = batch["parts_of"]
        whole |= {
            "parts": gather_rows(batch["parts"]),
            "parts_of": gather_rows(torch.where(of < m, of + texts_before, of - m + all_m + negatives_before)),
            "known_parts": gather_rows(batch["known_parts"]),
            "known_parts_of": gather_rows(batch["known_parts_of"] + images_before),
        }
    return gather_rows(image), texts_of_all(text, m), whole | {"true": truth(n, whole)}


def texts_of_all(x: torch.Tensor, m: int) -> torch.Tensor:
    """Returns the rows of all ranks' texts: first all positives (m of this rank), then all negatives."""
    return torch.cat([gather_rows(x[:m]), gather_rows(x[m:])])


def gather_rows(x: torch.Tensor) -> torch.Tensor:
    """Returns the rows of all ranks' tensors, which may differ in number. Gradients flow back."""
    own = torch.tensor([len(x)], device=x.device)
    lengths = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(lengths, own)
    most = int(max(lengths))
    padded = torch.cat([x, x.new_zeros(most - len(x), *x.shape[1:])])
    if padded.requires_grad:
        parts = all_gather(padded)
    else:
        parts = [torch.empty_like(padded) for _ in lengths]
        dist.all_gather(parts, padded)
    return torch.cat([part[:int(n)] for part, n in zip(parts, lengths)])
