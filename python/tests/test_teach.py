"""The parser's teacher, on a BERT of one layer that knows nothing, a little of FACTUAL and few annotated graphs."""
import csv
import gzip
import hashlib
import itertools
import json
import os
import subprocess
import sys

import numpy as np
import onnx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROOT
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

DATA = ROOT.parent / "shared/data"
TEACH = ROOT / "ruleparse/tools/teach/teach.py"
HIDDEN = 96


# Captions with packed graphs, which name them by file, row and hash, and captions without.
PACKED = {"coco": "A dog lies on a red sofa next to a cat.", "web": "Zebra Print Infant Car Seat"}
CAPTIONS = ["Two men in blue riding bikes.", ""]


def graph_of(text, source, *names):
    objects = [{"name": n, "begin": text.index(n), "end": text.index(n) + len(n), "quantity": {}, "attributes": []} for n in names]
    return json.dumps({"source": source, "text": text, "objects": objects, "relations": []}) + "\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The folder of data with 30 rows of FACTUAL more than are kept apart, 100 annotated graphs, and few captions. Go builds the
    tool with graphs of two of these captions in the place of those that it has, whose captions are 40,000."""
    if not DATA.exists():
        pytest.skip(f"no {DATA}: the data to learn from are not here")
    to = tmp_path_factory.mktemp("data")
    for folder in "factual", "coco", "cc3m", "written", "webalt":
        (to / folder).mkdir()
    with (DATA / "factual/factual_sg_train.csv").open(newline="") as f, (to / "factual/factual_sg_train.csv").open("w", newline="") as g:
        rows = csv.reader(f)
        csv.writer(g).writerows([next(rows) for _ in range(1 + 4030)])
    for name in "graphs.jsonl", "graphs2.jsonl":
        with (DATA / "written" / name).open() as f, (to / "written" / name).open("w") as g:
            g.writelines(itertools.islice(f, 100))
    pq.write_table(pa.table({"TEXT": [PACKED["web"]]}), to / "webalt/train_5000.parquet")
    pq.write_table(pa.table({"TEXT": ["Leather Wallet Black"]}), to / "webalt/train_more.parquet")
    (to / "coco/captions_val2017.json").write_text(json.dumps({"annotations": [{"caption": PACKED["coco"]}]}))
    (to / "coco/karpathy_val_minus_val2017.json").write_text(json.dumps([{"image": "1.jpg", "caption": CAPTIONS}]))
    (to / "cc3m/cc3m_val_first8000.tsv").write_text("author : a café in Пари́ж 🙂 .\thttps://example.org/1.jpg\n")
    graphs = graph_of(PACKED["coco"], "coco", "dog", "sofa", "cat") + graph_of(PACKED["web"], "web", "Car Seat")
    packed = subprocess.run(["go", "run", "./ruleparse/tools/teach", "-data", to, "pack"], cwd=ROOT, input=graphs.encode(), check=True, capture_output=True).stdout
    (to / "graphs.jsonl.gz").write_bytes(packed)
    (to / "overlay.json").write_text(json.dumps({"Replace": {str(ROOT / "ruleparse/tools/internal/examples/graphs.jsonl.gz"): str(to / "graphs.jsonl.gz")}}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOFLAGS", f"{os.environ.get('GOFLAGS', '')} -overlay={to / 'overlay.json'}".strip())
        yield to


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    to = tmp_path_factory.mktemp("encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "on", "dog", "red", "##s"]
    t = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    t.save(str(to / "tokenizer.json"))
    rng = np.random.default_rng(0)
    array = lambda *shape: rng.normal(0, 0.05, shape).astype(np.float32)
    weights = {
        "embeddings.word_embeddings.weight": array(len(words), HIDDEN),
        "embeddings.position_embeddings.weight": array(512, HIDDEN),
        "embeddings.token_type_embeddings.weight": array(2, HIDDEN),
    }
    for norm in "embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output":
        weights |= {f"{norm}.LayerNorm.weight": np.ones(HIDDEN, np.float32), f"{norm}.LayerNorm.bias": np.zeros(HIDDEN, np.float32)}
    nodes = []
    for name, rows, columns in (
        ("attention/self/query", HIDDEN, HIDDEN),
        ("attention/self/key", HIDDEN, HIDDEN),
        ("attention/self/value", HIDDEN, HIDDEN),
        ("attention/output/dense", HIDDEN, HIDDEN),
        ("intermediate/dense", HIDDEN, 128),
        ("output/dense", 128, HIDDEN),
    ):
        matrix = f"onnx::MatMul_{len(nodes)}"
        weights[matrix] = array(rows, columns)
        weights[f"encoder.layer.0.{name.replace('/', '.')}.bias"] = np.zeros(columns, np.float32)
        nodes.append(helper.make_node("MatMul", [f"x{len(nodes)}", matrix], [f"y{len(nodes)}"], name=f"/encoder/layer.0/{name}/MatMul"))
    graph = helper.make_graph(nodes, "bert", [helper.make_tensor_value_info("x0", TensorProto.FLOAT, [1, HIDDEN])], [], [numpy_helper.from_array(w, n) for n, w in weights.items()])
    onnx.save(helper.make_model(graph), to / "model.onnx")
    return to


def said_by(script, *args):
    return subprocess.run([sys.executable, script, *map(str, args)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def taught(data, encoder, tmp_path_factory):
    """The teacher, trained, and what was said meanwhile."""
    to = tmp_path_factory.mktemp("taught") / "teacher.pt"
    return to, said_by(TEACH, "train", "--data", data, "--encoder", encoder, "--out", to)


def test_a_teacher_is_trained_and_answers_every_question(data, taught, tmp_path):
    teacher, said = taught
    lessons = subprocess.run(["go", "run", "./ruleparse/tools/teach", "-data", data, "newest"], cwd=ROOT, check=True, capture_output=True).stdout
    assert [json.loads(line)["text"] for line in lessons.splitlines()] == list(PACKED.values())
    losses = [float(line.split("loss ")[1].split()[0]) for line in said.splitlines() if "development part" in line]
    assert len(losses) == 4 and losses[-1] < losses[0], said

    said_by(TEACH, "annotate", "--data", data, "--teacher", teacher, "--out", tmp_path / "silver.bin.gz")
    asked = subprocess.run(["go", "run", "./ruleparse/tools/teach", "-data", data, "questions"], cwd=ROOT, check=True, capture_output=True).stdout
    head, digest, b = gzip.decompress((tmp_path / "silver.bin.gz").read_bytes()).split(b"\n", 2)
    assert head == b"capgraph silver 1"
    assert digest.decode() == hashlib.sha256(asked).hexdigest()
    questions = [json.loads(line) for line in asked.splitlines()]
    assert {*PACKED.values(), CAPTIONS[0], "author: a café in Пари́ж."} <= {q["text"] for q in questions}
    for q in questions:
        labels = [b[3 * i] >> 4 for i in range(len(q["tokens"]))]
        b = b[3 * len(labels) :]
        nodes = sum(l in (1, 3) for l in labels)
        for width in 2, 3:  # links, then relations
            n, b = b[0], b[1:]
            for _ in range(n):
                assert b[0] < nodes and b[1] < nodes
                b = b[width:]
    assert not b


def test_a_folder_without_data_is_named(encoder, tmp_path):
    done = subprocess.run([sys.executable, TEACH, "train", "--data", tmp_path, "--encoder", encoder, "--out", tmp_path / "t.pt"], capture_output=True, text=True)
    assert done.returncode != 0 and "factual_sg_train.csv" in done.stderr, done.stderr
