"""The teacher of negatives/quality: a pretrained encoder that reads a caption and a text as a pair.

    go run ./tools/bench/judge parts -gold graphs2.jsonl -pairs positives.jsonl -out parts.jsonl RUN...
    go run ./tools/bench/judge judged -pairs positives.jsonl -out judged.jsonl
    go run ./tools/bench/judge texts -out texts.jsonl RUN...
    python tools/bench/judge/reader.py train --encoder DIR --parts parts.jsonl --judged judged.jsonl --out reader.pt
    python tools/bench/judge/reader.py answer --reader reader.pt --texts texts.jsonl --out answers.jsonl

It learns first which parts of graphs annotators have, then which texts a reader called good. docs/negatives.md
says what comes of it. The encoder's folder is that of ruleparse/tools/teach/teach.py.
"""

import argparse
import json
import math
import pathlib
import random
import sys

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "ruleparse/tools/teach"))
from teach import make_encoder, products, read_encoder  # noqa: E402

KINDS = dict(object=1, relation=2, paraphrase=3)
LONGEST = 96  # pieces of a caption that are read


class Reader(nn.Module):
    def __init__(self, encoder, config, tokenizer):
        super().__init__()
        self.encoder, self.config, self.vocabulary = encoder, config, tokenizer
        self.tokenizer = Tokenizer.from_str(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.first, self.between = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        hidden = config["hidden_size"]
        self.capitals, self.kinds = nn.Embedding(4, hidden), nn.Embedding(4, hidden)
        for table in (self.capitals, self.kinds):
            nn.init.zeros_(table.weight)
        self.inner, self.last, self.drop = nn.Linear(2 * hidden, 128), nn.Linear(128, 1), nn.Dropout(0.1)

    def save(self, path):
        torch.save(dict(config=self.config, tokenizer=self.vocabulary, weights=self.state_dict()), path)

    @staticmethod
    def load(path):
        f = torch.load(path)
        reader = Reader(make_encoder(f["config"]), f["config"], f["tokenizer"])
        reader.load_state_dict(f["weights"])
        return reader.eval()

    def pieces(self, text):
        """The pieces of a text, and how each is written: in lower case, with a capital, in capitals, as one capital."""
        e = self.tokenizer.encode(text, add_special_tokens=False)
        written = lambda w: 0 if not w[:1].isupper() else 1 if not w.isupper() else 2 if len(w) > 1 else 3
        return e.ids, [written(text[a:b]) for a, b in e.offsets]

    def encode(self, rows):
        """Each row as (pieces of the caption, pieces of the text, kind)."""
        captions = {c: self.pieces(c) for c in {r["caption"] for r in rows}}
        return [(captions[r["caption"]], self.pieces(r["text"]), KINDS[r["kind"]]) for r in rows]

    def forward(self, pairs):
        """The log odds that each text is good."""
        rows = []
        for (caption, a), (text, b), kind in pairs:
            caption, a = caption[:LONGEST], a[:LONGEST]
            rows.append(([self.first, *caption, self.between, *text, self.between], [0, *a, 0, *b, 0], [0] * (len(caption) + 2) + [kind] * (len(text) + 1)))
        width = max(len(r[0]) for r in rows)
        pad = lambda k: torch.tensor([r[k] + [0] * (width - len(r[k])) for r in rows])
        ids, capitals, kinds = pad(0), pad(1), pad(2)
        mask = torch.tensor([[1] * len(r[0]) + [0] * (width - len(r[0])) for r in rows])
        e = self.encoder.embeddings.word_embeddings(ids) + self.capitals(capitals) + self.kinds(kinds)
        h = self.encoder(inputs_embeds=e, attention_mask=mask, token_type_ids=(kinds > 0).long()).last_hidden_state
        own = (kinds > 0).float().unsqueeze(-1)
        x = torch.cat([h[:, 0], (h * own).sum(1) / own.sum(1)], -1)
        return self.last(self.drop(F.gelu(self.inner(self.drop(x))))).squeeze(-1).float()


def read(path):
    return [json.loads(line) for line in open(path)]


def size_of(pair):
    return len(pair[0][0]) + len(pair[1][0])


def learn(reader, rows, epochs, rate, size, name):
    data = list(zip(reader.encode(rows), [float(r["verdict"] == "good") for r in rows]))
    optimizer = torch.optim.AdamW(reader.parameters(), lr=rate, weight_decay=0.01, fused=True)
    steps = math.ceil(len(data) / size) * epochs
    warm = steps // 10
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / max(1, warm), max(0, (steps - s) / (steps - warm))))
    done = 0
    reader.train()
    for _ in range(epochs):
        data.sort(key=lambda x: size_of(x[0]) + 6 * random.random())
        batches = [data[i : i + size] for i in range(0, len(data), size)]
        random.shuffle(batches)
        for batch in batches:
            with products():
                odds = reader([x for x, _ in batch])
            loss = F.binary_cross_entropy_with_logits(odds, torch.tensor([y for _, y in batch]))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1)
            optimizer.step()
            schedule.step()
            done += 1
            if done % 50 == 0:
                print(f"{name}: step {done} of {steps}: loss {loss.item():.3f}", flush=True)
    reader.eval()


def score(reader, pairs, size=128):
    out, order = [0.0] * len(pairs), sorted(range(len(pairs)), key=lambda i: size_of(pairs[i]))
    with torch.no_grad(), products():
        for chunk in (order[i : i + size] for i in range(0, len(order), size)):
            for i, z in zip(chunk, reader([pairs[i] for i in chunk]).tolist()):
                out[i] = z
    return out


def area(odds, good):
    """The area under the curve: how often a good text has higher odds than another."""
    ranked = sorted(zip(odds, good))
    n = sum(good)
    return (sum(i + 1 for i, (_, g) in enumerate(ranked) if g) - n * (n + 1) / 2) / (n * (len(good) - n))


def run_train(args):
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    parts, captions = read(args.parts), {}
    random.shuffle(parts)
    for r in parts:
        captions.setdefault(r["caption"], []).append(r)
    parts = [r for rows in captions.values() for r in rows[:5]]  # of a caption
    reader = Reader(*read_encoder(args.encoder))
    learn(reader, parts, 2, 5e-5, 64, "parts")
    judged = read(args.judged)
    learn(reader, [r for r in judged if r["split"] == "fit"], 4, 4e-5, 32, "judged")
    for split in ("cut", "test"):
        for source in ("web", "cc3m", "coco"):
            rows = [r for r in judged if r["split"] == split and r["source"] == source]
            good = [r["verdict"] == "good" for r in rows]
            print(f"{split} {source}: {len(rows)} texts, area {area(score(reader, reader.encode(rows)), good):.3f}", flush=True)
    reader.save(args.out)


def run_answer(args):
    """Writes the log odds of all texts but those of COCO, and of as many of COCO as --coco says."""
    reader, rows, coco = Reader.load(args.reader), {}, []
    for r in read(args.texts):
        rows.setdefault((r["caption"], r["text"]), r)
    coco = [k for k, r in rows.items() if r["source"] == "coco"]
    random.seed(3)
    random.shuffle(coco)
    for k in coco[args.coco :]:
        del rows[k]
    rows = list(rows.values())
    with open(args.out, "w") as f:
        for i in range(0, len(rows), 8192):
            some = rows[i : i + 8192]
            for r, z in zip(some, score(reader, reader.encode(some))):
                f.write(json.dumps(r | dict(answer=round(z, 3) or 0.001)) + "\n")
            print(f"{i + len(some)} of {len(rows)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    t = commands.add_parser("train", help="fine-tune an encoder")
    t.add_argument("--encoder", required=True, help="folder with model.onnx and tokenizer.json")
    t.add_argument("--parts", required=True)
    t.add_argument("--judged", required=True)
    t.add_argument("--seed", type=int, default=1)
    t.add_argument("--out", required=True)
    t.set_defaults(run=run_train)
    a = commands.add_parser("answer", help="say how likely texts are good")
    a.add_argument("--reader", required=True, help="what train wrote")
    a.add_argument("--texts", required=True)
    a.add_argument("--coco", type=int, default=40000)
    a.add_argument("--out", required=True)
    a.set_defaults(run=run_answer)
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.run(args)


if __name__ == "__main__":
    main()
