"""What Python shows: graphs and texts, errors, progress, and frames in and out."""
import json
import sys
import types

import capgraph
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from capgraph import _progress, _settings, _worker

CAPTIONS = ["a man in a red shirt holding a dog", None, "the", "a red bus"]


@pytest.fixture(autouse=True)
def program(binary, monkeypatch):
    monkeypatch.setenv("CAPGRAPH", binary)


def test_graphs_show_themselves():
    graphs = capgraph.parse(CAPTIONS)
    assert repr(graphs[3]) == "a red bus\n0 bus\n  └─ is red" and str(graphs[3]) == "0 bus\n  └─ is red"
    shown = repr(graphs).splitlines()
    assert shown[:2] == ["Graphs of 4 captions", "[0] a man in a red shirt holding a dog"]
    assert "      └─ hold → 2 dog" in shown and "[1] (nothing: null)" in shown and shown[-3:] == ["[3] a red bus", "    0 bus", "      └─ is red"]
    assert repr(capgraph.parse([])) == "Graphs of 0 captions"
    assert repr(capgraph.parse(["a red bus"] * 1200)).splitlines()[::18] == ["Graphs of 1,200 captions"] and "1,195 more" in repr(capgraph.parse(["a red bus"] * 1200))
    assert "<svg" in graphs._repr_html_() and "(no graph)" in graphs._repr_html_()


def test_texts_show_themselves():
    texts = capgraph.texts(CAPTIONS)
    shown = repr(texts).splitlines()
    assert shown[:2] == ["Texts of 4 captions", "[0] + a man in a red shirt holding a dog  (caption)"]
    for row in texts:
        for negative in row.negatives:
            lines = repr(row).splitlines()
            under = next(line for line in reversed(lines[:lines.index(f"  − {negative.text}  ({negative.method})")]) if line.startswith("+"))
            assert under.startswith(f"+ {row.positives[negative.of].text}  (")
    assert repr(texts[2]) == f"(nothing: {texts.reasons[2]})"
    assert "Unit(text='a red bus'" in repr(capgraph.units(["a red bus"]))


def test_lists_are_empty_and_never_missing():
    texts = capgraph.texts(CAPTIONS)
    for lists in (texts.positives, texts.kinds, texts.confidence, texts.negatives, texts.of, texts.methods):
        assert lists.null_count == 0 and lists[1].as_py() == lists[2].as_py() == []
    assert [len(row.positives) > 0 for row in texts] == [True, False, False, True]
    assert [row.reason for row in texts] == texts.reasons and texts[1].text == ""
    assert len(texts.offsets) == len(texts.negative_offsets) == 5
    table = texts.to_arrow()
    assert all(table[field.name].null_count == 0 for field in table.schema if pa.types.is_list(field.type))
    assert capgraph.texts([]).negatives.to_pylist() == [] and capgraph.texts([None]).positives.to_pylist() == [[]]


@pytest.mark.parametrize("options, said", [
    ({"negatives": {"max_negativ": 1}}, 'negatives={"max_negativ": 1}: unknown field "max_negativ": the nearest valid argument is negatives={"max_negatives": …}'),
    ({"negatives": {"max_negatives": -1}}, 'negatives={"max_negatives": -1}: -1 is not in 0 to 1024'),
    ({"negatives": 8}, "negatives=8: 8: want keys with values"),
    ({"max_negatives": 8}, "max_negatives=8: captions in memory"),
    ({"negatives": {"mix": {"foo": 1}}}, 'negatives={"mix": {"foo": 1}}: negatives.mix: unknown kind "foo"'),
    ({"clean": {"language": "fr: x"}}, "clean={\"language\": 'fr: x'}: "),
    ({"seed": "x"}, "seed='x': x: want a whole number"),
    ({"vocabulary": "no/such"}, "vocabulary='no/such': "),
])
def test_errors_name_arguments(options, said):
    with pytest.raises(capgraph.CapgraphError) as raised:
        capgraph.texts(["a red bus"], **options)
    assert str(raised.value).startswith(said) and "--" not in str(raised.value)


@pytest.mark.parametrize("options, said", [
    ({}, "pipeline.yaml: no such file"),
    ({"source": {"format": "csv"}}, 'source={"paths": …}: no file is named: '),
    ({"source": {"format": "csvv", "paths": "a.csv"}, "output": {"dir": "out"}}, "source={\"format\": 'csvv'}: no format \"csvv\""),
    ({"source": {"format": "csv", "paths": "a.csv"}}, 'output={"dir": …}: no folder is named'),
    ({"source": {"format": "csv", "paths": "a.csv"}, "output": {"dirr": "out"}}, "output={\"dirr\": 'out'}: unknown field \"dirr\": the nearest valid argument is output={\"dir\": …}"),
    ({"source": {"format": "csv", "paths": "a.csv"}, "output": {"dir": "out"}, "redo": "pares"}, 'redo must be one of'),
])
def test_errors_of_a_run_name_arguments(options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("caption\na red bus\n")
    with pytest.raises(capgraph.CapgraphError) as raised:
        capgraph.run(**options)
    assert str(raised.value).startswith(said) and "--" not in str(raised.value)


def test_a_flag_in_an_error_is_an_argument():
    for text, said in [("index anew with --redo index", 'index anew with redo="index"'), ("join it with --append", "join it with append=True"),
                       ("say --yes as well", "say yes=True as well"), ("leave it out with --set source.split=train", 'leave it out with source={"split": train}'),
                       ("texts.csv: no such file", "texts.csv: no such file")]:
        assert _settings.in_python(text, {}) == said
    assert _settings.flat({"a": {"b": None, "c": 1}, "d": {}}) == {"a.c": 1}


FRAME = {"caption": ["a red bus on a street", "a bus", "a dog", None], "image_key": ["1", "1", "2", None], "key": ["k0", "k1", "k2", "k3"]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_frames_in(make):
    frame = make(FRAME)
    assert capgraph.texts(frame).to_arrow() == capgraph.texts(FRAME["caption"], images=FRAME["image_key"], keys=FRAME["key"]).to_arrow()
    assert capgraph.texts(frame, images=["a", "b", "c", "d"]).to_arrow() == capgraph.texts(FRAME["caption"], images=["a", "b", "c", "d"], keys=FRAME["key"]).to_arrow()
    assert list(capgraph.parse(frame)) == list(capgraph.parse(FRAME["caption"]))
    assert capgraph.parse(make({"caption": []}) if make is not pa.table else pa.table({"caption": pa.array([], pa.string())})).to_arrow().num_rows == 0
    with pytest.raises(ValueError, match=r"no column 'caption' \(it has 'text', 'n'\).*frame\['text'\]"):
        capgraph.texts(make({"text": ["a dog"], "n": ["1"]}))


def test_frames_out():
    frame = pd.DataFrame(FRAME, index=[10, 20, 30, 40])[::-1]
    joined = frame.join(capgraph.texts(frame).to_pandas()[["text", "neg", "reason"]])
    assert list(joined.index) == [40, 30, 20, 10] and list(joined["text"][1:]) == list(joined["caption"][1:]) and joined["reason"][40] == "null"
    assert list(capgraph.parse(frame["caption"])[1:3].to_pandas().index) == [30, 20]
    assert list(capgraph.parse(FRAME["caption"]).to_pandas().index) == [0, 1, 2, 3]
    out = capgraph.texts(pl.DataFrame(FRAME)).to_polars()
    assert out.height == 4 and out["neg"].to_list()[3] == [] and out["text"].to_list()[:3] == FRAME["caption"][:3]
    assert capgraph.parse([]).to_polars().height == 0


def test_captions_of_an_image_stay_together(monkeypatch):
    """Whatever the size of a request, and wherever they are."""
    captions = [f"a {colour} {thing} on a table" for thing in ("cup", "ball", "book") for colour in ("red", "blue", "green")] + [None, "a dog"]
    images = ["1", "2", "3"] * 3 + [None, None]
    whole = capgraph.texts(captions, images=images).to_arrow()
    monkeypatch.setattr(_worker, "MAX_ROWS", 2)
    asked = []
    request = _worker._request
    monkeypatch.setattr(_worker, "_request", lambda table, begin: asked.append(table["image_key"].to_pylist()) or request(table, begin))
    assert capgraph.texts(captions, images=images).to_arrow() == whole
    assert asked == [["1"] * 3, ["2"] * 3, ["3"] * 3, [None, None]]


def test_a_long_call_shows_progress(monkeypatch, tmp_path):
    class Bar:
        made = []

        def __init__(self, **options):
            self.options, self.done = options, 0
            self.made.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.closed = True

        def update(self, n):
            self.done += n

    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(_worker, "MAX_ROWS", 2)
    capgraph.parse(["a red bus"] * 5)
    assert [(b.options["total"], b.done, b.closed) for b in Bar.made] == [(5, 5, True)]
    Bar.made.clear()
    (tmp_path / "a.jsonl").write_text(json.dumps({"caption": "a red bus"}) + "\n")
    capgraph.run(source={"format": "jsonl", "paths": str(tmp_path / "a.jsonl")}, output={"dir": str(tmp_path / "out")})
    of = {b.options["desc"]: b for b in Bar.made}
    assert {"index", "parse", "texts"} <= set(of) and of["texts"].done == of["texts"].options["total"] == 1 and all(b.closed for b in Bar.made)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # not installed
    assert capgraph.parse(["a red bus"])[0]
    with _progress.bar(3, "rows") as bar:
        bar.update(3)


def test_no_bar_where_nobody_looks(capfd):
    capgraph.parse(["a red bus"] * 3)
    assert capfd.readouterr() == ("", "")
