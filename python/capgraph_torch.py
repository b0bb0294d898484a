"""Train on capgraph's texts in PyTorch: one file, to import or to copy, that needs pyarrow and torch. Texts joins texts/ with
images and draws from each row's pool (docs/format.md), collate makes a batch; mosaiclip, negclip and CEClip are losses."""
import hashlib, itertools, os, unicodedata, warnings
import torch, pyarrow.parquet as pq
import torch.nn.functional as F

WEIGHTS = {"c_obj": 6, "c_rel": 17, "c_attr": 17}  # p_1 = 0.15, p_2 = p_3 (MosaiCLIP App. H.1)
NEGCLIP, CECLIP = ("*",), ("order", "attribute", "action", "object")  # what negatives of a caption change; * is anything
COLUMNS = "key image_key image text pos pos_id neg neg_of neg_changed neg_category".split()
M64 = 2**64 - 1

def numbers(purpose, seed, epoch, key):
    """The random numbers of a purpose and a key."""
    state = int.from_bytes(hashlib.sha256(f"{purpose}\n{seed}\n{epoch}\n{key}".encode()).digest()[:8], "little")
    while True:
        state = (state + 0x9E3779B97F4A7C15) & M64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        yield z ^ z >> 31

def pick(random, among): return among[next(random) % len(among)]

def draw_texts(row, seed, epoch, stage):
    """Indices into pos and neg, at most 1 + 1 in stage 1 and 3 + 6 in stage 2, and the categories of the latter."""
    random, (most_pos, most_neg) = numbers("texts", seed, epoch, row["key"]), (1, 1) if stage == 1 else (3, 6)
    ids, text, of, category = row["pos_id"], row["neg"], row["neg_of"], row["neg_category"]
    pos, neg, still = [], [], range(len(text))
    while len(neg) < most_neg and any(category[i] in WEIGHTS for i in still):
        totals = list(itertools.accumulate(w * any(category[i] == c for i in still) for c, w in WEIGHTS.items()))
        r = next(random) % totals[-1]
        among = [i for i in still if category[i] == list(WEIGHTS)[sum(r >= total for total in totals)]]
        k = pick(random, sorted({of[i] for i in among}))
        neg.append(pick(random, [i for i in among if of[i] == k]))
        pos += [k] if k not in pos else []
        barred = {ids[p] for p in (pos if len(pos) < most_pos else range(len(ids)))}
        still = [i for i in still if text[i] != text[neg[-1]] and (of[i] in pos or ids[of[i]] not in barred)]
    return pos or [0], neg, [list(WEIGHTS).index(category[i]) for i in neg]

def draw_caption(row, seed, epoch, classes):
    """[0], indices into neg of one negative for each class that the caption has, and the indices of those classes."""
    random, neg, kind = numbers("negatives", seed, epoch, row["key"]), [], []
    for c, name in enumerate(classes):
        among = [i for i, changed in enumerate(row["neg_changed"]) if row["neg_of"][i] == 0 and name in ("*", changed)
                 and row["neg"][i] not in [row["neg"][j] for j in neg]]
        if among:
            neg, kind = neg + [pick(random, among)], kind + [c]
    return [0], neg, kind

class Texts:
    """path: DIR/texts, or a file of it. by: the column in which an image's key is looked up (key, image_key, image). stage: 1 or 2
    of MosaiCLIP's curriculum; with classes (NEGCLIP, CECLIP) negatives of the caption are drawn instead."""
    def __init__(self, path, by="key", seed=0, stage=2, classes=()):
        self.path, self.by, self.seed, self.classes, self.loaded = path, by, seed, classes, None
        self.now = torch.tensor([0, stage]).share_memory_()  # loader workers that live on see it change
    def set_epoch(self, epoch, stage=2): self.now[:] = torch.tensor([epoch, stage])
    def load(self, path):
        if path != self.loaded:
            self.table, self.rows, self.image = pq.read_table(path, columns=COLUMNS).combine_chunks(), {}, {}
            for i, (key, image) in enumerate(zip(self.table[self.by].to_pylist(), self.table["image_key"].to_pylist())):
                self.rows.setdefault(key, []).append(i)
                self.image.setdefault(image, []).append(i)
            self.loaded = path
        return self.rows
    def __getitem__(self, key):
        """What the epoch draws for an image. known: pos and pos_id of all its captions. KeyError where it has no texts."""
        rows, (epoch, stage) = self.load(self.loaded or self.path)[key], self.now.tolist()
        image_key = self.table["image_key"][rows[0]].as_py()
        row = self.table.slice(pick(numbers("caption", self.seed, epoch, image_key), rows), 1).to_pylist()[0]
        draw, how = (draw_caption, self.classes) if self.classes else (draw_texts, stage)
        pos, neg, kind = draw(row, self.seed, epoch, how)
        known = {c: [x for j in self.image[image_key] for x in self.table[c][j].as_py()] for c in ("pos", "pos_id")}
        return {"key": row["key"], "image_key": image_key, "image_path": row["image"], "text": row["text"], "known": known,
                "pos": [row["pos"][p] for p in pos], "pos_id": [row["pos_id"][p] for p in pos], "kind": kind,
                "neg": [row["neg"][n] for n in neg], "neg_of": [pos.index(row["neg_of"][n]) for n in neg]}
    def join(self, samples):
        """The step after webdataset's tarfile_to_samples: 00042.tar with path/00042.parquet, without the images that have no texts."""
        for sample in samples:
            path = os.path.join(self.path, os.path.basename(sample["__url__"]).split(".")[0] + ".parquet")
            if os.path.isdir(self.path) and not os.path.exists(path):
                warnings.warn(f"{path} is not there: the images of its tar have no texts")
            elif sample["__key__"] in self.load(path):
                yield sample | self[sample["__key__"]]

class Folder(torch.utils.data.Dataset):
    """The images of a folder that have texts, each once; load(path) gives a tensor."""
    def __init__(self, folder, texts, load):
        self.folder, self.texts, self.open, self.keys = folder, texts, load, list(texts.load(texts.path))
    def __len__(self): return len(self.keys)
    def __getitem__(self, i):
        drawn = self.texts[self.keys[i]]
        return drawn | {"image": self.open(os.path.join(self.folder, drawn["image_path"]))}

def normalize(text):
    """The form in which texts are compared; pos_id is its hash (docs/format.md)."""
    text = unicodedata.normalize("NFC", text.replace("'", "").replace("\u2019", "")).replace("\ufffd", " ")
    text = "".join((c if len(c.lower()) > 1 else c.lower()) if unicodedata.category(c)[0] in "LMNS" else " " for c in text)
    words = [w for w in unicodedata.normalize("NFC", text).split(" ") if w]
    return " ".join([w for w in words if w not in ("a", "an", "the")] or words)

def collate(samples, image="image"):
    """n samples, m positives, r negatives: images; texts [m + r]; true, bool [n, m + r]: P(i) is row i and Q(j) column j of its first
    m columns, and a negative that is true of an image leaves its denominator; of, kind [r]: a negative's positive and class."""
    first, neg = itertools.accumulate((len(s["pos"]) for s in samples), initial=0), [t for s in samples for t in s["neg"]]
    ids, plain, known = torch.tensor([x for s in samples for x in s["pos_id"]]), [normalize(t) for t in neg], []
    for s in samples:
        texts, said = set(map(normalize, s["known"]["pos"])), torch.isin(ids, torch.tensor(s["known"]["pos_id"]))
        known.append(torch.cat([said, torch.tensor([t in texts for t in plain], dtype=torch.bool)]))
    return {"images": torch.stack([s[image] for s in samples]), "texts": [t for s in samples for t in s["pos"]] + neg,
            "true": torch.stack(known), "m": len(ids), "kind": torch.tensor([k for s in samples for k in s["kind"]]).long(),
            "of": torch.tensor([f + k for f, s in zip(first, samples) for k in s["neg_of"]]).long()}

def logits(a, b, scale):
    """scale · cos(a_i, b_j), in float32 or better whatever autocast says."""
    with torch.autocast(a.device.type, enabled=False):
        a, b = (F.normalize(x if x.dtype == torch.float64 else x.float(), dim=-1) for x in (a, b))
        return scale * a @ b.T

def mosaiclip(image, text, scale, true, m):
    """½ (L_i2t + L_t2i) of MosaiCLIP §3.5, means over images and positives; the least L_i2t is mean log |P(i)|."""
    s = logits(image, text, scale)
    kept = s.masked_fill(true & (torch.arange(len(text), device=s.device) >= m), -torch.inf)
    s, true = s[:, :m], true[:, :m]
    i2t, t2i = (x.logsumexp(d) - (s * true).sum(d) / true.sum(d) for x, d in ((kept, 1), (s, 0)))
    return (i2t.mean() + t2i.mean()) / 2

def negclip(image, text, scale):
    """NegCLIP: text i says image i, those after the n captions are negatives; i2t over all texts, t2i over captions."""
    s, own = logits(image, text, scale), torch.arange(len(image), device=image.device)
    return (F.cross_entropy(s, own) + F.cross_entropy(s[:, :len(own)].T, own)) / 2

class CEClip(torch.nn.Module):
    """ITC(hn) + alpha IMC + beta CMR of CE-CLIP §3.2 (eqs. 2 to 8) on texts drawn with CECLIP; the thresholds are in its
    state_dict. sibling, the features of another caption of each image, anchors IMC (ours)."""
    def __init__(self, alpha=0.2, beta=0.4, most=10.0):
        super().__init__()
        self.alpha, self.beta, self.most = alpha, beta, most
        self.register_buffer("threshold", torch.zeros(len(CECLIP)))
    def forward(self, image, text, scale, of, kind, sibling=None):
        n, itc, at = len(image), negclip(image, text, scale), torch.arange(len(of), device=of.device)
        if len(of) == 0: return itc
        s, own = logits(image, text, scale), of == torch.arange(n, device=of.device)[:, None]
        imc = logits(text[:n], text[n:], scale).masked_fill(~own, -torch.inf)
        if sibling is not None:
            anchor = logits(text[:n], sibling, scale).diagonal()[:, None]
            imc = torch.cat([anchor, imc], 1) - anchor
        gap = s[of, of] - s[of, n + at]
        cmr = F.relu(self.threshold.to(gap)[kind] - gap).mean()
        for k in kind.unique() if self.training else ():
            self.threshold[k] = gap.detach()[kind == k].mean().clamp(0, self.most)
        return itc + self.alpha * imc[own.any(1)].logsumexp(1).mean() + self.beta * cmr
