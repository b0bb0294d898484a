"""Texts over files of every shape: what is found, what it takes, and that processes share it."""
import itertools
import os
import subprocess
import sys
from pathlib import Path

import capgraph_torch as cg
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from capgraph_torch import index, rows
from conftest import ROOT
from size import write


def large(schema):
    """The same columns with offsets of 64 bits."""
    swap = {pa.string(): pa.large_string(), pa.list_(pa.string()): pa.large_list(pa.large_string())}
    return pa.schema([(f.name, swap.get(f.type, f.type)) for f in schema])


@pytest.fixture(scope="module", params=["small offsets", "large offsets"])
def folder(request, tmp_path_factory):
    """2,000 images in three files of row groups that no piece divides; image i has 1 + i mod 3 captions."""
    path = tmp_path_factory.mktemp("texts")
    images = [f"{i:04d}" for i in range(2000) for _ in range(1 + i % 3)]
    for n, (first, last) in enumerate([(0, 1500), (1500, 1500), (1500, len(images))]):
        while first < last and images[first] == images[first - 1]:
            first += 1
        while last < len(images) and images[last] == images[last - 1]:
            last += 1
        write(path / f"{n:05d}.parquet", images[first:last], group=301, types=large if request.param == "large offsets" else None)
    return path


def table(folder):
    return [row for path in sorted(folder.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_every_row_is_read(folder):
    want = table(folder)
    files = sorted(map(str, folder.glob("*.parquet")))
    for r in rows.Rows(files, None), cg.Texts(str(folder)).corpus.rows:
        assert len(r) == len(want)
        got = r.read(0, len(r))
        assert got == [{name: row[name] for name in rows.COLUMNS} for row in want]
        for i in (0, 255, 256, 300, 301, 1499, 1500, len(r) - 1):
            assert r.read(i, i + 1, ["key"]) == [{"key": want[i]["key"]}]
        assert r.read(5, 5) == []


@pytest.mark.parametrize("by", ["key", "image_key", "image"])
def test_every_key_is_found(folder, by):
    texts, want = cg.Texts(str(folder), by=by), {}
    for i, row in enumerate(table(folder)):
        want.setdefault(row[by], []).append(i)
    assert len(texts) == len(want)
    for i, (key, found) in enumerate(want.items()):
        assert texts.corpus.run(i) == found
        if i % 50 == 0:
            assert texts.corpus.find(key) == found and key in texts and texts[key] == texts.at(i)
            first = found[0]
            while first and table_of(texts, first)["image_key"] == table_of(texts, first - 1)["image_key"]:
                first -= 1
            images = texts.corpus.images(found)
            assert images[0] == first and {table_of(texts, j)["image_key"] for j in images} == {table_of(texts, first)["image_key"]}
    assert "" not in texts and "0001 " not in texts and "ключ" not in texts


def table_of(texts, i):
    return texts.corpus.rows.read(i, i + 1, ["image_key"])[0]


def test_keys_whose_hashes_are_equal(folder, monkeypatch):
    """Nothing is found for a key because of another's hash."""
    monkeypatch.setattr(index, "mix", lambda z: z & np.uint64(3))
    texts = cg.Texts(str(folder), by="image_key")
    want = {}
    for i, row in enumerate(table(folder)):
        want.setdefault(row["image_key"], []).append(i)
    for key in list(want)[:40]:
        assert texts.corpus.find(key) == want[key]


def test_hashes_of_texts():
    words = ["", "a", "b", "aa", "a\0", "\0", "ab", "ba", "ключ 钥匙", "x" * 5000]
    want = index.hash_texts(pa.array(words))
    assert len(set(want.tolist())) == len(words)
    for same in pa.array(["z", *words], pa.large_string())[1:], pa.array(words).dictionary_encode(), pa.array(words + ["q"])[:-1]:
        assert np.array_equal(index.hash_texts(same), want)
    assert index.hash_texts(pa.array([], pa.string())).shape == (0,)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_share_what_is_decoded(folder, method, tmp_path):
    texts = cg.Texts(str(folder), by="image_key", seed=4, cache=str(tmp_path / "cache"))
    data = cg.Folder("/", texts, zero)
    want = [texts.at(i) for i in range(len(data))]
    made = {p: p.stat().st_mtime_ns for p in (tmp_path / "cache").rglob("*") if p.is_file()}
    loader = torch.utils.data.DataLoader(data, batch_size=50, num_workers=2, collate_fn=list, multiprocessing_context=method)
    got = [sample for batch in loader for sample in batch]
    assert [{k: v for k, v in s.items() if k != "image"} for s in got] == want
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "cache").rglob("*") if p.is_file()} == made
    again = cg.Texts(str(folder), by="image_key", seed=4, cache=str(tmp_path / "cache"))
    assert again.at(7) == want[7] and again.corpus.folder == texts.corpus.folder


def zero(path):
    return torch.zeros(1)


def test_a_cache_is_that_of_files_as_they_are(folder, tmp_path):
    for path in folder.glob("*.parquet"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = cg.Texts(str(tmp_path), by="image_key", cache=str(tmp_path / "cache"))
    assert "added" not in before
    write(tmp_path / "00001.parquet", ["added"])
    assert "added" in cg.Texts(str(tmp_path), by="image_key", cache=str(tmp_path / "cache"))


def test_temporary_files_are_removed(folder, tmp_path):
    script = f"""
import torch, capgraph_torch as cg
data = cg.Folder("/", cg.Texts({str(folder)!r}, by="image_key"), lambda path: torch.zeros(1))
for _ in range(2):
    assert sum(len(b["images"]) for b in torch.utils.data.DataLoader(data, 50, num_workers=2, collate_fn=cg.collate)) == 2000
"""
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT / "python")})
    assert not list(tmp_path.glob("capgraph-*"))


def test_weights_and_classes_say_what_is_drawn(folder):
    """The caption comes first; a share of the negatives is its own, and all or none where that is asked for."""
    path, none = str(folder), {row["key"]: {t for t, c in zip(row["neg"], row["neg_category"]) if c == "none"} for row in table(folder)}
    drawn = lambda **how: [(s, none[s["key"]]) for texts in [cg.Texts(path, by="image_key", **how)] for s in map(texts.at, range(100))]
    assert all(s["pos"][0] == s["text"] for s, _ in drawn())
    assert not any(fills & set(s["neg"]) for s, fills in drawn(weights=cg.WEIGHTS | {"caption": 0}))
    assert all(set(s["neg"]) <= fills for s, fills in drawn(weights={"caption": 1}, most=(1, 2)))
    some = [len(fills & set(s["neg"])) for s, fills in drawn()]
    assert 0 < sum(some) < sum(len(s["neg"]) for s, _ in drawn())
    assert all(s["neg"] and set(s["neg"]) <= fills for s, fills in drawn(classes=cg.CECLIP))
    assert all(s["pos"] == [s["text"]] and not s["neg"] for s, _ in drawn(classes=()))
    assert all(len(s["pos"]) <= 3 and len(s["neg"]) <= 4 for s, _ in drawn(most=(2, 4)))


def test_a_view_replaces_the_caption(folder):
    texts = cg.Texts(str(folder), by="image_key", classes=(), views={"parts": 1}, bare=True)
    drawn = [texts.at(i) for i in range(100)]
    assert all(len(s["pos"]) == len(s["pos_id"]) == 1 and s["pos_id"][0] in s["known"] and not s["neg"] for s in drawn)
    assert any(s["pos"][0] != s["text"] for s in drawn)
    for classes in (None, cg.NEGCLIP):
        with pytest.raises(ValueError, match=r"want classes=\(\)"):
            cg.Texts(str(folder), classes=classes, first_sentence=False)


def test_a_folder_that_is_no_folder_of_texts(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no \*.parquet: name the output folder"):
        "a" in cg.Texts(str(tmp_path))
    with pytest.raises(ValueError, match="want key, image_key or image"):
        cg.Texts(str(tmp_path), by="caption")


def test_the_output_folder_of_a_run(folder, tmp_path):
    (tmp_path / "texts").symlink_to(folder)
    texts = cg.Texts(str(tmp_path))
    assert len(texts) == len(cg.Texts(str(folder))) and texts.path == str(tmp_path / "texts")
    assert texts.at(7) == cg.Texts(str(folder)).at(7)


def test_no_image_that_has_texts(folder):
    """A join with the tars of another corpus is an error, at the end and in a stream without one."""
    texts = cg.Texts(str(folder), by="image_key")
    samples = [{"__url__": "/tars/00000.tar", "__key__": f"other{i}"} for i in range(3)]
    with pytest.raises(ValueError, match="none of 3 images has texts in .*; the first is other0 of /tars/00000.tar"):
        list(texts.join(samples))
    with pytest.raises(ValueError, match="none of 10000 images has texts"):
        list(texts.join(itertools.cycle(samples)))
    assert list(texts.join([])) == []
    with pytest.warns(UserWarning, match="00009.parquet is not there"), pytest.raises(ValueError, match="none of 1 image"):
        list(texts.join([{"__url__": "/tars/00009.tar", "__key__": "0001"}]))
    assert len(list(texts.join(samples + [{"__url__": "/tars/00000.tar", "__key__": "0001"}]))) == 1


def test_images_that_are_missing(folder, tmp_path):
    """Their keys come with the batch, whichever worker met them; what is wrong with the machine is no missing image."""
    for i in range(0, 2000, 2):
        (tmp_path / f"{i:04d}.jpg").write_bytes(b"x" if i % 20 else b"")
    data = cg.Folder(str(tmp_path), cg.Texts(str(folder), by="image_key"), first_byte)
    missing, n = {}, 0
    for batch in torch.utils.data.DataLoader(data, 50, num_workers=2, collate_fn=cg.collate):
        missing |= batch["missing"]
        n += len(batch["images"])
    assert sorted(missing) == [f"{i:04d}" for i in range(2000) if i % 2 or i % 20 == 0] and n == 900
    assert missing["0001"].startswith("FileNotFoundError") and missing["0000"] == "IndexError: index out of range"
    with pytest.raises(OSError, match="too many open files"):
        cg.Folder("/", data.texts, too_many)[0]


def first_byte(path):
    return torch.tensor(Path(path).read_bytes()[0])


def too_many(path):
    raise OSError(24, "too many open files")
