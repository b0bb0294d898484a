"""The texts that an epoch draws from a row's pool (docs/format.md): a function of only the seed, the epoch and the row's key."""
from __future__ import annotations

import hashlib
import itertools
import re
from typing import Iterator, Mapping, Optional, Sequence, TypeVar

from .normal import normalize

T = TypeVar("T")

# How often a negative is of each class, in proportion: a quarter of the caption; of the rest p_1 = 0.15, p_2 = p_3 (MosaiCLIP App. H.1)
WEIGHTS = {"c_obj": 18, "c_rel": 51, "c_attr": 51, "caption": 40}
MOST = (3, 6)  # positives besides the caption, and negatives, of an image in stage 2
NEGCLIP = ("*",)  # what negatives of a caption change; * is anything: the change is drawn first
CECLIP = ("order", "attribute", "action", "object")
# How concrete what a negative changes is, as drawing.Concreteness of capgraph has it; other changes have the last
CONCRETENESS = {"object": 0.94, "action": 0.74, "relation": 0.56, "": 0.69}
VIEWS = {"whole": 1, "sentences": 0, "parts": 0}  # how often the text of a caption is it, some of its sentences, a part of it
ABBREVIATIONS = frozenset("mr mrs ms dr st vs no jr sr prof gen col sgt rev approx ca cf e.g i.e etc inc ltd".split())
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


def bare_positives(row: Mapping) -> list[bool]:
    """Returns, for each positive, whether its words name no attribute: "a boy", "a boy holding a kite" (docs/format.md)."""
    texts = [f" {re.sub('^there (is|are) ', '', normalize(text) + ' ')}" if kind in ("object", "relation") else ""
             for text, kind in zip(row["pos"], row["pos_kind"])]
    bare = [kind == "object" and text.count(" ") <= 2 for text, kind in zip(texts, row["pos_kind"])]
    described = [text for text, kind, alone in zip(texts, row["pos_kind"], bare) if kind == "object" and not alone]
    for k, kind in enumerate(row["pos_kind"]):
        if kind == "relation":
            bare[k] = not any(text in texts[k] for text in described)
        elif kind == "paraphrase" and k > 0:
            bare[k] = bare[k - 1]
    return bare


def paraphrase_pairs(row: Mapping, most: int) -> list[tuple[int, int]]:
    """Returns the first positives of a row that have a paraphrase, and their paraphrases, as indices into its pos; at most so many."""
    pairs, original = [], 0
    for k, kind in enumerate(row["pos_kind"]):
        if kind != "paraphrase":
            original = k
        elif k > 0:
            pairs.append((original, k))
    return pairs[:most]


def draw_texts(row: Mapping, seed: int, epoch: int, stage: int = 2, most: tuple[int, int] = MOST,
               weights: Mapping[str, int] = WEIGHTS, bare: bool = False, specific: bool = False) -> tuple[list[int], list[int], list[int]]:
    """MosaiCLIP's draw: indices into the row's pos and neg, and the place of each negative's class in weights. The caption comes first,
    besides most of the others. Stage 1 draws at most one of each, stage 2 most. Weights are whole numbers in proportion to the
    probabilities of classes. bare also draws positives that name no attribute; specific draws positives in proportion to 1 / pos_count."""
    if unknown := set(weights) - set(WEIGHTS):
        raise ValueError(f"weights have {', '.join(sorted(unknown))}: want c_obj, c_rel, c_attr and caption")
    if not row["pos"]:
        return [], [], []
    random, (most_pos, most_neg) = numbers("texts", seed, epoch, row["key"]), (1, 1) if stage == 1 else most
    ids, text, of, names = row["pos_id"], row["neg"], row["neg_of"], list(weights)
    category = ["caption" if k == 0 else name for k, name in zip(of, row["neg_category"])]
    hidden = [False] * len(ids) if bare else bare_positives(row)
    pos: list[int] = [0]
    neg: list[int] = []
    still = [i for i in range(len(text)) if 0 <= of[i] < len(ids) and not hidden[of[i]]]
    while len(neg) < most_neg:
        barred = {ids[p] for p in (pos if len(pos) <= most_pos else range(len(ids)))}
        still = [i for i in still if of[i] in pos or ids[of[i]] not in barred]
        totals = list(itertools.accumulate(weight * any(category[i] == name for i in still) for name, weight in weights.items()))
        if totals[-1] == 0:
            break
        r = next(random) % totals[-1]
        drawn = names[sum(r >= total for total in totals)]
        among = [i for i in still if category[i] == drawn]
        k = pick_positive(random, sorted({of[i] for i in among}), row["pos_count"] if specific else None)
        neg.append(pick(random, [i for i in among if of[i] == k]))
        if k not in pos:
            pos.append(k)
        still = [i for i in still if text[i] != text[neg[-1]]]
    return pos, neg, [names.index(category[i]) for i in neg]


def pick_positive(random: Iterator[int], among: Sequence[int], counts: Optional[Sequence[int]]) -> int:
    """Returns one of several positives, by the next number: all alike, or in proportion to 1 / their counts."""
    if counts is None:
        return pick(random, among)
    totals = list(itertools.accumulate(max(2**32 // max(counts[k], 1), 1) for k in among))
    r = next(random) % totals[-1]
    return among[sum(r >= total for total in totals)]


def draw_caption(row: Mapping, seed: int, epoch: int, classes: Sequence[str]) -> tuple[list[int], list[int], list[int]]:
    """The caption with its own negatives: [0], indices into neg of one negative of each class that the caption has, and the places of
    those classes. For the class *, one of the changes that the caption has is drawn first."""
    random = numbers("negatives", seed, epoch, row["key"])
    neg: list[int] = []
    kind: list[int] = []
    for c, name in enumerate(classes):
        drawn = {row["neg"][i] for i in neg}
        among = [i for i, changed in enumerate(row["neg_changed"])
                 if row["neg_of"][i] == 0 and name in ("*", changed) and row["neg"][i] not in drawn]
        if among:
            if name == "*":
                change = pick(random, sorted({row["neg_changed"][i] for i in among}))
                among = [i for i in among if row["neg_changed"][i] == change]
            neg.append(pick(random, among))
            kind.append(c)
    return [0], neg, kind


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text, without the spaces between them: as package internal/text has it."""
    found, begin = [], 0
    for end in re.finditer(r"""[.!?][.!?"')\]]*(?=( *))""", text):
        after = end.end() + len(end[1])
        last = after == len(text)
        if end.start() < begin or not (last or end[1] and not "a" <= text[after] <= "z" and not (end[0][0] == "." and is_abbreviation(text[begin:end.start()]))):
            continue
        found.append(text[begin:end.end()])
        begin = after
    return found + ([text[begin:].rstrip(" ")] if begin < len(text) else [])


def is_abbreviation(text: str) -> bool:
    """Returns whether the last word of a text, after which a full stop stands, is an abbreviation or an initial."""
    word = re.split(r"""[ ("'`]""", text)[-1]
    size = len(word.encode())
    if size == 1:
        return "A" <= word <= "Z"
    return size <= 3 and "." in word or size <= 6 and word.lower() in ABBREVIATIONS


def draw_view(row: Mapping, seed: int, epoch: int, views: Mapping[str, int] = VIEWS, first_sentence: bool = True,
              bare: bool = False) -> tuple[str, int]:
    """The text that an epoch takes for the caption of a row, and its place in pos, -1 if it is none of these. views are whole numbers in
    proportion; without first_sentence, the first sentence of captions of several, which sums up the others, is left out."""
    if unknown := set(views) - set(VIEWS):
        raise ValueError(f"views have {', '.join(sorted(unknown))}: want whole, sentences and parts")
    if not row["pos"]:
        return "", -1
    caption = whole = row["pos"][0]
    weights = [views.get(name, 0) for name in VIEWS]
    if not any(weights[1:]) and first_sentence:
        return caption, 0
    said = sentences(caption)
    if not first_sentence and len(said) > 1:
        said = said[1:]
        whole = " ".join(said)
    hidden = [False] * len(row["pos"]) if bare else bare_positives(row)
    parts = [k for k in range(1, len(row["pos"])) if not hidden[k]]
    weights = [weights[0], weights[1] if len(said) > 1 else 0, weights[2] if parts else 0]
    random = numbers("view", seed, epoch, row["key"])
    r = next(random) % sum(weights) if sum(weights) else 0
    if r < weights[0] or not any(weights[1:]):
        return whole, 0 if whole == caption else -1
    if r < weights[0] + weights[1]:
        for _ in range(len(said) - 1 - next(random) % len(said)):
            del said[next(random) % len(said)]
        return " ".join(said), -1
    k = pick(random, parts)
    return row["pos"][k], k
