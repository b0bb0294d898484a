"""The order and the crop of an epoch, by the test vectors of capgraph train, and the batches of a Folder."""
import json
from pathlib import Path

import capgraph_torch as cg
import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from capgraph_torch.crop import box
from capgraph_torch.order import epoch_order, permutation
from PIL import Image
from size import write
from torchvision.transforms import v2

ROOT = Path(__file__).parents[2]
TRAIN = ROOT / "train"


def test_permutations_are_those_of_go():
    vectors = json.loads((TRAIN / "loader/testdata/order.json").read_text())
    for v in vectors["Shards"]:
        assert permutation(v["Seed"], v["Epoch"], "shards", str(v["List"]), v["N"]) == v["Want"]
    once = [v for v in vectors["Windows"] if not v["Replacement"]]
    assert once
    for v in once:
        assert permutation(v["Seed"], v["Epoch"], "order", f"{v['List']}\n{v['Window']}", v["N"]) == v["Want"]


def test_crops_are_those_of_go():
    vectors = json.loads((ROOT / "images/testdata/boxes.json").read_text())
    for v in vectors:
        random = cg.numbers("crop", int(v["seed"]), v["epoch"], v["key"])
        assert list(box(random, *v["size"], v["scale"], v["ratio"])) == v["box"]


def test_crop_is_torchvision_s():
    image = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 50, 3), np.uint8))
    left, top, w, h = box(cg.numbers("crop", 1, 2, "a"), 50, 30, (0.5, 1))
    want = v2.functional.resized_crop(image, top, left, h, w, [16, 16], v2.InterpolationMode.BICUBIC)
    assert torch.equal(cg.Crop(16, (0.5, 1))(image, cg.numbers("crop", 1, 2, "a")), v2.functional.pil_to_tensor(want))


def test_an_epoch_takes_each_image_once_in_windows():
    shards = [0, 3, 3, 10, 14]  # the second has none
    order = list(epoch_order(5, 1, shards, 4))
    assert sorted(order) == list(range(14)) != order
    read = [i for s in permutation(5, 1, "shards", "0", 4) for i in range(shards[s], shards[s + 1])]
    assert [sorted(order[w:w + 4]) for w in range(0, 14, 4)] == [sorted(read[w:w + 4]) for w in range(0, 14, 4)]
    assert order != list(epoch_order(5, 2, shards, 4)) != list(epoch_order(6, 2, shards, 4))


@pytest.fixture
def folder(tmp_path):
    """Ten images in three shards, some with several captions; the first shard ends with the image that the second begins with."""
    write(tmp_path / "00000.parquet", ["a", "a", "b"])
    write(tmp_path / "00001.parquet", ["b", "c", "d", "d", "d", "e"])
    write(tmp_path / "00002.parquet", ["f", "g", "h", "h", "i"])
    (tmp_path / "images").mkdir()
    for row in pq.read_table(tmp_path, columns=["image"])["image"].to_pylist():
        (tmp_path / "images" / row).touch()
    return cg.Folder(str(tmp_path / "images"), cg.Texts(str(tmp_path), by="image_key", seed=3), Path)


def keys(folder, batches):
    return [[folder.texts.at(i)["image_key"] for i in batch] for batch in batches]


def test_batches_of_ranks_are_those_of_one(folder):
    assert len(folder) == 10
    one = list(cg.Order(folder, 3))
    assert len(one) == len(cg.Order(folder, 3)) == 3 and len({i for batch in one for i in batch}) == 9
    two = [list(cg.Order(folder, 3, rank, 2)) for rank in (0, 1)]
    assert [a + b for a, b in zip(*two)] == one and [len(a) for a in two[0]] == [1] * 3
    assert sum(keys(folder, one), []) != list("abbcdefgh")


def test_an_epoch_goes_on_where_it_was_left(folder):
    whole, order = list(cg.Order(folder, 2)), cg.Order(folder, 2)
    order.start = 3
    assert list(order) == whole[3:] and list(order) == whole
    folder.texts.set_epoch(1)
    assert list(order) != whole


def test_batches_are_full_if_images_are_missing(folder):
    """The file of d, in the second shard, and of f, the first image of the third, are gone."""
    names = [folder.texts.at(i)["image_path"] for i in range(10)]
    missing = [i for i in range(10) if folder.texts.at(i)["image_key"] in "df"]
    for i in missing:
        Path(folder.folder, names[i]).unlink()
    order = cg.Order(folder, 4)
    batches = list(order)
    assert order.absent == missing and [len(b) for b in batches] == [4, 4] == [4] * len(order)
    assert sorted(sum(batches, [])) == [i for i in range(10) if i not in missing]
    for name in names:
        Path(folder.folder, name).touch()
    assert list(cg.Order(folder, 4, absent=order.absent)) == batches  # a training that resumes
    assert len(cg.Order(folder, 5)) == 2 and cg.Order(folder, 5).absent == []
    for name in names:
        Path(folder.folder, name).unlink(missing_ok=True)
    with pytest.raises(ValueError, match="an epoch has 0 images, 10 more are missing in .*images and a batch has 4"):
        cg.Order(folder, 4)


def test_too_few_images(folder):
    with pytest.raises(ValueError, match="10 images and a batch has 11"):
        cg.Order(folder, 11)
    with pytest.raises(ValueError, match="rank 2 of 2"):
        cg.Order(folder, 4, 2, 2)
