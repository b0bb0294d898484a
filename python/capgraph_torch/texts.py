"""The texts of images, drawn anew each epoch, and their join with streamed images."""
from __future__ import annotations

import os
import warnings
from typing import Iterable, Iterator, Mapping, Optional, Sequence

import torch

from . import draw, files
from .corpus import Corpus
from .normal import text_id


JOIN_TRIES = 10_000  # samples


class Texts:
    """The texts that epochs draw from a corpus.

    path: the output folder of a run, its folder texts/ or a file in that; a folder may be an s3:// URL
    by: the column in which an image's key is looked up: key, image_key or image
    seed: of all draws
    stage: 1 or 2, of MosaiCLIP's curriculum; set_epoch changes it
    classes: NEGCLIP or CECLIP draws negatives of the caption; () draws the caption alone; None draws as MosaiCLIP does, by
        weights: how often each class is drawn, in proportion,
        most: positives besides the caption, and negatives, of an image in stage 2,
        bare: also positives that name no attribute, and
        specific: positives that few captions of the corpus state more often
    mask: which texts of other images a batch takes as true of an image: equal, those that equal one of its own; entailed, also those of
        which its captions state each part
    views: how often the caption is whole, some of its sentences, or a part of it, in proportion, and
        first_sentence: False leaves out the first sentence of captions of several; both with classes=() only
    pairs: most positives of an image that come with their paraphrase, for readclip: the first of the drawn row
    cache: a folder for the index and decoded rows, shared by ranks and later trainings; without it they are temporary
    """

    def __init__(self, path: str, by: str = "key", seed: int = 0, stage: int = 2, classes: Optional[Sequence[str]] = None,
                 weights: Mapping[str, int] = draw.WEIGHTS, most: tuple[int, int] = draw.MOST, bare: bool = False, specific: bool = False,
                 mask: str = "equal", pairs: int = 0, views: Mapping[str, int] = draw.VIEWS, first_sentence: bool = True, cache: Optional[str] = None):
        if by not in ("key", "image_key", "image"):
            raise ValueError(f"by={by!r}: want key, image_key or image")
        if mask not in ("equal", "entailed"):
            raise ValueError(f"mask={mask!r}: want equal or entailed")
        self.path, self.by, self.seed, self.classes = files.texts_folder(path), by, seed, classes
        self.weights, self.most, self.bare, self.specific, self.mask, self.cache = weights, most, bare, specific, mask, cache
        self.pairs, self.views, self.first_sentence = pairs, views, first_sentence
        self.viewed = not first_sentence or any(views.get(name) for name in ("sentences", "parts"))
        if self.viewed and (classes is None or len(classes)):
            raise ValueError("views, or first_sentence=False: negatives of a caption are as long as it: want classes=()")
        self.now = torch.tensor([0, stage]).share_memory_()  # loader workers that live on see it change
        self.whole: Optional[Corpus] = None
        self.shard: Optional[Corpus] = None

    def set_epoch(self, epoch: int, stage: int = 2) -> None:
        """Sets the epoch and the stage of the draws from now on."""
        self.now[:] = torch.tensor([epoch, stage])

    @property
    def epoch(self) -> int:
        return int(self.now[0])

    def numbers(self, purpose: str, key: str) -> Iterator[int]:
        """Returns random numbers of the epoch, for a purpose of the caller."""
        return draw.numbers(purpose, self.seed, self.epoch, key)

    @property
    def corpus(self) -> Corpus:
        """Returns the corpus of path; its index is made at the first call."""
        if self.whole is None:
            self.whole = Corpus(self.path, self.by, self.cache)
        return self.whole

    def __contains__(self, key: str) -> bool:
        return bool(self.corpus.find(key))

    def __getitem__(self, key: str) -> dict:
        """Returns what the epoch draws for an image; KeyError if it has no texts."""
        rows = self.corpus.find(key)
        if not rows:
            raise KeyError(key)
        return self.sample(self.corpus, rows)

    def __len__(self) -> int:
        """Returns the number of images: of runs of rows with one key."""
        return len(self.corpus)

    def at(self, i: int) -> dict:
        """Returns what the epoch draws for image i, from 0."""
        return self.sample(self.corpus, self.corpus.run(i))

    def join(self, samples: Iterable[dict]) -> Iterator[dict]:
        """Use it after webdataset's tarfile_to_samples: it joins 00042.tar with texts/00042.parquet, without images that have no texts.
        ValueError if no sample has texts: at the end, or after the first JOIN_TRIES samples."""
        reading, joined, first = None, 0, ""
        for tried, sample in enumerate(samples):
            first = first or f"{sample['__key__']} of {sample['__url__']}"
            if not joined and tried == JOIN_TRIES:
                raise self._not_joined(tried, first)
            path = self.path
            if files.is_folder(path):
                path = os.path.join(path, os.path.basename(sample["__url__"]).split(".")[0] + ".parquet")
                if not files.exists(path):
                    warnings.warn(f"{path} is not there: the images of its tar have no texts")
                    continue
            if path != reading:
                self.shard, reading = Corpus(path, self.by), path
            rows = self.shard.find(sample["__key__"])
            if rows:
                joined += 1
                yield sample | self.sample(self.shard, rows)
        if first and not joined:
            raise self._not_joined(tried + 1, first)

    def _not_joined(self, tried: int, first: str) -> ValueError:
        return ValueError(f"none of {tried} images has texts in {self.path}; the first is {first}: are these the tars that the texts were "
                          f"made of, and is {self.by} (by=) their key?")

    def sample(self, corpus: Corpus, rows: list[int]) -> dict:
        epoch, stage = self.now.tolist()
        image_key = corpus.rows.read(rows[0], rows[0] + 1, ["image_key"])[0]["image_key"]
        drawn = draw.pick(draw.numbers("caption", self.seed, epoch, image_key), rows)
        row = corpus.rows.read(drawn, drawn + 1)[0]
        if self.classes is None:
            pos, neg, kind = draw.draw_texts(row, self.seed, epoch, stage, self.most, self.weights, self.bare, self.specific)
        else:
            pos, neg, kind = draw.draw_caption(row, self.seed, epoch, self.classes)
        texts, ids, whole = [row["pos"][p] for p in pos], [row["pos_id"][p] for p in pos], 0
        if self.viewed:
            text, whole = draw.draw_view(row, self.seed, epoch, self.views, self.first_sentence, self.bare)
            texts, ids = [text], [text_id(text)]
        of_image = [corpus.rows.read(i, i + 1, ["pos_id", "pos_parts"])[0] for i in corpus.images(rows)]
        known = {x for r in of_image for x in r["pos_id"]} | set(ids)
        parts = {}
        if self.pairs:
            pairs = draw.paraphrase_pairs(row, self.pairs)
            parts = {"pair_texts": [row["pos"][p] for p, _ in pairs], "pair_ids": [row["pos_id"][p] for p, _ in pairs],
                     "paraphrases": [row["pos"][q] for _, q in pairs], "paraphrase_ids": [row["pos_id"][q] for _, q in pairs]}
        if self.mask == "entailed":
            # a caption states more than its graph
            parts |= {"pos_parts": [row["pos_parts"][p] if p else [] for p in ([max(whole, 0)] if self.viewed else pos)], "neg_parts": [row["neg_parts"][n] for n in neg],
                     "known_parts": sorted({x for r in of_image for x in r["pos_parts"][0]})}
        sure = [row["pos_confidence"][p] for p in pos]
        neg_of = [pos.index(row["neg_of"][n]) for n in neg]
        margin = [sure[k] * draw.CONCRETENESS.get(row["neg_changed"][n], draw.CONCRETENESS[""]) for k, n in zip(neg_of, neg)]
        return parts | {"key": row["key"], "image_key": image_key, "image_path": row["image"], "text": row["text"], "known": sorted(known),
                "pos": texts, "pos_id": ids, "kind": kind,
                "neg": [row["neg"][n] for n in neg], "neg_of": neg_of, "weight": sure, "margin": margin}
