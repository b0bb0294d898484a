"""Each export read by the program that it is for."""
import argparse
import ast
import collections
import json
import random

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
import webdataset as wds
from open_clip_train.data import get_wds_dataset

RNG = random.Random(0)

MEASURED = ("pos_confidence", "pos_count", "pos_parts", "neg_score", "neg_parts")  # columns that exports leave out


def of_caption(row):
    return [text for text, of in zip(row["neg"], row["neg_of"]) if of == 0]


class NegCLIPData:
    """Reads the TSV as NegCLIP's published loader and its forks do."""

    def __init__(self, path):
        df = pd.read_csv(path, sep="\t", converters={"neg_caption": ast.literal_eval, "neg_image": ast.literal_eval})
        self.images, self.captions = df["filepath"].tolist(), df["title"].tolist()
        self.hard_captions, self.hard_images = df["neg_caption"].tolist(), df["neg_image"].tolist()

    def __getitem__(self, i):
        other = RNG.choice(self.hard_images[i])
        return (self.images[i], self.captions[i], RNG.choice(self.hard_captions[i]),
                self.images[other], self.captions[other], RNG.choice(self.hard_captions[other]))


def test_negclip(capgraph, captions, tmp_path):
    rows = list(captions.rows.values())
    images = sorted({row["image_key"] for row in rows})
    neighbours = {key: RNG.sample([k for k in images if k != key], 3) for key in images}
    (tmp_path / "neighbours.tsv").write_text("".join("\t".join([k, *near]) + "\n" for k, near in neighbours.items()))
    out = tmp_path / "negclip.tsv"
    capgraph("export", captions.out, "--to", "negclip-tsv", "-o", out, "--images", captions.images, "--neighbours", tmp_path / "neighbours.tsv")
    data = NegCLIPData(out)
    want = [row for row in rows if of_caption(row)]
    assert data.captions == [row["text"] for row in want] and data.hard_captions == [of_caption(row) for row in want]
    assert len(want) > len(rows) / 2
    for i, row in enumerate(want):
        near = [want[j]["image_key"] for j in data.hard_images[i]]
        assert near and set(near) <= set(neighbours[row["image_key"]])
        assert all(isinstance(x, str) and x for x in data[i])
        assert data.images[i] == f"{captions.images}/{row['image']}"
    first = pd.read_csv(out, sep="\t")
    assert list(first.columns) == ["Unnamed: 0", "title", "filepath", "neg_caption", "neg_image"]
    assert first["Unnamed: 0"].tolist() == list(range(len(want)))


def test_negclip_without_neighbours_warns(capgraph, captions, tmp_path):
    done = capgraph("export", captions.out, "--to", "negclip-tsv", "-o", tmp_path / "out.tsv")
    assert "warning" in done.err and "--neighbours" in done.err
    assert set(map(str, NegCLIPData(tmp_path / "out.tsv").hard_images)) == {"[]"}
    again = capgraph("export", captions.out, "--to", "negclip-tsv", "-o", tmp_path / "out.tsv", fails=True)
    assert "exists" in again.err


def test_jsonl(capgraph, captions, tmp_path):
    out = tmp_path / "out.jsonl"
    capgraph("export", captions.out, "--to", "jsonl", "-o", out)
    data = datasets.load_dataset("json", data_files=str(out), split="train", cache_dir=str(tmp_path / "cache"))
    want = [{k: v for k, v in row.items() if k not in MEASURED} for row in captions.rows.values()]
    assert data.to_list() == want


@pytest.fixture(scope="module")
def webdataset(capgraph, tars, tmp_path_factory):
    out = tmp_path_factory.mktemp("export") / "wds"
    capgraph("export", tars.out, "--to", "webdataset", "-o", out, "--images", tars.folder)
    return out


def test_webdataset(capgraph, tars, webdataset, tmp_path):
    urls = sorted(map(str, webdataset.glob("*.tar")))
    assert [u.rsplit("/", 1)[1] for u in urls] == [f"{i:05d}.tar" for i in range(len(urls))]
    samples = list(wds.DataPipeline(wds.SimpleShardList(urls), wds.tarfile_to_samples(), wds.decode("pil")))
    assert sorted(s["__key__"] for s in samples) == sorted(tars.rows)
    sizes = json.loads((webdataset / "sizes.json").read_text())
    assert sum(sizes.values()) == len(samples) and sizes["00000.tar"] == sum(s["__url__"] == urls[0] for s in samples)
    for s in samples:
        row = tars.rows[s["__key__"]]
        assert s["txt"] == row["text"] == s["json"]["pos_0"] and min(s["jpg"].size) > 8
        assert list(s["json"]) == list(samples[0]["json"]) and all(isinstance(v, str) for v in s["json"].values())
        said = [v for k, v in s["json"].items() if k.startswith("pos_")]
        assert set(said) <= set(row["pos"]) and not set(said) & set(row["neg"])
        assert s["neg.json"]["neg"] == row["neg"] and s["neg.json"]["of"] == [row["pos"][k] for k in row["neg_of"]]
    capgraph("export", tars.out, "--to", "webdataset", "-o", tmp_path / "again", "--images", tars.folder)
    for url in urls:
        assert (tmp_path / "again" / url.rsplit("/", 1)[1]).read_bytes() == open(url, "rb").read()


def test_webdataset_read_by_open_clip(tars, webdataset):
    args = argparse.Namespace(val_data=f"{webdataset}/{{00000..{len(list(webdataset.glob('*.tar'))) - 1:05d}}}.tar", val_num_samples=len(tars.rows), dataset_resampled=False,
                              train_data_upsampling_factors=None, train_num_samples=None, seed=0, batch_size=16, workers=0, world_size=1)
    said = []
    data = get_wds_dataset(args, lambda image: torch.tensor(image.size), False, tokenizer=lambda text: said.append(text) or [len(text)])
    assert sum(len(images) for images, _ in data.dataloader) == len(tars.rows)
    assert sorted(said) == sorted(row["text"] for row in tars.rows.values())


def test_webdataset_read_by_datasets(tars, webdataset, tmp_path):
    data = datasets.load_dataset("webdataset", data_files=sorted(map(str, webdataset.glob("*.tar"))), split="train", cache_dir=str(tmp_path))
    assert sorted(data["txt"]) == sorted(row["text"] for row in tars.rows.values())


def test_draw_as_parquet(capgraph, drawn, captions, tmp_path):
    out = tmp_path / "epoch.parquet"
    capgraph("draw", captions.out, "--epoch", 4, "--stage", 1, "-o", out)
    rows = datasets.load_dataset("parquet", data_files=str(out), split="train", cache_dir=str(tmp_path / "cache")).to_list()
    assert {r["image_key"]: {k: v for k, v in r.items() if k not in MEASURED} for r in rows} == drawn(captions.out, epoch=4, stage=1)




def of_kind(row, kind):
    return list(dict.fromkeys(t for t, k in zip(row["pos"], row["pos_kind"]) if k == kind))


def samples_of(folder):
    urls = sorted(map(str, folder.glob("*.tar")))
    return list(wds.DataPipeline(wds.SimpleShardList(urls), wds.tarfile_to_samples(), wds.decode("pil")))


def test_texts_joined_with_tars_by_key(capgraph, tars, tmp_path):
    """The tars with images stay as they are: the texts of each are in a tar of the same name."""
    done = capgraph("export", tars.out, "--to", "webdataset", "-o", tmp_path / "texts")
    assert "only texts" in done.err

    def with_texts(url):
        texts = {s["__key__"]: s for s in wds.WebDataset(str(tmp_path / "texts" / url.rsplit("/", 1)[1]), shardshuffle=False).decode()}
        for sample in wds.WebDataset(url, shardshuffle=False).decode("pil"):
            if sample["__key__"] in texts:
                yield sample | {k: v for k, v in texts[sample["__key__"]].items() if not k.startswith("__")}

    joined = [s for url in tars.urls for s in with_texts(url)]
    assert sorted(s["__key__"] for s in joined) == sorted(tars.rows)
    for s in joined:
        row = tars.rows[s["__key__"]]
        assert min(s["jpg"].size) > 8 and s["txt"] == row["text"] and s["neg.json"]["neg"] == row["neg"]


def test_c2lip_and_flair(capgraph, tars, tmp_path):
    for form in "c2lip", "flair":
        capgraph("export", tars.out, "--to", form, "-o", tmp_path / form, "--images", tars.folder)
        samples = samples_of(tmp_path / form)
        assert sorted(s["__key__"] for s in samples) == sorted(tars.rows)
        for s in samples:
            row, texts = tars.rows[s["__key__"]], s["json"]
            assert min(s["jpg"].size) > 8 and s["txt"] == row["text"]
            if form == "c2lip":
                assert texts == {"shortLLA_captions": row["text"], "nounphrases": of_kind(row, "object")}
            else:
                assert len(texts) == 7 and set(sum(texts.values(), [])) == set(row["pos"]) and texts["raw_caption"] == [row["text"]]


def test_tripletclip(capgraph, tars, tmp_path):
    capgraph("export", tars.out, "--to", "tripletclip", "-o", tmp_path / "out", "--images", tars.folder)
    assert (tmp_path / "out" / "shard-0.tar").exists()
    samples = samples_of(tmp_path / "out")
    want = {k: of_caption(row) for k, row in tars.rows.items() if of_caption(row)}
    assert {s["__key__"]: s["neg_caption"].decode() for s in samples} == {k: negatives[0] for k, negatives in want.items()}
    assert all(s["image"] and s["caption"].decode() == tars.rows[s["__key__"]]["text"] for s in samples)


def test_csclip(capgraph, captions, tmp_path):
    """Each unit reads as a positive of its caption, and each foil of a relation as a negative."""
    capgraph("export", captions.out, "--to", "csclip", "-o", tmp_path / "units.json", "--images", captions.images)
    rows = {(row["image_key"], row["text"]): row for row in captions.rows.values()}
    units, foils = 0, 0
    for sample in json.loads((tmp_path / "units.json").read_text()):
        row = rows[sample["sample_id"], sample["original_caption"]]
        bare = lambda texts: {t.removeprefix("there is ").removeprefix("there are ") for t in texts}
        assert set(sample["negative_entities"]) <= set(sample["entities"]) <= bare(row["pos"])
        assert all(n["negative"] in bare(row["neg"]) for some in sample["negative_entities"].values() for n in some)
        for rel in sample["relations"]:
            units += 1
            assert f"{rel['subject']} {rel['relation_type']} {rel['object']}" in bare(row["pos"])
            assert {rel["subject"], rel["object"]} <= set(sample["entities"])
            for n in rel["negatives"]:
                foils += 1
                false = rel | n
                assert f"{false['subject']} {false['relation_type']} {false['object']}" in bare(row["neg"])
    assert units > 100 and foils > 5


def test_sentence_transformers(capgraph, captions, tmp_path):
    capgraph("export", captions.out, "--to", "sentence-transformers", "--negatives", "2", "-o", tmp_path / "triplets.parquet")
    data = datasets.load_dataset("parquet", data_files=str(tmp_path / "triplets.parquet"), split="train", cache_dir=str(tmp_path / "cache"))
    assert data.column_names == ["anchor", "positive", "negative_1", "negative_2"]
    rows = {row["text"]: row for row in captions.rows.values()}
    count = sum(n >= 2 and row["pos_kind"][of] != "caption" for row in captions.rows.values() for of, n in collections.Counter(row["neg_of"]).items())
    assert len(data) == count > 0
    for line in data:
        row = rows[line["anchor"]]
        of = row["pos"].index(line["positive"])
        negatives = [t for t, k in zip(row["neg"], row["neg_of"]) if k == of]
        assert [line["negative_1"], line["negative_2"]] == negatives[:2]


def test_negbench(capgraph, captions, tmp_path):
    capgraph("export", captions.out, "--to", "negbench", "-o", tmp_path / "out", "--images", captions.images)
    data = pd.read_csv(tmp_path / "out" / "captions.csv", converters={"positive_objects": ast.literal_eval, "negative_objects": ast.literal_eval})
    said = {}
    for row in captions.rows.values():
        said.setdefault(f"{captions.images}/{row['image']}", []).append(row["text"].lower())
    for line in data.itertuples():
        assert line.positive_objects and line.negative_objects
        assert not any(thing.split()[-1] in text.split() for thing in line.negative_objects for text in said[line.filepath])
    questions = pd.read_csv(tmp_path / "out" / "mcq.csv")
    assert len(data) > 50 and len(questions) > 10 and set(questions["correct_answer"]) == {0}
    assert set(questions["correct_answer_template"]) == {"positive", "negative", "hybrid"}
    answers = questions[[f"caption_{i}" for i in range(4)]]
    assert all(len(set(row)) == 4 for row in answers.itertuples(index=False))


def test_recaptions_joined_by_url(capgraph, tars, tmp_path):
    """Recaptions with URLs become a dataset with the keys of the tars, and tars of texts beside them."""
    sidecars = [row for url in tars.urls for row in pq.read_table(url.replace(".tar", ".parquet")).to_pylist()]
    rows = [{"url": row["url"], "recaptions": [f"a recaption of {row['key']}", "another"], "n": i} for i, row in enumerate(sidecars)]
    RNG.shuffle(rows)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "recaptions.parquet")
    done = capgraph("join", tmp_path / "recaptions.parquet", tars.folder, "-o", tmp_path / "joined")
    lost = [row["url"] for row in sidecars if row["status"] != "success"]
    assert f"{len(tars.rows)} of {len(tars.rows)} samples" in done.err and f"{len(lost)} texts without a sample" in done.err
    data = datasets.load_dataset(str(tmp_path / "joined"), split="train", cache_dir=str(tmp_path / "cache"))
    assert data.column_names == ["key", "url", "recaptions", "n"]
    assert {row["key"]: row["recaptions"] for row in data} == {k: [f"a recaption of {k}", "another"] for k in tars.rows}
    without = pd.read_csv(tmp_path / "joined" / ".join" / "texts_without_sample.tsv", sep="\t")
    assert sorted(without["url"]) == sorted(lost)
    capgraph("join", tmp_path / "recaptions.parquet", tars.folder, "-o", tmp_path / "texts", "--to", "webdataset")
    assert {s["__key__"]: s["json"]["recaptions"][0] for s in samples_of(tmp_path / "texts")} == {k: f"a recaption of {k}" for k in tars.rows}
