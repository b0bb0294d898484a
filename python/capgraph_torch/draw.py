"""The texts that an epoch draws from a row's pool (docs/format.md): a function of only the seed, the epoch and the row's key."""
from __future__ import annotations

import hashlib
import itertools
from typing import Iterator, Mapping, Sequence, TypeVar

T = TypeVar("T")

WEIGHTS = {"c_obj": 6, "c_rel": 17, "c_attr": 17}  # p_1 = 0.15, p_2 = p_3 (MosaiCLIP App. H.1); other categories are not drawn
MOST = (3, 6)  # positives and negatives of an image in stage 2
NEGCLIP = ("*",)  # what negatives of a caption change; * is anything
CECLIP = ("order", "attribute", "action", "object")
M64 = 2**64 - 1


def numbers(purpose: str, seed: int, epoch: int, key: str) -> Iterator[int]:
    """Yields random 64-bit numbers for a purpose and a key, without end."""
    state = int.from_bytes(hashlib.sha256(f"{purpose}\n{seed}\n{epoch}\n{key}".encode()).digest()[:8], "little")
    while True:
        state = (state + 0x9E3779B97F4A7C15) & M64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        yield z ^ z >> 31


def pick(random: Iterator[int], among: Sequence[T]) -> T:
    """Returns one of several, by the next number."""
    return among[next(random) % len(among)]


def draw_texts(row: Mapping, seed: int, epoch: int, stage: int = 2, most: tuple[int, int] = MOST,
               weights: Mapping[str, int] = WEIGHTS) -> tuple[list[int], list[int], list[int]]:
    """MosaiCLIP's draw: indices into the row's pos and neg, and the place of each negative's category in weights. Stage 1 draws at
    most one of each, stage 2 most. Weights are whole numbers in proportion to the probabilities of categories."""
    random, (most_pos, most_neg) = numbers("texts", seed, epoch, row["key"]), (1, 1) if stage == 1 else most
    ids, text, of, category, names = row["pos_id"], row["neg"], row["neg_of"], row["neg_category"], list(weights)
    pos: list[int] = []
    neg: list[int] = []
    still = [i for i in range(len(text)) if 0 <= of[i] < len(ids)]
    while len(neg) < most_neg:
        totals = list(itertools.accumulate(weight * any(category[i] == name for i in still) for name, weight in weights.items()))
        if totals[-1] == 0:
            break
        r = next(random) % totals[-1]
        drawn = names[sum(r >= total for total in totals)]
        among = [i for i in still if category[i] == drawn]
        k = pick(random, sorted({of[i] for i in among}))
        neg.append(pick(random, [i for i in among if of[i] == k]))
        if k not in pos:
            pos.append(k)
        barred = {ids[p] for p in (pos if len(pos) < most_pos else range(len(ids)))}
        still = [i for i in still if text[i] != text[neg[-1]] and (of[i] in pos or ids[of[i]] not in barred)]
    return pos or [0], neg, [names.index(category[i]) for i in neg]


def draw_caption(row: Mapping, seed: int, epoch: int, classes: Sequence[str]) -> tuple[list[int], list[int], list[int]]:
    """The caption with its own negatives: [0], indices into neg of one negative of each class that the caption has, and the places of
    those classes. Categories play no part: this draws fills and swaps, whose neg_category is none."""
    random = numbers("negatives", seed, epoch, row["key"])
    neg: list[int] = []
    kind: list[int] = []
    for c, name in enumerate(classes):
        drawn = {row["neg"][i] for i in neg}
        among = [i for i, changed in enumerate(row["neg_changed"])
                 if row["neg_of"][i] == 0 and name in ("*", changed) and row["neg"][i] not in drawn]
        if among:
            neg.append(pick(random, among))
            kind.append(c)
    return [0], neg, kind
