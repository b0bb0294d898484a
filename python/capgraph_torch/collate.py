"""A batch of samples."""
from __future__ import annotations

import itertools
from typing import Any, Sequence

import torch

from .normal import text_id


def collate(samples: Sequence[dict], image: str = "image") -> dict[str, Any]:
    """Returns the batch of n samples, with m positives and r negatives in all. Samples whose image is None are left out.

    images: [n, …]
    texts: m positives, then r negatives
    true: bool [n, m + r]. P(i) is row i and Q(j) column j of its first m columns; a negative that is true of an image leaves that
        image's denominator
    m: number of positives
    of, kind: [r], a negative's positive and its class
    image_of: [m], the image of each positive
    weight: [m], how sure a positive is; margin: [r], a negative's share of the largest margin: see margins()
    ids: [m + r], the id of each text; known, known_of: the ids of all true texts of the images, and the image of each
    parts, parts_of: what the texts state, and the text of each; known_parts, known_parts_of: what the captions of the images state, and
        the image of each. Only if the texts were drawn with mask="entailed"
    pair_texts, paraphrases: texts and the paraphrase of each, and same: bool [k, k], which pairs share a meaning. Only if the texts were
        drawn with pairs
    missing: {image key: reason} of the samples left out
    """
    missing = {s["image_key"]: s.get("error", "") for s in samples if s[image] is None}
    here = [s for s in samples if s[image] is not None]
    if not here:
        key, why = next(iter(missing.items()))
        raise ValueError(f"none of the {len(samples)} images of a batch could be read; of {key}: {why}")
    first = itertools.accumulate((len(s["pos"]) for s in here), initial=0)
    neg = [text for s in here for text in s["neg"]]
    batch = {
        "images": torch.stack([s[image] for s in here]),
        "texts": [text for s in here for text in s["pos"]] + neg,
        "m": sum(len(s["pos"]) for s in here),
        "of": integers(f + k for f, s in zip(first, here) for k in s["neg_of"]),
        "kind": integers(k for s in here for k in s["kind"]),
        "image_of": integers(i for i, s in enumerate(here) for _ in s["pos"]),
        "weight": torch.tensor([max(x, 0.01) for s in here for x in s.get("weight", [1.0] * len(s["pos"]))]),
        "margin": torch.tensor([x for s in here for x in s.get("margin", [1.0] * len(s["neg"]))]),
        "ids": integers(itertools.chain((x for s in here for x in s["pos_id"]), map(text_id, neg))),
        "known": integers(x for s in here for x in s["known"]),
        "known_of": integers(i for i, s in enumerate(here) for _ in s["known"]),
        "missing": missing,
    }
    if "known_parts" in here[0]:
        texts = [p for s in here for p in s["pos_parts"]] + [p for s in here for p in s["neg_parts"]]
        batch |= {
            "parts": integers(itertools.chain(*texts)),
            "parts_of": integers(j for j, p in enumerate(texts) for _ in p),
            "known_parts": integers(x for s in here for x in s["known_parts"]),
            "known_parts_of": integers(i for i, s in enumerate(here) for _ in s["known_parts"]),
        }
    if "pair_texts" in here[0]:
        a, b = (integers(x for s in here for x in s[name])[:, None] for name in ("pair_ids", "paraphrase_ids"))
        batch |= {name: [text for s in here for text in s[name]] for name in ("pair_texts", "paraphrases")}
        batch["same"] = (a == a.T) | (b == b.T) | (a == b.T) | (b == a.T)
    return batch | {"true": truth(len(here), batch)}


def mask_cut(batch: dict[str, Any], tokens: torch.Tensor) -> int:
    """Leaves out the negatives of a batch that are equal to their positive in tokens [m + r, length], the texts as the encoder reads
    them: what a negative changes lies behind the encoder's context. batch["true"] marks them as true of their image, so that no loss
    compares them with it. Returns how many they are."""
    m, of = batch["m"], batch["of"].to(tokens.device)
    cut = (tokens[m:] == tokens[of]).flatten(1).all(1).to(batch["true"].device)
    columns = m + cut.nonzero()[:, 0]
    batch["true"][batch["image_of"][batch["of"]][cut], columns] = True
    return len(columns)


def integers(values) -> torch.Tensor:
    return torch.tensor(list(values), dtype=torch.int64)


def truth(n: int, batch: dict[str, Any]) -> torch.Tensor:
    """Returns bool [n, m + r]: whether a text is known to be true of an image: it equals one of its own, or, of another image and with
    mask="entailed", its captions state each part of it."""
    true = equal(n, batch["ids"], batch["known"], batch["known_of"])
    if "parts" not in batch:
        return true
    image_of = torch.cat([batch["image_of"], batch["image_of"][batch["of"]]])
    others = image_of != torch.arange(n, device=image_of.device)[:, None]
    words, place = torch.cat([batch["parts"], batch["known_parts"]]).unique(return_inverse=True)
    states, knows = torch.zeros(true.shape[1], len(words), device=true.device), torch.zeros(n, len(words), device=true.device)
    states[batch["parts_of"], place[:len(batch["parts"])]] = 1
    knows[batch["known_parts_of"], place[len(batch["parts"]):]] = 1
    return true | others & (states.sum(1) > 0) & (knows @ states.T == states.sum(1))


def equal(n: int, ids: torch.Tensor, known: torch.Tensor, known_of: torch.Tensor) -> torch.Tensor:
    """Returns bool [n, len(ids)]: whether a text has the id of a true text of an image."""
    ordered, columns = ids.sort()
    first, last = torch.searchsorted(ordered, known), torch.searchsorted(ordered, known, right=True)
    count = last - first  # columns that say what is known
    place = torch.arange(int(count.sum()), device=ids.device) - (count.cumsum(0) - count - first).repeat_interleave(count)
    true = torch.zeros(n, len(ids), dtype=torch.bool, device=ids.device)
    true[known_of.repeat_interleave(count), columns[place]] = True
    return true
