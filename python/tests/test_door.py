"""capgraph.parse, texts, units, show, run and load, on the real program."""
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree

import capgraph
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from capgraph import _worker

CAPTIONS = ["a man riding a big wave", None, "!!!", "a red café beside a lake", "a man riding a big wave", "日本 😀"]


@pytest.fixture(autouse=True)
def program(binary, monkeypatch):
    monkeypatch.setenv("CAPGRAPH", binary)


def made(captions):
    """What a process of its own returns."""
    return capgraph.parse(captions).to_arrow().to_pylist()


def test_rows_are_aligned():
    graphs = capgraph.parse(CAPTIONS)
    assert [g is not None for g in graphs] == [True, False, False, True, True, False]
    assert graphs.reasons[:5] == [None, "null", "no_letters", None, None] and graphs.reasons[5]
    g = graphs[3]
    assert [o.name for o in g.objects] == ["café", "lake"]
    assert g.text.encode()[g.objects[1].begin:g.objects[1].end] == b"lake"
    assert g.relations[0].lemma == "beside" and g.objects[0].attributes[0].text == "red"
    assert graphs[0] == graphs[4] and graphs[-6] == graphs[0] and len(graphs[1:4]) == 3 and graphs[::-1][5] == graphs[0]
    with pytest.raises(IndexError):
        graphs[6]
    for empty in (capgraph.parse([]), capgraph.texts([]), capgraph.units([None])[:0]):
        assert len(empty) == 0 and list(empty) == []


@pytest.mark.parametrize("column", [np.array(CAPTIONS, object), pd.Series(CAPTIONS), pa.array(CAPTIONS), pa.chunked_array([CAPTIONS[:2], CAPTIONS[2:]]),
                                    pa.array(CAPTIONS).dictionary_encode(), tuple(CAPTIONS)], ids=lambda c: type(c).__name__)
def test_columns(column):
    assert made(column) == made(CAPTIONS)


def test_polars_columns():
    polars = pytest.importorskip("polars")
    assert made(polars.Series(CAPTIONS)) == made(CAPTIONS)


def test_wrong_input_is_named():
    with pytest.raises(TypeError, match=r"captions\[1\] is of type int"):
        capgraph.parse(["a", 3])
    with pytest.raises(TypeError, match="is of type str"):
        capgraph.parse("a red bus")
    with pytest.raises(ValueError, match="images has length 1, captions 2"):
        capgraph.texts(["a red bus", "a dog"], images=["1"])
    with pytest.raises(capgraph.CapgraphError, match="max_negativ"):
        capgraph.texts(["a red bus"], negatives={"max_negativ": 1})
    with pytest.raises(capgraph.CapgraphError, match="no/such"):
        capgraph.texts(["a red bus"], vocabulary="no/such")
    assert capgraph.parse(["a red bus \ud800", "a red bus"]).reasons == ["bad_encoding", None]
    long = capgraph.parse(["word " * 200_000, "a red bus"])
    assert long[0] is None and long.reasons[0] and long[1]


def test_the_encoder_is_asked():
    """The linear model alone loses the colour."""
    graphs = capgraph.parse(["a woman in purple vapes near a fountain"])
    assert [a.text for a in graphs[0].objects[0].attributes] == ["in purple"] and graphs[0].relations[0].lemma == "vape near"


def test_readers_and_devices():
    text = "a woman in purple vapes near a fountain"
    woman = lambda **options: [a.text for a in capgraph.parse([text], **options)[0].objects[0].attributes]
    assert woman(parse={"parser": "rules"}) == []
    assert woman(parse={"parser": "encoder", "device": "cpu"}) == ["in purple"]
    for settings, says in (({"device": "gpu"}, '"gpu" is none of cpu, cuda'), ({"device": "cuda:9999"}, "device is cuda:9999: "),
                           ({"parser": "llm", "model": "m", "endpoints": ["http://a:1/v1"]}, "llm asks a served model")):
        with pytest.raises(capgraph.CapgraphError, match=says):
            capgraph.parse([text], parse=settings)


def test_texts():
    texts = capgraph.texts(["a brown horse in a field", None, "a dog"], negatives={"max_negatives": 3})
    assert texts[1] == capgraph.TextRow("", [], [], "null") and texts[0].positives[0].text == "a brown horse in a field"
    assert len(texts.positives) == 3 and texts.kinds[0][0].as_py() == "caption"
    offsets, flat = texts.offsets.to_pylist(), texts.positives.flatten().to_pylist()
    assert flat[offsets[2]:offsets[3]] == [p.text for p in texts[2].positives] and len(texts.confidence.flatten()) == len(flat)
    assert texts.negative_offsets.to_pylist()[1] == 3 and all(0 <= of < offsets[1] for of in texts.of[0].as_py())
    assert texts.to_arrow() == capgraph.texts(["a brown horse in a field", None, "a dog"], negatives={"max_negatives": 3}).to_arrow()
    assert texts[0] == capgraph.texts(["a brown horse in a field"], negatives={"max_negatives": 3})[0]
    assert capgraph.texts(["a brown horse in a field"], seed=1)[0] != capgraph.texts(["a brown horse in a field"])[0]


def test_a_handful_of_captions_has_sensible_negatives():
    """Colours of other captions here are not the only ones, and a shirt is not brown for a horse."""
    texts = capgraph.texts(["a man in a red shirt", "a brown horse"])
    changed = {n.text for n in texts[0].negatives if n.method == "replace_attribute"}
    assert changed and changed != {"a man in a brown shirt"}


def test_bytes_of_a_run(captions):
    """Each column of a run, of the same captions, vocabulary and seed."""
    graphs, texts = pq.read_table(captions.out / "graphs"), pq.read_table(captions.out / "texts")
    parsed = capgraph.parse(graphs["caption"]).to_arrow()
    for name in ("text", "tokens", "graph", "parser", "confidence"):
        assert parsed[name].to_pylist() == graphs[name].to_pylist(), name
    order = list(range(len(graphs)))
    random.Random(0).shuffle(order)  # the captions of an image lie apart
    for at in (list(range(len(graphs))), order):
        mixed = graphs.take(pa.array(at))
        ours = capgraph.texts(mixed["caption"], images=mixed["image_key"], keys=mixed["key"], vocabulary=captions.out, seed=7).to_arrow()
        of = {key: row for key, row in zip(mixed["key"].to_pylist(), ours.to_pylist())}
        if at == order:  # the captions of an image have another order, and so have the texts that one leaves to another
            assert {k: r["text"] for k, r in of.items()} == {k: t for k, t in zip(texts["key"].to_pylist(), texts["text"].to_pylist())}
            continue
        for row in texts.to_pylist():
            assert {name: of[row["key"]][name] for name in row if name not in ("key", "image_key", "image")} == \
                {name: value for name, value in row.items() if name not in ("key", "image_key", "image")}


def test_load_and_run(captions, tmp_path, monkeypatch):
    loaded = capgraph.load(captions.out)
    assert loaded.texts.count_rows() == len(captions.rows) == loaded.graphs.count_rows()
    source = tmp_path / "captions.jsonl"
    source.write_text("".join(json.dumps({"caption": c}) + "\n" for c in ("a red bus on a street", "a brown horse in a field")))
    options = {"source": {"format": "jsonl", "paths": str(source), "columns": {"caption": "caption"}}, "output": {"dir": str(tmp_path / "out")}}
    monkeypatch.chdir(tmp_path)
    capgraph.run(None, **options)
    with pytest.raises(capgraph.CapgraphError, match="redo=\"parse\""):
        capgraph.run(None, **options, clean={"max_words": 3})
    capgraph.run(None, **options, redo="texts")
    assert capgraph.load(tmp_path / "out").texts.count_rows() == 2
    with pytest.raises(capgraph.CapgraphError, match="no such file"):
        capgraph.run("missing.yaml")
    with pytest.raises(FileNotFoundError, match="capgraph.run"):
        capgraph.load(tmp_path)


def test_units():
    text = "a man in a red shirt is riding a brown horse at the café. Two dogs are near the fence."
    units = capgraph.units([text, None])
    assert units[1] is None
    kinds = {}
    for u in units[0]:
        assert text.encode()[u.begin:u.end].decode() == u.text and u.foil != u.text
        kinds.setdefault(u.kind, []).append(u.text)
    assert kinds["sentence"] == ["a man in a red shirt is riding a brown horse at the café.", "Two dogs are near the fence."]
    assert {"a man", "a red shirt", "a brown horse", "Two dogs", "the fence"} <= set(kinds["noun"])
    assert "riding a brown horse" in kinds["verb"] and "a man in a red shirt" in kinds["relation"]
    assert sum(u.foil is not None for u in units[0]) > len(units[0]) / 2
    assert [u.foil for u in units[0] if u.text == "a man in a red shirt is riding a brown horse"] == ["a woman in a red shirt is riding a brown horse"]
    paraphrased = capgraph.units([f"a {colour} {thing} on a table" for colour in ("red", "blue") for thing in ("cup", "ball", "book", "hat")])
    assert any(u.paraphrase for of in paraphrased for u in of)


def test_show_draws_and_escapes():
    shown = capgraph.show(["a man riding a <b>big</b> & wild wave", None])
    assert "ride → 1" in str(shown) and "(no graph)" in str(shown)
    html = capgraph.show(capgraph.parse(["two men & a dog riding a big wave"]))._repr_html_()
    xml.etree.ElementTree.fromstring(html.replace("&amp;", ""))
    assert "&amp;" in html and "<svg" in html
    assert "<figcaption>a man riding a &lt;" in capgraph.show(capgraph.Graph("a man riding a <i>", [], [], [], "", 1.0))._repr_html_()


def test_a_crash_names_the_rows_and_the_next_call_works():
    made(["a red bus"])
    os.kill(_worker._worker.process.popen.pid, signal.SIGKILL)
    with pytest.raises(capgraph.CapgraphError, match="rows 0 to 1 .signal 9"):
        capgraph.parse(["a red bus", "a dog"])
    assert capgraph.parse(["a red bus"])[0]


def test_an_interrupt_leaves_no_half_read_reply(monkeypatch):
    made(["a red bus"])
    with monkeypatch.context() as patched:
        def interrupted(self, size):
            raise KeyboardInterrupt
        patched.setattr(_worker._Process, "_read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            capgraph.parse(["a dog"])
    assert [o.name for o in capgraph.parse(["a red bus"])[0].objects] == ["bus"]


def test_threads():
    want = {i: made([f"{i} red dogs"]) for i in range(8)}
    got = {}
    threads = [threading.Thread(target=lambda i=i: got.__setitem__(i, made([f"{i} red dogs"]))) for i in want]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == want


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    want = made(CAPTIONS)
    own = _worker._worker.process.popen
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(made, [CAPTIONS] * 4) == [want] * 4
    assert made(CAPTIONS) == want and _worker._worker.process.popen is own


def test_the_worker_ends_with_its_process():
    """Also one that a forked child could have kept open."""
    code = "import capgraph, os, time\ncapgraph.parse(['a dog'])\nfrom capgraph import _worker\nprint(_worker._worker.process.popen.pid, flush=True)\n" \
           "if os.fork() == 0:\n    capgraph.parse(['a cat'])\n    print('child', flush=True)\n    time.sleep(30)\nelse:\n    os.read(0, 1)\n    os._exit(0)"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    pid = int(process.stdout.readline())
    assert process.stdout.readline() == "child\n"
    process.stdin.close()
    process.wait()
    try:
        for _ in range(200):
            try:
                state = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
            except FileNotFoundError:
                break
            if state == "Z":
                break
            threading.Event().wait(0.05)
        else:
            pytest.fail("the worker lives")
    finally:
        os.killpg(process.pid, signal.SIGKILL)


def test_data_loader():
    torch = pytest.importorskip("torch")
    captions = [f"a {colour} dog and {n} cats" for colour in ("red", "black") for n in ("two", "three")] * 4
    loader = torch.utils.data.DataLoader(captions, batch_size=4, num_workers=2, collate_fn=made)
    assert [row for batch in loader for row in batch] == made(captions)


def test_the_command_makes_the_same_texts(binary):
    captions = ["a brown horse in a field", "", "a man in a red shirt", "a man in a red shirt"]
    done = subprocess.run([binary, "texts", "--seed", "3"], input="\n".join(captions), capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    texts = capgraph.texts(captions, seed=3)
    assert [line["row"] for line in lines] == [0, 1, 2, 3] and lines[1]["reject"] == texts.reasons[1] and lines[2]["negatives"] == lines[3]["negatives"]
    for line, row in zip(lines, texts):
        assert [n["text"] for n in line["negatives"]] == [n.text for n in row.negatives] and line.get("reject") == row.reason
        assert [p["text"] for p in line["positives"]] == [p.text for p in row.positives] and line["text"] == row.text


def test_without_pyarrow():
    """The package that runs tasks on clusters needs none; what does says so."""
    code = "import sys\nsys.modules['pyarrow'] = None\nimport capgraph, capgraph.tasks\nassert capgraph.__version__\ncapgraph.parse"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "capgraph.parse needs pyarrow: pip install pyarrow" in done.stderr


def test_what_is_too_large_is_an_error_that_names_rows(monkeypatch):
    """A limit of 4 kB in place of 1 GiB: a caption of its own, and captions that images keep together."""
    monkeypatch.setattr(_worker, "MAX_MESSAGE", 4000)
    monkeypatch.setattr(_worker, "MAX_BYTES", 2000)
    with pytest.raises(ValueError, match="rows 1 to 1 are .* pass fewer captions"):
        capgraph.parse(["a red bus", "x" * 5000, "a dog"])
    with pytest.raises(ValueError, match="rows 0 to 999 are"):
        capgraph.texts(["a red bus"] * 1000, images=["1"] * 1000)
    monkeypatch.setattr(_worker, "MAX_CAPTION", 3000)
    with pytest.raises(ValueError, match="the caption of row 1 has 3,500 bytes, more than 3,000"):
        capgraph.parse(["a red bus", "x" * 3500, "a dog"])
    many = [f"a red bus with {i} windows" for i in range(300)]
    assert [g.text for g in capgraph.parse(many)] == many


def test_errors_name_the_row_of_the_call(monkeypatch):
    """Also of a later request of the call."""
    monkeypatch.setattr(_worker, "MAX_ROWS", 2)
    made(["a red bus"])
    asked = []

    def ask(message, rows):
        asked.append(rows)
        if len(asked) == 2:
            with pa.BufferOutputStream() as sink:
                with pa.ipc.new_stream(sink, pa.schema({"error": pa.string(), "row": pa.int64()})) as writer:
                    writer.write_batch(pa.record_batch({"error": ["no"], "row": pa.array([1], pa.int64())}))
                return sink.getvalue()
        return original(message, rows)

    original = _worker._worker.ask
    monkeypatch.setattr(_worker._worker, "ask", ask)
    with pytest.raises(capgraph.CapgraphError) as failed:
        capgraph.parse(["a red bus"] * 5)
    assert failed.value.row == 3 and asked == ["rows 0 to 1", "rows 2 to 3"]


def test_phrases_are_the_objects():
    captions = ["Two dogs chase a man in a red coat", "a café dog on a mat", "a man rides a horse", "[/EN#1/people a man] rides a horse", "a dog"]
    phrases = [("dog", "man"), [{"start": 2, "end": 10, "text": "café dog"}, (16, 19)], None, "[/EN#1/people a man] rides a horse", [[0, 99]]]
    graphs = capgraph.parse(captions, phrases=phrases)
    assert [graph and [o.name for o in graph.objects] for graph in graphs] == [["dogs", "man"], ["café dog", "mat"], ["man", "horse"], ["man"], None]
    assert graphs.reasons[4] == "malformed_phrases"
    assert "dogs" in str(capgraph.texts(captions[:1], phrases=phrases[:1])[0].positives)
    with pytest.raises(ValueError, match="phrases has length 1, captions 5"):
        capgraph.parse(captions, phrases=[None])
    with pytest.raises(TypeError, match=r"phrases\[0\] is of type int"):
        capgraph.parse(["a"], phrases=[1])
