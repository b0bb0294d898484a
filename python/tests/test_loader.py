"""Images joined with texts: each image of an epoch once, and the draws of capgraph draw, however many processes load them."""
import functools
import os

import capgraph_torch as cg
import datasets
import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import webdataset as wds
from PIL import Image

SEED = 3


def load(path):
    with Image.open(path) as image:
        return to_tensor(image)


def to_tensor(image):
    image = image.convert("RGB").resize((8, 8))
    return torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8).view(8, 8, 3).permute(2, 0, 1) / 255


def pipeline(urls, texts):
    return wds.DataPipeline(wds.SimpleShardList(urls), wds.split_by_node, wds.split_by_worker, wds.tarfile_to_samples(), texts.join,
                            wds.decode("pil", partial=True), wds.map(functools.partial(with_tensor, member="jpg")))


def with_tensor(sample, member):
    return sample | {"image": to_tensor(sample[member])}


def same(sample, row):
    return all(sample[name] == row[name] for name in ("key", "image_key", "text", "pos", "pos_id", "neg", "neg_of"))


def assert_epoch(samples, want):
    assert sorted(s["image_key"] for s in samples) == sorted(want)
    assert all(same(s, want[s["image_key"]]) for s in samples)


@pytest.mark.parametrize("stage", [1, 2])
def test_tars_in_one_process(tars, drawn, stage):
    texts = cg.Texts(str(tars.out / "texts"), seed=SEED, stage=stage)
    for epoch in (0, 1):
        texts.set_epoch(epoch, stage)
        samples = list(pipeline(tars.urls, texts))
        assert_epoch(samples, drawn(tars.out, seed=SEED, epoch=epoch, stage=stage))
        assert len(samples) == len(tars.rows) and len({s["__key__"] for s in samples}) == len(samples)
        most = (1, 1) if stage == 1 else (3, 6)
        assert max(len(s["pos"]) for s in samples) <= 1 + most[0] and 0 < max(len(s["neg"]) for s in samples) <= most[1]


def test_a_tar_without_texts_is_left_out(tars, tmp_path):
    for path in sorted((tars.out / "texts").glob("*.parquet"))[1:]:
        (tmp_path / path.name).symlink_to(path)
    with pytest.warns(UserWarning, match="is not there"):
        samples = list(pipeline(tars.urls, cg.Texts(str(tmp_path), seed=SEED)))
    assert 0 < len(samples) < len(tars.rows)


def rank(r, init, urls, folder, queue):
    os.environ |= {"RANK": str(r), "WORLD_SIZE": "2"}  # as torchrun sets them; webdataset reads them
    dist.init_process_group("gloo", init_method=init, rank=r, world_size=2)
    texts = cg.Texts(folder, seed=SEED)
    loader = torch.utils.data.DataLoader(pipeline(urls, texts), num_workers=2, batch_size=None, persistent_workers=True,
                                         multiprocessing_context="fork")
    for epoch, stage in ((0, 1), (1, 2), (2, 2)):
        texts.set_epoch(epoch, stage)
        mine = [{k: s[k] for k in ("key", "image_key", "text", "pos", "pos_id", "neg", "neg_of")} for s in loader]
        both = [None, None]
        dist.all_gather_object(both, mine)
        if r == 0:
            queue.put((epoch, stage, both))
        dist.barrier()
    dist.destroy_process_group()


def test_two_ranks_of_two_workers_cover_an_epoch_once(tars, drawn, tmp_path):
    """Workers that live on from epoch to epoch see the epoch change."""
    context = mp.get_context("spawn")
    queue = context.SimpleQueue()
    ranks = mp.spawn(rank, (f"file://{tmp_path}/init", tars.urls, str(tars.out / "texts"), queue), nprocs=2, join=False)
    for _ in range(3):
        epoch, stage, (first, second) = queue.get()
        assert first and second
        assert_epoch(first + second, drawn(tars.out, seed=SEED, epoch=epoch, stage=stage))
    while not ranks.join():
        pass


@pytest.mark.parametrize("by", ["image", "image_key"])
def test_folder_of_images_with_five_captions(captions, drawn, by):
    texts = cg.Texts(str(captions.out / "texts"), by=by, seed=SEED)
    folder = cg.Folder(str(captions.images), texts, load)
    loader = torch.utils.data.DataLoader(folder, batch_size=16, shuffle=True, collate_fn=list, num_workers=2)
    keys = []
    for epoch in (0, 5):
        texts.set_epoch(epoch)
        samples = [s for batch in loader for s in batch]
        assert_epoch(samples, drawn(captions.out, seed=SEED, epoch=epoch))
        keys.append(sorted(s["key"] for s in samples))
        assert all(s["image"].shape == (3, 8, 8) for s in samples)
    assert keys[0] != keys[1]  # another caption of the image
    assert len(folder) < len(captions.rows)


@pytest.mark.parametrize("streaming", [False, True])
def test_hugging_face_datasets(tars, drawn, tmp_path, streaming):
    texts = cg.Texts(str(tars.out / "texts"), seed=SEED)
    data = datasets.load_dataset("webdataset", data_files=tars.urls, split="train", streaming=streaming, cache_dir=str(tmp_path))
    if streaming:
        samples = list(data.map(lambda row: row | texts[row["__key__"]]))
    else:
        data.set_transform(lambda rows: {"sample": [texts[key] for key in rows["__key__"]]})
        samples = [row["sample"] for row in data]
    assert_epoch(samples, drawn(tars.out, seed=SEED, epoch=0))


def test_texts_read_by_datasets(captions, tmp_path):
    data = datasets.load_dataset(str(captions.out), "texts", split="train", cache_dir=str(tmp_path))
    assert sorted(data["key"]) == sorted(captions.rows)


@pytest.mark.parametrize("classes", [cg.NEGCLIP, cg.CECLIP])
def test_negatives_of_the_caption(captions, classes):
    texts = cg.Texts(str(captions.out / "texts"), by="image", classes=classes)
    for image in {row["image"] for row in captions.rows.values()}:
        s = texts[image]
        row = captions.rows[s["key"]]
        said = {changed for of, changed in zip(row["neg_of"], row["neg_changed"]) if of == 0}
        assert set(s["kind"]) == {k for k, name in enumerate(classes) if name in said or name == "*" and said}
        assert s["pos"] == [row["text"]] and len(set(s["neg"])) == len(s["neg"]) <= len(classes)
        for text, kind in zip(s["neg"], s["kind"]):
            i = row["neg"].index(text)
            assert row["neg_of"][i] == 0 and classes[kind] in ("*", row["neg_changed"][i])


def test_no_texts(tars):
    with pytest.raises(KeyError):
        cg.Texts(str(tars.out / "texts"))["999999999"]
    with pytest.raises(FileNotFoundError, match="/nowhere"):
        list(pipeline(tars.urls, cg.Texts("/nowhere")))
