"""Golden values of OC-CLIP's objective: occlip.safetensors and occlip.json, made by PyTorch and open_clip on the CPU in float64.

    python testing/golden/testdata/occlip.py          writes both beside this file
    python testing/golden/testdata/occlip.py --check  makes them again and compares

It needs what golden.py needs. The towers begin with tiny.safetensors; the binding is written as the paper's figure 9 has it, and a
score as its equations 1 to 3 have it: of one image and one graph at a time, nothing shared. (default_tokens of figure 9 lack `self` and
a batch; queries pass a LayerNorm, by table 11; the exponents of equations 5 and 6 have a τ; sums are means.)

occlip.safetensors: all weights, under capgraph's names.

occlip.json:
  model     the configuration, with binding_cfg
  cases     name, relation (the weight of the local loss), n; images, base64 of uint8 [n, 32, 32, 3]; texts, the tokens of each; of every image
            its graph: nodes, places among texts; relations, [predicate among texts, subject, object]; altered, [relation, subject, object] or
            -1; and what comes of them: loss, its terms, scores [n, n] with τ, a sketch (golden.py) of the gradient of every parameter"""
import base64
import json
import sys
from pathlib import Path

import numpy as np
import open_clip
import torch
import torch.nn.functional as F
from open_clip.transformer import ResidualAttentionBlock
from safetensors.torch import load_file, save_file
from torch import nn

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import golden  # noqa: E402

BINDING = {"width": 12, "relation_width": 6, "layers": 2, "heads": 3, "default_tokens": 4}
PATCHES = 16


def inverse_softplus(y):
    return float(np.log(np.expm1(y)))


class Binding(nn.Module):
    """Figure 9, under the names that capgraph gives its parameters."""

    def __init__(self, vision=32, text=16):
        super().__init__()
        w, r = BINDING["width"], BINDING["relation_width"]
        self.patches = nn.Sequential(nn.Linear(vision, w), nn.GELU(), nn.Linear(w, w))
        self.patch_positions = nn.Parameter(torch.randn(PATCHES, w))
        self.transformer = nn.Module()
        self.transformer.resblocks = nn.Sequential(*[ResidualAttentionBlock(w, BINDING["heads"], mlp_ratio=2) for _ in range(BINDING["layers"])])
        for name in ("keys", "values"):
            setattr(self, name, nn.Linear(w, w))
            setattr(self, name + "_ln", nn.LayerNorm(w))
            setattr(self, name + "_proj", nn.Parameter(torch.randn(w, w) * w ** -0.5))
        self.nodes_proj = nn.Parameter(torch.randn(w, text) * text ** -0.5)
        self.relations_proj = nn.Parameter(torch.randn(r, text) * text ** -0.5)
        self.default_tokens = nn.Parameter(torch.randn(BINDING["default_tokens"], w))
        self.queries_ln = nn.LayerNorm(w)
        self.queries_proj = nn.Parameter(torch.randn(w, w) * w ** -0.5)
        for name in ("subject", "object"):
            first = nn.Module()
            first.weight_relation = nn.Parameter(torch.randn(r, r) * (r + w) ** -0.5)
            first.weight_slot = nn.Parameter(torch.randn(r, w) * (r + w) ** -0.5)
            first.bias = nn.Parameter(torch.randn(r) * 0.1)
            setattr(self, name, nn.Sequential(first, nn.GELU(), nn.Linear(r, r)))
        self.weights = nn.Parameter(torch.tensor([inverse_softplus(1.5), inverse_softplus(0.5)]))
        self.logit_scale = nn.Parameter(torch.tensor(np.log(1 / 0.07)))

    def encode_patches(self, patches):
        x = self.patches(patches) + self.patch_positions
        x = self.transformer.resblocks(x)
        return self.keys_ln(self.keys(x)), self.values_ln(self.values(x))

    def group(self, nodes, keys, values):
        """The slots of one graph's nodes [m, w] in one image's patches."""
        queries = torch.cat([nodes, self.default_tokens])
        q = self.queries_ln(queries) @ self.queries_proj.T
        k, v = keys @ self.keys_proj.T, values @ self.values_proj.T
        attention = F.softmax(q @ k.T * BINDING["width"] ** -0.5, dim=0) + 1e-8
        attention = attention / attention.sum(dim=-1, keepdim=True)
        return (attention @ v)[:len(nodes)]

    def role(self, name, predicate, slot):
        mlp = getattr(self, name)
        first = torch.cat([mlp[0].weight_relation, mlp[0].weight_slot], 1)
        return mlp[2](F.gelu(torch.cat([predicate, slot]) @ first.T + mlp[0].bias))

    def score(self, keys, values, nodes, relations):
        """τ·S of an image and a graph: nodes [m, text], relations (predicate [text], subject, object)."""
        nodes = nodes @ self.nodes_proj.T
        slots = self.group(nodes, keys, values)
        alpha, beta = F.softplus(self.weights)
        objects = sum(F.cosine_similarity(n, s, dim=0) for n, s in zip(nodes, slots))
        between = 0
        for predicate, s, o in relations:
            r = self.relations_proj @ predicate
            between = between + F.cosine_similarity(r, self.role("subject", r, slots[s]) + self.role("object", r, slots[o]), dim=0)
        return self.logit_scale.exp() * (alpha * objects + beta * between) / (alpha * len(nodes) + beta * len(relations))


def fresh():
    torch.manual_seed(34)
    b = Binding()
    for p in b.parameters():
        if p.ndim == 1:
            p.data += 0.1 * torch.randn_like(p)
    return {"binding." + k: v.detach().float().clone().contiguous() for k, v in b.state_dict().items()}


def model():
    weights = load_file(HERE / "occlip.safetensors")
    towers = open_clip.model.CLIP(**golden.MODEL)
    towers.load_state_dict({k: v for k, v in weights.items() if not k.startswith("binding.")})
    towers.visual.output_tokens = True
    binding = Binding()
    binding.load_state_dict({k.removeprefix("binding."): v for k, v in weights.items() if k.startswith("binding.")})
    return towers.double(), binding.double()


def run(case, towers, binding, gradients):
    n, graphs = case["n"], case["graphs"]
    _, patches = towers.encode_image(golden.preprocess(case["images"]))
    keys, values = binding.encode_patches(patches)
    texts = towers.encode_text(golden.pad(case["texts"]))

    def score(i, graph, relations=None):
        relations = graph["relations"] if relations is None else relations
        return binding.score(keys[i], values[i], texts[graph["nodes"]], [(texts[p], s, o) for p, s, o in relations])

    s = torch.stack([torch.stack([score(i, g) for g in graphs]) for i in range(n)])
    itc = golden.mean([s[i].logsumexp(0) - s[i, i] for i in range(n)]) + golden.mean([s[:, j].logsumexp(0) - s[j, j] for j in range(n)])
    local = torch.zeros((), dtype=torch.float64)
    for i, g in enumerate(graphs):
        k, subject, other = g["altered"]
        if k < 0:
            continue
        relations = [tuple(r) for r in g["relations"]]
        p, a, b = relations[k]
        with_pair = lambda x, y: relations[:k] + [(p, x, y)] + relations[k + 1:]
        altered = [score(i, g, with_pair(b, a))] + ([score(i, g, with_pair(subject, other))] if subject >= 0 else [])
        local = local + (torch.stack([s[i, i]] + altered).logsumexp(0) - s[i, i]) / n
    loss = itc + case["relation"] * local
    loss.backward()
    return {"name": case["name"], "relation": case["relation"], "n": n, "images": base64.b64encode(case["images"].tobytes()).decode(),
            "texts": case["texts"], "graphs": graphs,
            "terms": {"loss": loss.item(), "itc": itc.item(), "local": local.item()}, "scores": s.tolist(), "gradients": gradients()}


def fresh_run(case):
    """A case from the weights of the file."""
    towers, binding = model()

    def gradients():
        return {prefix + name: golden.sketch(prefix + name, torch.zeros_like(p) if p.grad is None else p.grad)
                for prefix, part in (("", towers), ("binding.", binding)) for name, p in part.named_parameters()}
    return run(case, towers, binding, gradients)


def case(name, seed, graphs, relation=1.0):
    """graphs: of each image its words and relations: (nodes, [(predicate, subject, object)], altered), words being numbers."""
    random = np.random.default_rng(seed)
    n, words, texts = len(graphs), {}, []

    def text(word):
        if word not in words:
            words[word] = len(texts)
            texts.append([golden.START, *random.integers(1, golden.START, random.integers(1, 10)).tolist(), golden.END])
        return words[word]

    laid = [{"nodes": [text(w) for w in nodes], "relations": [[text(p), s, o] for p, s, o in relations], "altered": altered}
            for nodes, relations, altered in graphs]
    images = random.integers(0, 256, (n, 32, 32, 3), np.uint8)
    images[:, 8:24, 8:24] = random.integers(0, 256, (n, 1, 1, 3))
    return {"name": name, "relation": relation, "n": n, "images": images, "texts": texts, "graphs": laid}


NONE = [-1, -1, -1]
MIXED = [
    ("ab", [("R", 0, 1)], [0, -1, -1]),
    ("abc", [("R", 0, 1), ("S", 1, 2)], [1, 2, 0]),
    ("d", [], NONE),
    ("aab", [("S", 0, 2), ("S", 1, 2)], [0, 0, 1]),
    ("ab", [("a", 1, 0)], NONE),
    ("bcde", [("T", 3, 0), ("R", 0, 1), ("R", 2, 1)], [2, 1, 3]),
]


def cases():
    yield case("graphs", 1, MIXED)
    yield case("without the local loss", 1, MIXED, 0.0)
    yield case("half the local loss", 1, MIXED, 0.5)
    yield case("no relation", 2, [("ab", [], NONE), ("c", [], NONE), ("abd", [], NONE)])
    yield case("one node each", 3, [("a", [], NONE), ("b", [], NONE), ("c", [], NONE), ("b", [], NONE)])
    yield case("one image", 4, [("abc", [("R", 0, 2)], [0, 1, 0])])
    yield case("the same graph", 5, [("ab", [("R", 0, 1)], [0, -1, -1])] * 2)
    many = [chr(200 + i) for i in range(30)]
    yield case("thirty nodes", 6, [(many, [("R", i, (i * 7 + 1) % 30) for i in range(30) if (i * 7 + 1) % 30 != i], [3, 5, 6]), ("a", [], NONE)])


def made():
    return {"model": {"model_cfg": golden.MODEL, "binding_cfg": BINDING}, "cases": [fresh_run(c) for c in cases()]}


if __name__ == "__main__":
    torch.set_num_threads(1)
    if "--check" in sys.argv:
        wrong = golden.differ(json.loads((HERE / "occlip.json").read_text()), json.loads(json.dumps(made())))
        sys.exit("\n".join(wrong[:20]) if wrong else 0)
    save_file({**load_file(HERE / "tiny.safetensors"), **fresh()}, HERE / "occlip.safetensors", {"format": "pt"})
    golden.write(HERE / "occlip.json", made())
