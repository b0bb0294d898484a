"""The teacher of the parser: a pretrained encoder that learns annotated graphs and FACTUAL's, and annotates captions.

    python ruleparse/tools/teach/teach.py train --data DIR --encoder DIR --out teacher.pt
    python ruleparse/tools/teach/teach.py annotate --data DIR --teacher teacher.pt --out ruleparse/tools/train/silver.bin.gz

The encoder's folder holds tokenizer.json, and config.json and model.safetensors as transformers writes them,
or model.onnx of a BERT whose layers have the names that PyTorch's exporter gives them. What is decided, and among what, is asked of the parser
(go run ./ruleparse/tools/teach): labels of tokens, the object of each attribute, the relation of each object
to those before it. docs/parser.md says what comes of it.
"""

import argparse
import functools
import gzip
import hashlib
import json
import math
import multiprocessing
import pathlib
import random
import re
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import constructions
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoConfig, AutoModel

ROOT = pathlib.Path(__file__).resolve().parents[3]
OUTSIDE, BEGIN_OBJECT, IN_OBJECT, BEGIN_ATTRIBUTE, IN_ATTRIBUTE = range(5)
NOTHING, NONE_AGAIN, AGAIN = 6, 71, 64  # forms that no option has, and what is added to that of one that comes second


def ask(*args, data=None, stdin=None):
    """Yields the lessons that the parser answers with, and their bytes."""
    command = ["go", "run", "./ruleparse/tools/teach"] + (["-data", str(pathlib.Path(data).resolve())] if data else []) + list(args)
    with subprocess.Popen(command, cwd=ROOT, stdin=stdin, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            yield json.loads(line), line
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")


def products():
    """Matrices are multiplied in bf16, and in float32 by a processor without AVX-512, on which bf16 takes a hundred times as long."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.backends.cpu.get_cpu_capability() == "AVX512")


# The model


def read_encoder(folder):
    """An encoder, its configuration, and its tokenizer as JSON."""
    folder = pathlib.Path(folder)
    tokenizer = (folder / "tokenizer.json").read_text()
    if not (folder / "model.onnx").exists():
        encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        return encoder, encoder.config.to_dict(), tokenizer
    graph = onnx.load(folder / "model.onnx").graph
    weights = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:  # the exporter keeps matrices under other names, transposed
        for name in node.input:
            if node.op_type == "MatMul" and name in weights and node.name.endswith("/MatMul"):
                path = node.name[1 : -len("/MatMul")].replace("/", ".")
                weights[path + ".weight"] = weights[name].T
    words = weights["embeddings.word_embeddings.weight"]
    layers = 1 + max(int(n) for w in weights for n in re.findall(r"encoder\.layer\.(\d+)\.", w))
    config = dict(
        model_type="bert",
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=layers,
        num_attention_heads=words.shape[1] // 32,
        intermediate_size=weights["encoder.layer.0.intermediate.dense.weight"].shape[0],
    )
    encoder = make_encoder(config)
    encoder.load_state_dict({k: torch.tensor(weights[k]) for k in encoder.state_dict()})
    return encoder, config, tokenizer


def make_encoder(config):
    """An encoder without weights."""
    rest = {k: v for k, v in config.items() if k != "model_type"}
    return AutoModel.from_config(AutoConfig.for_model(config["model_type"], **rest), add_pooling_layer=False)


class Heads(nn.Module):
    """What is decided from the encoder's vectors, of shape (tokens, hidden)."""

    def __init__(self, hidden, inner=192):
        super().__init__()
        self.lab = nn.Linear(hidden, 5)
        for name in "a1 a2 b1 b2 p1 p2 k1 k2 o1 o2".split():  # first and last token of objects, predicates, attributes, owners
            setattr(self, name, nn.Linear(hidden, inner, bias=False))
        for name, size in dict(typ=128, used=32, gap=64, len=8, lgap=64).items():
            setattr(self, name, nn.Embedding(size, inner))
            nn.init.normal_(getattr(self, name).weight, std=0.1)
        self.mid, self.w, self.lmid, self.lw = nn.Linear(inner, inner), nn.Linear(inner, 1), nn.Linear(inner, inner), nn.Linear(inner, 1)
        self.drop = nn.Dropout(0.2)

    def score(self, x, mid, last):
        x = F.gelu(x)
        x = F.gelu(mid(self.drop(x))) + x
        return last(self.drop(x)).squeeze(-1).float()

    def relations(self, h, r):
        """Scores of options, rows of (a1, a2, b1, b2, p1, p2, form, used, gap, words)."""
        x = sum(getattr(self, n)(h)[r[:, i]] for i, n in enumerate("a1 a2 b1 b2 p1 p2".split()))
        return self.score(x + self.typ(r[:, 6]) + self.used(r[:, 7]) + self.gap(r[:, 8]) + self.len(r[:, 9]), self.mid, self.w)

    def owners(self, h, r):
        """Scores of owners, rows of (k1, k2, o1, o2, gap)."""
        x = sum(getattr(self, n)(h)[r[:, i]] for i, n in enumerate("k1 k2 o1 o2".split()))
        return self.score(x + self.lgap(r[:, 4]), self.lmid, self.lw)


class Teacher(nn.Module):
    def __init__(self, encoder, config, tokenizer):
        super().__init__()
        self.encoder, self.config, self.vocabulary = encoder, config, tokenizer
        self.shape, self.written = nn.Embedding(16, config["hidden_size"]), nn.Embedding(2, config["hidden_size"])
        for table in (self.shape, self.written):
            nn.init.zeros_(table.weight)
        self.heads = Heads(config["hidden_size"])
        self.tokenizer = Tokenizer.from_str(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.special = [next(i for i in map(self.tokenizer.token_to_id, names) if i is not None) for names in (("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[UNK]", "<unk>"))]
        self.known = {}

    def save(self, path):
        torch.save(dict(config=self.config, tokenizer=self.vocabulary, encoder=self.encoder.state_dict(), heads=self.heads.state_dict(), shape=self.shape.state_dict(), written=self.written.state_dict()), path)

    @staticmethod
    def load(path):
        f = torch.load(path)
        t = Teacher(make_encoder(f["config"]), f["config"], f["tokenizer"])
        t.encoder.load_state_dict(f["encoder"])
        for name in "heads shape written".split():
            getattr(t, name).load_state_dict(f[name])
        return t.eval()

    def pieces(self, word):
        if word not in self.known:
            self.known[word] = self.tokenizer.encode(word, add_special_tokens=False).ids or self.special[2:]
        return self.known[word]

    def vectors(self, captions):
        """The vectors of all tokens of the captions, one after the other, and a last one of zeros."""
        rows, shapes, first, last = [], [], [], []
        for x in captions:
            row, shape = self.special[:1], [0]
            for word, s in zip(x["tokens"], x["shapes"]):
                first.append((len(rows), len(row)))
                row += self.pieces(word)
                shape += [s] * (len(row) - len(shape))
                last.append((len(rows), len(row) - 1))
            rows.append(row + self.special[1:2])
            shapes.append(shape + [0])
        width = (max(map(len, rows)) + 3) // 4 * 4  # fewer widths, for which products are prepared once
        pad = lambda lists: torch.tensor([r + [0] * (width - len(r)) for r in lists])
        written = torch.tensor([[int(x["written"])] for x in captions])
        e = self.encoder.embeddings.word_embeddings(pad(rows)) + self.shape(pad(shapes)) + self.written(written)
        with products():
            h = self.encoder(inputs_embeds=e, attention_mask=pad([[1] * len(r) for r in rows])).last_hidden_state.float().flatten(0, 1)
        at = lambda places: h[torch.tensor([i * width + k for i, k in places], dtype=torch.long)]
        h = (at(first) + at(last)) / 2
        return self.heads.drop(torch.cat([h, torch.zeros(1, h.shape[1], dtype=h.dtype)]))

    def judge(self, captions):
        """The vectors of all tokens of the captions, and of each caption how likely each label of its tokens is."""
        h = self.vectors(captions)
        p = torch.softmax(self.heads.lab(h[:-1]).float(), -1)
        return h, torch.split(p, [len(x["tokens"]) for x in captions])


# What is decided


def uses(option, a, b, edges):
    """How the words of an option are used by relations already found, as history.go has it."""
    u = 0
    for e in edges:
        if not e["words"] or not option["words"] or e["b"] < a or e["words"][0] > option["words"][-1] or option["words"][0] > e["words"][-1]:
            continue
        same = e["words"][0] == option["words"][0] and len(e["words"]) == len(option["words"])
        u |= (1 if same else 2) if e["b"] == b else (4 if same else 8) if e["a"] == a else 16
    return u


def relation_row(nodes, a, b, option, form, used):
    first, second, words = nodes[a], nodes[b], option["words"]
    between = sum(not n["attribute"] for n in nodes[a + 1 : b])
    gap = min(7, second["from"] - first["to"]) * 4 + min(3, between)
    return (first["from"], first["to"] - 1, second["from"], second["to"] - 1, words[0] if words else -1, words[-1] if words else -1, form, min(31, used), gap, len(words))


def first_rows(nodes, ties):
    """Rows of the first decision on an object: nothing, then each option of each object before it."""
    b = ties["object"]
    rows = [(-1, -1, nodes[b]["from"], nodes[b]["to"] - 1, -1, -1, NOTHING, 0, 0, 0)]
    for t in ties["before"]:
        rows += [relation_row(nodes, t["object"], b, o, o["form"], 0) for o in t["options"]]
    return rows


def again_rows(nodes, b, tie, edges):
    """Rows of a later decision: no relation with this object too, then each option."""
    a = tie["object"]
    rows = [relation_row(nodes, a, b, dict(words=[]), NONE_AGAIN, 0)]
    return rows + [relation_row(nodes, a, b, o, o["form"] + AGAIN, uses(o, a, b, edges)) for o in tie["options"]]


def owner_rows(nodes, owner):
    rows = []
    for o in owner["objects"]:
        k = owner["attribute"]
        lo, hi = min(k, o), max(k, o)
        gap = min(7, max(0, nodes[hi]["from"] - nodes[lo]["to"])) * 4 + min(3, sum(not n["attribute"] for n in nodes[lo + 1 : hi]))
        rows.append((nodes[k]["from"], nodes[k]["to"] - 1, nodes[o]["from"], nodes[o]["to"] - 1, gap + (32 if o < k else 0)))
    return rows


def edge(tie, b, k):
    return dict(a=tie["object"], b=b, option=k, words=tie["options"][k]["words"])


def decisions(lesson):
    """The annotators' decisions of a lesson: lists of rows with the index of the right one."""
    nodes, edges, relations = lesson["nodes"], [], []
    for ties in lesson["relations"]:
        before, b = ties["before"], ties["object"]
        answered = [t for t in before if t["answer"] >= 0]
        known = lesson["whole"] and not ties["open"]
        if not before or not answered and not known:
            continue
        parent, right, skipped = (answered[0] if answered else None), 0, 1
        for t in before:
            if t is parent:
                right = skipped + t["answer"]
            skipped += len(t["options"])
        relations.append((first_rows(nodes, ties), right))
        if parent is None:
            continue
        edges.append(edge(parent, b, parent["answer"]))
        for t in before:
            if t is not parent and (t["answer"] >= 0 or known):
                relations.append((again_rows(nodes, b, t, edges), t["answer"] + 1))
                if t["answer"] >= 0:
                    edges.append(edge(t, b, t["answer"]))
    owners = [(owner_rows(nodes, o), o["answer"]) for o in lesson["owners"] if o["answer"] >= 0 and len(o["objects"]) > 1]
    return relations, owners


class Rows:
    """Decisions of several captions as one list of rows with indices into their common vectors."""

    def __init__(self, columns):
        self.columns, self.rows, self.segment, self.right = columns, [], [], []

    def add(self, rows, right, offset, zeros):
        self.right.append(len(self.rows) + right)
        self.segment += [len(self.right) - 1] * len(rows)
        self.rows += [[(zeros if v < 0 else v + offset) if j < self.columns else v for j, v in enumerate(r)] for r in rows]

    def log_probabilities(self, score):
        segment, n = torch.tensor(self.segment), len(self.right)
        top = torch.full((n,), -math.inf).scatter_reduce(0, segment, score, "amax")
        total = torch.zeros(n).index_add(0, segment, torch.exp(score - top[segment]))
        return score - top[segment] - torch.log(total)[segment]


# Training


def losses(teacher, batch):
    """Cross entropies of labels, relations and owners, summed."""
    h = teacher.vectors([x for x, _, _ in batch])
    labels = torch.tensor([l if x["whole"] or l else -100 for x, _, _ in batch for l in x["labels"]])
    loss = F.cross_entropy(teacher.heads.lab(h[:-1]).float(), labels, ignore_index=-100, reduction="sum")
    relations, owners, offset = Rows(6), Rows(4), 0
    for lesson, r, o in batch:
        for rows, right in r:
            relations.add(rows, right, offset, len(labels))
        for rows, right in o:
            owners.add(rows, right, offset, len(labels))
        offset += len(lesson["tokens"])
    for rows, score in (relations, teacher.heads.relations), (owners, teacher.heads.owners):
        if rows.rows:
            loss = loss - rows.log_probabilities(score(h, torch.tensor(rows.rows)))[torch.tensor(rows.right)].sum()
    return loss


def read_constructions():
    """The lessons of constructions.py."""
    with tempfile.TemporaryFile("w+") as f:
        for row in constructions.make_rows():
            f.write(json.dumps(row) + "\n")
        f.seek(0)
        yield from ask("align", stdin=f)


def train(args):
    seed, epochs, rate, head_rate, warm = (2, 2, 5e-5, 3e-4, 50) if args.teacher else (1, 4, 1.5e-4, 1e-3, 200)
    torch.manual_seed(seed)
    random.seed(seed)
    teacher = Teacher.load(args.teacher) if args.teacher else Teacher(*read_encoder(args.encoder))
    read = lambda lessons: [(x, *decisions(x)) for x, _ in lessons if 0 < len(x["tokens"]) < 64]
    lessons, held_out = read(ask("lessons", data=args.data)), read(ask("held-out", data=args.data))
    held_out = [l for l in held_out if l[0]["written"]]
    size = 32
    written = [l for l in lessons if l[0]["written"]] + read(read_constructions())
    newest = read(ask("newest", data=args.data)) if args.teacher else []
    count = 3 * len(newest) or len(written)  # the newest in each epoch, and twice as many others, which are not to be forgotten
    regions = [l for l in lessons if not l[0]["written"]]
    random.shuffle(regions)
    beside = count * 3 // 10  # of FACTUAL's, others in each epoch
    steps = (epochs + bool(args.teacher)) * math.ceil((count + beside) / size)  # a third epoch of the newest made graphs worse
    teacher.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    body = [*teacher.encoder.parameters(), *teacher.shape.parameters(), *teacher.written.parameters()]
    optimizer = torch.optim.AdamW([dict(params=[p for p in body if p.requires_grad], lr=rate), dict(params=teacher.heads.parameters(), lr=head_rate)], weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, s / warm) * max(0.02, 1 - s / steps))
    for epoch in range(epochs):
        teacher.train()
        lessons = newest + random.sample(written, count - len(newest)) + regions[epoch * beside : (epoch + 1) * beside]
        lessons.sort(key=lambda l: len(l[0]["tokens"]) + 4 * random.random())  # captions of a length together
        batches = [lessons[i : i + size] for i in range(0, len(lessons), size)]
        random.shuffle(batches)
        for k, batch in enumerate(batches):
            loss = losses(teacher, batch) / len(batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(teacher.parameters(), 5)
            optimizer.step()
            schedule.step()
            if k % 50 == 0:
                print(f"epoch {epoch} step {k} of {len(batches)}: loss {loss.item():.3f}", flush=True)
        teacher.eval()
        with torch.no_grad():
            total = sum(losses(teacher, held_out[i : i + size]).item() for i in range(0, len(held_out), size))
        print(f"epoch {epoch}: loss {total / len(held_out):.3f} on the development part", flush=True)
        teacher.save(args.out)


# Annotating


def likeliest_labels(p):
    """The labels that are likeliest one by one, where what continues follows what begins."""
    out, before = [], OUTSIDE
    for q in p.tolist():
        for begin, inside in (BEGIN_OBJECT, IN_OBJECT), (BEGIN_ATTRIBUTE, IN_ATTRIBUTE):
            if before not in (begin, inside):
                q[inside] = -1
        before = max(range(5), key=q.__getitem__)
        out.append(before)
    return out


def annotate(args):
    hash, questions = hashlib.sha256(), []
    for x, line in ask("questions", data=args.data):
        hash.update(line)
        questions.append(x)
    order = sorted(range(len(questions)), key=lambda i: len(questions[i]["tokens"]))
    answers, size = [b""] * len(questions), 4096
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        chunks = [order[i : i + size] for i in range(0, len(order), size)]
        for n, (chunk, done) in enumerate(zip(chunks, pool.map(answer, repeat(args.teacher), [[questions[k] for k in c] for c in chunks]))):
            print(f"{n + 1} of {len(chunks)}", flush=True)
            for k, a in zip(chunk, done):
                answers[k] = a
    with gzip.GzipFile(args.out, "wb", compresslevel=9, mtime=0) as f:
        f.write(b"capgraph silver 1\n" + hash.hexdigest().encode() + b"\n" + b"".join(answers))


@functools.cache
def loaded(path):
    torch.set_num_threads(1)  # each process has its own part of the captions
    return Teacher.load(path)


def answer(path, questions, size=256):
    """The answers to questions, as the parser's trainer reads them."""
    teacher, batches, answers = loaded(path), [], []
    with tempfile.TemporaryFile("w+") as labelled, torch.no_grad(), products():
        for i in range(0, len(questions), size):
            captions = questions[i : i + size]
            h, likelihoods = teacher.judge(captions)
            for x, q in zip(captions, likelihoods):
                labels = likeliest_labels(q)
                answers.append(pack_labels(labels, q))
                labelled.write(json.dumps(dict(text=x["text"], labels=labels)) + "\n")
            batches.append((len(captions), h))
        labelled.seek(0)
        lessons = [x for x, _ in ask("ask", stdin=labelled)]
        rest = []
        for n, h in batches:
            rest += decide(teacher.heads, lessons[len(rest) : len(rest) + n], h)
    return [a + r for a, r in zip(answers, rest)]


def pack_labels(labels, q):
    out = bytearray()
    for label, row in zip(labels, (q * 15).round().int().tolist()):
        bits = label
        for v in row:
            bits = bits << 4 | v
        out += bits.to_bytes(3, "big")
    return bytes(out)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def decide(heads, lessons, h):
    """Owners and relations of each lesson, as the parser's trainer reads them."""
    zeros, offset = len(h) - 1, 0

    def best(columns, score, lists):
        """The likeliest row of each list of rows."""
        rows = Rows(columns)
        for r, o in lists:
            rows.add(r, 0, o, zeros)
        if not rows.rows:
            return []
        p = score(h, torch.tensor(rows.rows)).tolist()
        out, start = [], 0
        for r, _ in lists:
            out.append(max(range(len(r)), key=lambda k: p[start + k]))
            start += len(r)
        return out

    offsets = []
    for x in lessons:
        offsets.append(offset)
        offset += len(x["tokens"])
    places = [(i, o) for i, x in enumerate(lessons) for o in x["owners"] if o["objects"]]
    chosen = best(4, heads.owners, [(owner_rows(lessons[i]["nodes"], o), offsets[i]) for i, o in places])
    links, edges = [[] for _ in lessons], [[] for _ in lessons]
    for (i, o), k in zip(places, chosen):
        links[i].append((o["attribute"], o["objects"][k]))

    # Decisions depend on those before: the first on each lesson's first object, then what follows it, …
    waiting = [[dict(t) for t in x["relations"] if t["before"]] for x in lessons]
    while any(waiting):
        now = [i for i, w in enumerate(waiting) if w]
        again = {}
        for i, k in zip(now, best(6, heads.relations, [(first_rows(lessons[i]["nodes"], waiting[i][0]), offsets[i]) for i in now])):
            ties = waiting[i].pop(0)
            for t in ties["before"] if k else []:
                if 0 < k <= len(t["options"]):
                    edges[i].append(edge(t, ties["object"], k - 1))
                    again[i] = (ties["object"], [o for o in ties["before"] if o is not t])
                k -= len(t["options"])
        while again := {i: (b, left) for i, (b, left) in again.items() if left}:
            lists = [(again_rows(lessons[i]["nodes"], b, left[0], edges[i]), offsets[i]) for i, (b, left) in again.items()]
            for (i, (b, left)), k in zip(again.items(), best(6, heads.relations, lists)):
                t = left.pop(0)
                if k:
                    edges[i].append(edge(t, b, k - 1))
    pack = lambda rows: varint(len(rows)) + b"".join(varint(v) for r in rows for v in r)
    return [pack(l) + pack([(e["a"], e["b"], e["option"]) for e in r]) for l, r in zip(links, edges)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    t = commands.add_parser("train", help="fine-tune an encoder on the annotated graphs but the development part, and on FACTUAL's training part but its last 4,000 rows")
    t.add_argument("--data", required=True)
    start = t.add_mutually_exclusive_group(required=True)
    start.add_argument("--encoder", help="folder with model.onnx and tokenizer.json: 4 epochs")
    start.add_argument("--teacher", help="what train wrote before there were more annotated graphs: it learns the newest in 2 epochs, at a third of the rate")
    t.add_argument("--out", required=True)
    t.set_defaults(run=train)
    a = commands.add_parser("annotate", help="annotate captions")
    a.add_argument("--data", required=True)
    a.add_argument("--teacher", required=True, help="what train wrote")
    a.add_argument("--out", required=True)
    a.set_defaults(run=annotate)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
