"""Corpora for the tests: COCO's images of ../shared/data/coco/mini, run through the real capgraph."""
import json
import os
import subprocess
import tarfile
from pathlib import Path
from types import SimpleNamespace

import engines
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
MINI = ROOT.parent / "shared/data/coco/mini"
PER_TAR = 13


@pytest.fixture(scope="session")
def binary(tmp_path_factory):
    """The program. CAPGRAPH names one that is built already."""
    path = os.environ.get("CAPGRAPH")
    if not path:
        path = str(tmp_path_factory.mktemp("bin") / "capgraph")
        subprocess.run(["go", "build", "-tags", "stores", "-o", path, "./cmd/capgraph"], cwd=ROOT, check=True, env=os.environ | {"CGO_ENABLED": "0"})
    return path


@pytest.fixture(scope="session")
def capgraph(binary):
    """Runs the program and returns its standard output."""
    def run(*args, fails=False):
        done = subprocess.run([binary, *map(str, args)], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode != 0) == fails, done.stderr
        return SimpleNamespace(out=done.stdout, err=done.stderr)

    return run


@pytest.fixture(scope="session")
def on_path(binary):
    """The program where tasks of an engine find it, which are started with the environment of now."""
    os.environ["PATH"] = f"{Path(binary).parent}:{os.environ['PATH']}"


@pytest.fixture(scope="session")
def whole(on_path, tmp_path_factory):
    """The hashes of what one process makes of the corpus of engines.py."""
    folder = tmp_path_factory.mktemp("whole")
    engines.write_corpus(folder)
    subprocess.run(["capgraph", "run", "--progress", "none"], cwd=folder, check=True, capture_output=True)
    return engines.hashes(folder / "out")


@pytest.fixture
def single(whole, tmp_path):
    """A folder with that corpus, and those hashes."""
    engines.write_corpus(tmp_path)
    return tmp_path, whole


@pytest.fixture(scope="session")
def coco():
    """The images that are there, with their captions: [(file name, [caption, …])]."""
    if not MINI.exists():
        pytest.skip(f"no {MINI}: the real images are not here")
    images = []
    for page in sorted((MINI / "annotations").glob("captions_*.json")):
        page = json.loads(page.read_text())
        captions = {}
        for a in page["annotations"]:
            captions.setdefault(a["image_id"], []).append(a["caption"])
        images += [(i["file_name"], captions[i["id"]]) for i in page["images"] if (MINI / "images" / i["file_name"]).exists()]
    return sorted(dict(images).items())


@pytest.fixture(scope="session")
def tars(coco, capgraph, tmp_path_factory):
    """An img2dataset folder, one caption an image, and what capgraph made of it. texts: its rows by key."""
    folder, out = tmp_path_factory.mktemp("tars"), tmp_path_factory.mktemp("run") / "out"
    for shard in range(0, len(coco), PER_TAR):
        stem, rows = f"{shard // PER_TAR:05d}", []
        with tarfile.open(folder / f"{stem}.tar", "w") as tar:
            for i, (name, captions) in enumerate(coco[shard:shard + PER_TAR]):
                key, status = f"{stem}{i:04d}", "failed_to_download" if i == 7 else "success"
                rows.append({"url": f"http://images/{name}", "caption": captions[0], "key": key, "status": status})
                if status == "success":
                    tar.add(MINI / "images" / name, f"{key}.jpg")
                    for extension, text in (("txt", captions[0]), ("json", json.dumps(rows[-1]))):
                        path = folder / "member"
                        path.write_text(text)
                        tar.add(path, f"{key}.{extension}")
                        path.unlink()
        pq.write_table(pa.Table.from_pylist(rows[::-1]), folder / f"{stem}.parquet")
        (folder / f"{stem}_stats.json").write_text("{}")
    capgraph("run", "--set", "source.format=img2dataset", "--set", f"source.paths={folder}", "--set", f"output.dir={out}")
    rows = {r["key"]: r for r in pq.read_table(out / "texts").to_pylist()}
    return SimpleNamespace(folder=folder, urls=sorted(map(str, folder.glob("*.tar"))), out=out, rows=rows)


@pytest.fixture(scope="session")
def captions(coco, capgraph, tmp_path_factory):
    """A folder of images with five captions each, and what capgraph made of it."""
    folder, out = tmp_path_factory.mktemp("captions"), tmp_path_factory.mktemp("run") / "out"
    (folder / "karpathy.json").write_text(json.dumps([{"image": name, "caption": texts} for name, texts in coco]))
    capgraph("run", "--set", "source.format=karpathy", "--set", f"source.paths={folder / 'karpathy.json'}", "--set", f"output.dir={out}")
    rows = {r["key"]: r for r in pq.read_table(out / "texts").to_pylist()}
    return SimpleNamespace(images=MINI / "images", out=out, rows=rows)


@pytest.fixture(scope="session")
def drawn(capgraph):
    """What capgraph draw gives, by image key."""
    def run(out, **options):
        args = [x for name, value in options.items() for x in (f"--{name}", value)]
        rows = [json.loads(line) for line in capgraph("draw", out, *args).out.splitlines()]
        assert len({r["image_key"] for r in rows}) == len(rows)
        return {r["image_key"]: r for r in rows}
    return run
