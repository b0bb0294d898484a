"""The student of the teacher: a small convolutional network in integer arithmetic that labels tokens in the parser.

    python ruleparse/tools/teach/student.py ask --data DIR --teacher teacher.pt --out lessons.pt
    python ruleparse/tools/teach/student.py train --lessons lessons.pt --out ruleparse/tools/train/network.bin.gz

What it sees of a token is asked of the parser (go run ./ruleparse/tools/teach inputs). It learns how likely the teacher holds
each label (Hinton, Vinyals, Dean 2015), and the annotators' labels. The words of the lexicon have the teacher's vectors,
eight bytes each. docs/parser.md says what comes of it, ruleparse/internal/convnet what is computed.
"""

import argparse
import gzip
import json
import pathlib
import random
import struct
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

from teach import BEGIN_ATTRIBUTE, BEGIN_OBJECT, Teacher, ask, products

ANNOTATED, QUESTION, MIXED = range(3)
CHANNELS, CODES, DIMENSIONS, WIDTHS, POOLED = 64, 8, 96, (5, 3, 3), 1
WORDS, AFFIXES, TRAITS, FLAGS = 1 << 13, 1 << 11, (64, 16, 64, 4, 8, 8, 8, 8, 4), 12
VALUE, INPUT, WEIGHT, LARGEST = 16, 32, 128, 127  # steps of values, of rows of the input, of weights
SHARE = 0.6  # what the network counts beside the linear model


# Asking


def inputs(texts):
    """What the network sees of each text."""
    with tempfile.TemporaryFile("w+") as f:
        for t in texts:
            f.write(json.dumps(dict(text=t)) + "\n")
        f.seek(0)
        return [x for x, _ in ask("inputs", stdin=f)]


def text_of(x, a, b):
    """The text from token a to before token b."""
    return x["text"].encode()[x["begin"][a] : x["end"][b - 1]].decode(errors="replace")


def pieces(labels):
    """Objects and attributes of a caption by its labels: first token, one past the last, label of the first."""
    out, i = [], 0
    while i < len(labels):
        j = i + 1
        if labels[i] in (BEGIN_OBJECT, BEGIN_ATTRIBUTE):
            while j < len(labels) and labels[j] == labels[i] + 1:
                j += 1
            out.append((i, j, labels[i]))
        i = j
    return out


def mix(captions, seed=5):
    """New captions from those of the web, each with its labels: objects and attributes exchanged, cut out, joined."""
    rnd, pool, found = random.Random(seed), {BEGIN_OBJECT: [], BEGIN_ATTRIBUTE: []}, set()
    for x, labels in captions:
        for i, j, label in pieces(labels):
            if 1 < len(t := text_of(x, i, j)) < 40:
                pool[label].append(t)

    def exchange(x, labels, share):
        text, out, end = x["text"].encode(), b"", 0
        for i, j, label in pieces(labels):
            if pool[label] and rnd.random() < share:
                first, new = text_of(x, i, j)[0], ""
                for _ in range(10):
                    new = rnd.choice(pool[label])
                    if new[0].isupper() == first.isupper():
                        break
                out += text[end : x["begin"][i]] + new.encode()
                end = x["end"][j - 1]
        return (out + text[end:]).decode(errors="replace")

    def cut(x):
        n = len(x["begin"])
        if n < 5:
            return x["text"]
        size = rnd.randint(3, min(n - 1, 14))
        start = rnd.randint(0, n - size)
        return text_of(x, start, start + size)

    def add(text):
        r = rnd.random()
        text = text.strip().lower() if r < 0.12 else text.strip().title() if r < 0.17 else text.strip()
        if 2 <= len(text.split()) <= 30:
            found.add(text)

    for x, labels in captions:
        for share in (0.4, 0.4, 0.6, 0.6, 0.7, 0.8, 0.9):
            add(exchange(x, labels, share))
        add(cut(x))
        add(cut(x))
    part = lambda x: cut(x) if rnd.random() < 0.7 else x["text"]
    for _ in range(3 * len(captions)):
        a, b = rnd.choice(captions)[0], rnd.choice(captions)[0]
        add(part(a) + rnd.choice([", ", " - ", " | ", ": ", " ", " in ", " with ", " and ", " for ", " from "]) + part(b))
    return sorted(found - {x["text"] for x, _ in captions})


def judge(teacher, captions, size=128):
    """How likely the teacher holds each label of each token of the captions."""
    order, out = sorted(range(len(captions)), key=lambda i: len(captions[i]["tokens"])), [None] * len(captions)
    with torch.no_grad(), products():
        for chunk in (order[i : i + size] for i in range(0, len(order), size)):
            for k, q in zip(chunk, teacher.judge([captions[k] | dict(written=True) for k in chunk])[1]):
                out[k] = q
    return out


def word_vectors(teacher, words, size=2048):
    order, out = sorted(range(len(words)), key=lambda i: len(words[i])), torch.empty(len(words), teacher.config["hidden_size"])
    with torch.no_grad(), products():
        for chunk in (order[i : i + size] for i in range(0, len(order), size)):
            out[chunk] = teacher.vectors([dict(tokens=[words[k]], shapes=[0], written=True) for k in chunk])[:-1].float()
    return out


def lessons_of(groups):
    """Captions of each kind with the likelihoods of their labels as tensors: rows of all tokens, and where each caption begins."""
    rows, soft, begin, kinds = [], [], [0], []
    for kind, captions, likelihoods in groups:
        for x, q in zip(captions, likelihoods):
            if 0 < len(x["rows"]) < 64:
                rows.append(torch.tensor(x["rows"], dtype=torch.int32))
                soft.append(q)
                begin.append(begin[-1] + len(x["rows"]))
                kinds.append(kind)
    return dict(rows=torch.cat(rows), soft=torch.cat(soft), begin=torch.tensor(begin), kinds=torch.tensor(kinds))


def run_ask(args):
    teacher = Teacher.load(args.teacher)
    annotated = [x for x, _ in ask("lessons", data=args.data) if x["written"]]
    held_out = {x["text"].lower() for x, _ in ask("held-out", data=args.data)}
    questions = inputs(x["text"] for x, _ in ask("questions", data=args.data))
    answers = judge(teacher, questions)
    # Captions of which the teacher is in doubt are those of the web, mostly.
    doubt = [-(q * q.clamp(min=1e-9).log()).sum(-1).mean() if len(q) else 0 for q in answers]
    web = sorted(range(len(questions)), key=lambda i: -doubt[i])[:6000]
    mixed = inputs(t for t in mix([(questions[i], answers[i].argmax(-1).tolist()) for i in web]) if t.lower() not in held_out)
    gold = [F.one_hot(torch.tensor(x["labels"], dtype=torch.long), 5).float() for x in annotated]
    lessons = lessons_of([(ANNOTATED, inputs(x["text"] for x in annotated), gold), (QUESTION, questions, answers), (MIXED, mixed, judge(teacher, mixed))])
    words = [w for w, _ in ask("words")]
    torch.save(lessons | dict(vectors=word_vectors(teacher, words).half()), args.out)


# The network


def quantise_vectors(vectors):
    """Residual vector quantisation (Juang and Gray 1982) of the main components of vectors: codes, and the vectors that they stand for."""
    x = vectors.float() - vectors.float().mean(0)
    rest = x @ torch.linalg.eigh(x.T @ x / len(x))[1][:, -DIMENSIONS:]
    rest = rest / rest.std()
    codes, books = [], []
    nearest = lambda r, book: torch.cat([((book * book).sum(1) - 2 * part @ book.T).argmin(1) for part in r.split(8192)])
    for _ in range(CODES):
        book = rest[torch.randperm(len(rest))[:256]].clone()
        for step in range(8):
            r = rest[torch.randperm(len(rest))[:40000]] if step < 7 else rest
            to = nearest(r, book)
            count = torch.zeros(len(book)).index_add(0, to, torch.ones(len(r)))
            mean = torch.zeros_like(book).index_add(0, to, r) / count.clamp(min=1).unsqueeze(1)
            book = torch.where(count.unsqueeze(1) > 0, mean, book)
        to = nearest(rest, book)
        rest = rest - book[to]
        codes.append(to)
        books.append(book)
    return torch.stack(codes, 1), torch.stack(books)


class HalvesUp(torch.autograd.Function):
    """To the nearest integer; the gradient goes through."""

    @staticmethod
    def forward(_, x):
        return (x + 0.5).floor()

    @staticmethod
    def backward(_, g):
        return g


def steps(w, unit):
    """Weights as int8 in steps of 1/unit."""
    return HalvesUp.apply((w * unit).clamp(-127, 127)) / unit


def value(x):
    """Values in steps of 1/VALUE."""
    return HalvesUp.apply((F.relu(x) * VALUE).clamp(max=LARGEST)) / VALUE


def some(x, share):
    """x without a share of its tokens' rows."""
    return x * (torch.rand(x.shape[:-1]) >= share).unsqueeze(-1)


class Network(nn.Module):
    def __init__(self, codes, books):
        super().__init__()
        table = lambda *shape, std: nn.Parameter(torch.randn(*shape) * std)
        self.codes = torch.cat([torch.zeros(1, CODES, dtype=torch.long), codes])  # the first for words without a vector
        self.books = nn.Parameter(books @ (torch.randn(DIMENSIONS, CHANNELS) * 0.8 / DIMENSIONS**0.5))
        self.words, self.before, self.behind = table(WORDS, CHANNELS, std=0.05), table(AFFIXES, CHANNELS, std=0.1), table(AFFIXES, CHANNELS, std=0.1)
        self.traits = nn.ParameterList(table(n, CHANNELS, std=0.2) for n in TRAITS)
        self.flags, self.unknown = table(FLAGS, CHANNELS, std=0.1), table(CHANNELS, std=0.1)
        self.layers = nn.ParameterList(table(CHANNELS, n * CHANNELS, std=(1.2 / (n * CHANNELS)) ** 0.5) for n in WIDTHS)
        self.biases = nn.ParameterList(table(CHANNELS, std=0) for _ in WIDTHS)
        self.pool, self.out, self.bias = table(CHANNELS, CHANNELS, std=(0.5 / CHANNELS) ** 0.5), table(5, CHANNELS, std=CHANNELS**-0.5), table(5, std=0)

    def embed(self, rows):
        entry, drop = rows[..., 0] + 1, 0.05 if self.training else 0
        if self.training:
            entry = torch.where(torch.rand(entry.shape) < 0.08, 0, entry)
        look = lambda r, t: F.embedding(r, steps(t, INPUT))
        codes, known = self.codes[entry], (entry > 0).unsqueeze(-1)
        x = sum(look(codes[..., k], self.books[k]) for k in range(CODES)) * known + steps(self.unknown, INPUT) * ~known
        x = x + some(look(rows[..., 1], self.words), 3 * drop) + look(rows[..., 2], self.before) + look(rows[..., 3], self.behind)
        flags = (rows[..., 4:5] >> torch.arange(FLAGS) & 1).float()
        x = x + some(flags @ steps(self.flags, INPUT), drop)
        return value(x + sum(some(look(rows[..., 5 + k], t), drop) for k, t in enumerate(self.traits)))

    def forward(self, rows, mask):
        mask = mask.unsqueeze(-1)
        drop = lambda x: F.dropout(x, 0.1, self.training)
        h = self.embed(rows) * mask
        for k, (width, w, b) in enumerate(zip(WIDTHS, self.layers, self.biases)):
            around = F.pad(drop(h), (0, 0, width // 2, width // 2))
            y = F.linear(torch.cat([around[:, j : j + h.shape[1]] for j in range(width)], -1), steps(w, WEIGHT)) + b
            if k == POOLED:
                y = y + F.linear(h.max(1).values, steps(self.pool, WEIGHT)).unsqueeze(1)
            h = (h + value(y)).clamp(max=LARGEST / VALUE) * mask
        return F.linear(drop(h), steps(self.out, WEIGHT)) + self.bias

    def pack(self):
        """The network as ruleparse/internal/convnet reads it, after its share."""
        small = lambda t, unit: (t.detach() * unit).clamp(-127, 127).add(0.5).floor().to(torch.int8).numpy().tobytes()
        large = lambda t: (t.detach() * VALUE * WEIGHT).round().to(torch.int32).numpy().astype("<i4").tobytes()
        out = struct.pack("<f", SHARE) + self.codes[1:].to(torch.uint8).numpy().tobytes()
        for t in (self.books, self.words, self.before, self.behind, *self.traits, self.flags, self.unknown):
            out += small(t, INPUT)
        for w, b in zip(self.layers, self.biases):
            out += small(w.T.contiguous(), WEIGHT) + large(b)
        return out + small(self.pool.T.contiguous(), WEIGHT) + small(self.out.T.contiguous(), WEIGHT) + large(self.bias)


# Training


def batches(chosen, length, tokens=3000):
    """Captions of like lengths together, with padding so many tokens at most."""
    out, widest = [[]], 0
    for i in sorted(chosen, key=lambda i: length[i] + 2 * random.random()):
        widest = max(widest, length[i])
        if out[-1] and widest * (len(out[-1]) + 1) > tokens:
            out.append([])
            widest = length[i]
        out[-1].append(i)
    random.shuffle(out)
    return out


def run_train(args):
    torch.manual_seed(1)
    random.seed(1)
    torch.set_num_threads(1)
    lessons = torch.load(args.lessons)
    rows, soft, begin, kinds = (lessons[k] for k in ("rows", "soft", "begin", "kinds"))
    length = (begin[1:] - begin[:-1]).tolist()
    doubt = torch.zeros(len(kinds)).index_add(0, torch.arange(len(kinds)).repeat_interleave(begin[1:] - begin[:-1]), -(soft * soft.clamp(min=1e-9).log()).sum(-1))
    share = (0.3 + 5 * doubt / torch.tensor(length)).clamp(max=1)  # of the questions, those that the teacher doubts about most often
    share[kinds != QUESTION] = 1
    again = (kinds == ANNOTATED).nonzero().squeeze(1).tolist() * 2
    network = Network(*quantise_vectors(lessons["vectors"]))
    optimizer = torch.optim.AdamW(network.parameters(), lr=0, weight_decay=0.003, fused=True)
    epochs, done = 7, 0.0
    for epoch in range(epochs):
        todo, total = batches((torch.rand(len(share)) < share).nonzero().squeeze(1).tolist() + again, length), 0
        for k, batch in enumerate(todo):
            done = epoch + k / len(todo)
            optimizer.param_groups[0]["lr"] = 3e-3 * min(1, 3 * done + 0.01) * max(0.01, 1 - done / epochs)
            n = torch.tensor([length[i] for i in batch])
            at = torch.arange(int(n.max()))
            mask = at < n.unsqueeze(1)
            at = torch.where(mask, begin[batch].unsqueeze(1) + at, 0)
            with products():
                scores = network(rows[at].long(), mask.float())
            loss = -((scores.float().log_softmax(-1) * soft[at]).sum(-1) * mask).sum() / mask.sum()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 2)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(todo):.4f} a token", flush=True)
        with gzip.GzipFile(args.out, "wb", compresslevel=9, mtime=0) as f:
            f.write(network.pack())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    a = commands.add_parser("ask", help="ask the teacher about captions, and about others mixed from them")
    a.add_argument("--data", required=True)
    a.add_argument("--teacher", required=True, help="what teach.py wrote")
    a.add_argument("--out", required=True)
    a.set_defaults(run=run_ask)
    t = commands.add_parser("train", help="train the network")
    t.add_argument("--lessons", required=True, help="what ask wrote")
    t.add_argument("--out", required=True)
    t.set_defaults(run=run_train)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
