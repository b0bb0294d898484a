"""Texts that lie in S3, of versitygw: CAPGRAPH_VERSITYGW names the program."""
import os
import shutil
import socket
import subprocess
import time

import capgraph_torch as cg
import pytest
import torch
from size import write

PROGRAM = os.environ.get("CAPGRAPH_VERSITYGW")


@pytest.fixture(scope="module")
def bucket(tmp_path_factory):
    """The folder of a bucket that is served, and its URL."""
    if not PROGRAM:
        pytest.skip("CAPGRAPH_VERSITYGW names no program: there is no S3 to read from")
    root = tmp_path_factory.mktemp("s3")
    (root / "corpora").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    server = subprocess.Popen([PROGRAM, "--port", address, "--access", "user", "--secret", "password", "--quiet", "posix", str(root)])
    with pytest.MonkeyPatch.context() as environment:
        for name, value in {"AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": "password", "AWS_REGION": "us-east-1",
                            "AWS_ENDPOINT_URL": f"http://{address}", "AWS_EC2_METADATA_DISABLED": "true"}.items():
            environment.setenv(name, value)
        try:
            wait(server, address)
            yield root / "corpora", "s3://corpora"
        finally:
            server.terminate()
            server.wait()


def wait(server, address):
    """Until it takes connections."""
    host, port = address.split(":")
    while server.poll() is None:
        with socket.socket() as s:
            if s.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"versitygw ended with {server.returncode}")


@pytest.fixture(scope="module")
def texts(bucket):
    """A folder of texts under a key that a URL would encode, and its URL."""
    folder, url = bucket
    folder = folder / "a run%20+é" / "texts"
    folder.mkdir(parents=True)
    for n in range(3):
        write(folder / f"{n:05d}.parquet", [f"{n}{i:03d}" for i in range(400)], group=301)
    (folder / "_metadata.parquet").write_bytes(b"")  # is no shard
    return folder, f"{url}/a run%20+é/texts"


def drawn(texts):
    texts.set_epoch(3)
    return [texts.at(i) for i in range(len(texts))]


@pytest.mark.parametrize("cached", [False, True])
def test_the_same_as_from_a_folder(texts, tmp_path, cached):
    folder, url = texts
    want = drawn(cg.Texts(str(folder)))
    assert len(want) == 1200
    cache = str(tmp_path) if cached else None
    assert drawn(cg.Texts(url, cache=cache)) == want
    assert drawn(cg.Texts(url + "/", cache=cache)) == want
    assert drawn(cg.Texts(f"{url}/00001.parquet")) == drawn(cg.Texts(str(folder / "00001.parquet")))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_by_workers(texts, tmp_path, start):
    """Workers decode what this process has not, after this one read the index."""
    _, url = texts
    (tmp_path / "image").write_bytes(b"")
    folder = cg.Folder(str(tmp_path), cg.Texts(url), zeros)
    loader = torch.utils.data.DataLoader(folder, batch_size=100, num_workers=2, collate_fn=list, multiprocessing_context=start)
    assert [s["key"] for batch in loader for s in batch] == [folder.texts.at(i)["key"] for i in range(1200)]


def zeros(path):
    return torch.zeros(1)


def test_join(texts):
    """Images of a tar meet the shard of its name; a tar without one is left out, with a warning."""
    folder, url = texts
    samples = [{"__url__": f"/tars/{name}.tar", "__key__": key} for name, key in [("00000", "0001"), ("00002", "2399"), ("00009", "0001")]]
    with pytest.warns(UserWarning, match="s3://.*00009.parquet is not there"):
        got = list(cg.Texts(url, by="image_key").join(samples))
    assert [s["image_key"] for s in got] == ["0001", "2399"]


def test_a_changed_object_is_not_taken_for_the_cached(bucket, tmp_path):
    folder, url = bucket
    (folder / "changing").mkdir()
    write(folder / "changing/00000.parquet", ["a", "b"])
    assert len(cg.Texts(f"{url}/changing", cache=str(tmp_path))) == 2
    shutil.rmtree(folder / "changing")
    (folder / "changing").mkdir()
    write(folder / "changing/00000.parquet", ["a", "b", "c"])
    assert len(cg.Texts(f"{url}/changing", cache=str(tmp_path))) == 3


def test_what_is_not_there(bucket):
    folder, url = bucket
    (folder / "other").mkdir()
    (folder / "other/notes.txt").write_text("no texts")
    with pytest.raises(FileNotFoundError, match="s3://corpora/other has no .*parquet"):
        len(cg.Texts(f"{url}/other"))
    with pytest.raises(FileNotFoundError, match="s3://corpora/nothing is not there: name the output folder"):
        len(cg.Texts(f"{url}/nothing"))
    with pytest.raises(ValueError, match="gs://corpora/texts: texts are read from folders and s3:// alone"):
        len(cg.Texts("gs://corpora/texts"))
