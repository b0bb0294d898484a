"""The examples of python/examples, as they stand."""
import inspect
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
PACKAGES = {"hf_datasets": "datasets", "ray_data": "ray", "daft_udf": "daft", "duckdb_udf": "duckdb", "lance_columns": "lance", "polars_udf": "polars", "spark_arrow": "pyspark"}


def run(name, binary, *args):
    environment = os.environ | {"CAPGRAPH": binary, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join([str(EXAMPLES.parent), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *args], env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_column_of_negatives(name, binary):
    pytest.importorskip(PACKAGES[name], reason=f"{PACKAGES[name]} is not installed here")
    rows = {caption: negatives for caption, negatives in run(name, binary)}
    assert rows.pop("None", "[]") == "[]"
    assert set(rows) == {"a man in a red shirt holding a dog", "a brown horse in a field"}
    assert all(negatives.startswith("['") and caption not in negatives for caption, negatives in rows.items())


def test_data_loader(binary, request):
    for package in ("torch", "webdataset"):
        pytest.importorskip(package, reason=f"{package} is not installed here")
    tars = request.getfixturevalue("tars")
    rows = run("dataloader", binary, str(tars.folder / "*.tar"))
    assert sorted(row[0] for row in rows) == sorted(tars.rows) and sum(row[2] != "[]" for row in rows) > len(rows) * 0.6


def test_a_job_of_hugging_face(binary, tmp_path, monkeypatch, capsys):
    """What the job is to run makes a dataset of the captions and uploads it. The call is one that huggingface_hub takes."""
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed here")
    asked, signature = [], inspect.signature(hub.run_job)
    monkeypatch.setattr(hub, "run_job", lambda **job: asked.append(signature.bind(**job).arguments) or SimpleNamespace(url="https://huggingface.co/jobs/someone/7"))
    monkeypatch.setattr(hub, "get_token", lambda: "hf_stand_in")
    (tmp_path / "captions.csv").write_text("text\na man in a red shirt holding a dog\na brown horse in a field\n")
    monkeypatch.setattr(sys, "argv", ["hf_jobs.py", str(tmp_path / "captions.csv"), "csv", "text", "someone/texts", "capgraph.whl"])
    example = runpy.run_path(str(EXAMPLES / "hf_jobs.py"), run_name="__main__")
    assert capsys.readouterr().out == "https://huggingface.co/jobs/someone/7\n" and asked[0]["secrets"] == {"HF_TOKEN": "hf_stand_in"}
    assert "source.paths=hf://datasets/someone/captions/data " in example["script"]("someone/captions/data", "parquet", "caption", "someone/texts", "capgraph.whl")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {"pip": "exit 0", "hf": f'test "$1 $2 $3 $4 $6" = "upload --repo-type dataset someone/texts ." && cp -r "$5" {tmp_path}/uploaded', "capgraph": f'exec {binary} "$@"'}.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(asked[0]["command"], cwd=tmp_path, env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "configs:" in (tmp_path / "uploaded/README.md").read_text() and list((tmp_path / "uploaded/texts").glob("*.parquet"))


def test_loaders(binary):
    made = {}
    for name, caption, texts in run("loaders", binary):
        made.setdefault(name, []).append((caption, eval(texts)))
    assert all(text and text != caption for caption, text in made["negclip"])
    assert all(0 < len(texts) <= 3 and caption not in texts for caption, texts in made["fscclip"])
    for caption, (both, turned, swapped) in made["clic"]:
        assert both.startswith(caption) and turned.endswith(caption) and sorted(swapped.replace(".", "").split()) == sorted(both.replace(".", "").split())
        assert swapped not in (both, turned)


def test_notebook(binary, tmp_path, monkeypatch):
    """The notebook runs from top to bottom in a kernel, and each cell of code shows something."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed here")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed here")
    monkeypatch.setenv("CAPGRAPH", binary)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(EXAMPLES.parent), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(EXAMPLES / "quickstart.ipynb", 4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [str(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]
    assert all(shown) and "<svg" in shown[0] and "a brown horse in a green field" in shown[2] and "'neg'" in shown[-1]


def test_four_workers_feed_a_training(binary, request, monkeypatch):
    """Two steps of a small model on images and the texts that four workers of a DataLoader make of their captions."""
    for package in ("torch", "webdataset"):
        pytest.importorskip(package, reason=f"{package} is not installed here")
    import torch
    import webdataset as wds

    tars = request.getfixturevalue("tars")
    monkeypatch.setenv("CAPGRAPH", binary)

    def pairs(samples):
        import capgraph

        for sample, texts in zip(samples, capgraph.texts([s["txt"] for s in samples])):
            own = [n.text for n in texts.negatives if n.of == 0] if texts else []
            if own:
                image = torch.nn.functional.interpolate(sample["jpg"][None], size=(16, 16))[0]
                yield image.flatten(), words(texts.text), words(own[0])

    def words(text):
        counts = torch.zeros(512)
        for word in text.lower().split():
            counts[sum(word.encode()) % 512] += 1
        return counts

    pipeline = wds.DataPipeline(wds.SimpleShardList(tars.urls), wds.split_by_worker, wds.tarfile_to_samples(), wds.decode("torchrgb"),
                                wds.batched(8, collation_fn=list), lambda batches: (pair for batch in batches for pair in pairs(batch)))
    loader = torch.utils.data.DataLoader(pipeline, batch_size=8, num_workers=4)
    torch.manual_seed(0)
    image, text = torch.nn.Linear(3 * 16 * 16, 32), torch.nn.Linear(512, 32)
    optimizer = torch.optim.Adam([*image.parameters(), *text.parameters()], lr=1e-2)
    before, steps, seen = text.weight.detach().clone(), 0, set()
    for pixels, positive, negative in loader:
        seen.add(tuple(positive.sum(0).tolist()))
        score = lambda texts: (image(pixels) * text(texts)).sum(-1)
        loss = torch.nn.functional.softplus(score(negative) - score(positive)).mean()
        loss.backward(), optimizer.step(), optimizer.zero_grad()
        assert torch.isfinite(loss)
        steps += 1
        if steps == 2:
            break
    assert steps == 2 and len(seen) == 2 and not torch.equal(before, text.weight)
