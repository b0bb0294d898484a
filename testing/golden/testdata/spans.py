"""Golden values of the text tower's spans: spans.json, made by PyTorch and open_clip on the CPU in float64.

    python testing/golden/testdata/spans.py          writes it beside this file
    python testing/golden/testdata/spans.py --check  makes it again and compares

It needs what golden.py needs. Each span of a text is encoded on its own, as the program of Murty et al. (2023) does it: the whole text, with an
attention mask from a layer on that shows the span's tokens and both marks alone. CLIP's causal mask holds throughout.

spans.json: of each text its words, a list of their tokens, and layers: by the layer from which spans are alone, by first word and last word less first,
the cosine of the sum of the span's tokens, after the last norm, with that of the same tokens of the whole text."""
import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import golden  # noqa: E402

TEXTS = [[], [[5]], [[7, 8]], [[3], [4]], [[10], [11, 12], [10], [13]], [[20], [21], [22, 23, 24], [25], [26], [27], [28], [29]]]


@torch.no_grad()
def states(model, ids, masks):
    x = model.token_embedding(torch.tensor([ids])) + model.positional_embedding[:len(ids)]
    for block, mask in zip(model.transformer.resblocks, masks):
        x = block(x, attn_mask=mask)
    return model.ln_final(x)[0]


def charts(model, words):
    ids, at = [golden.START], []
    for w in words:
        at.append((len(ids), len(ids) + len(w)))
        ids += w
    ids.append(golden.END)
    n, layers = len(ids), len(model.transformer.resblocks)
    causal = torch.full((n, n), -torch.inf, dtype=torch.float64).triu(1)
    whole = states(model, ids, [causal] * layers)
    result = []
    for layer in range(layers // 2 + 1):
        chart = []
        for i in range(len(words)):
            row = []
            for j in range(i, len(words)):
                first, end = at[i][0], at[j][1]
                hidden = torch.zeros(n, dtype=torch.float64)
                hidden[1:first] = hidden[end:n - 1] = -torch.inf
                apart = states(model, ids, [causal] * layer + [causal + hidden] * (layers - layer))
                row.append(F.cosine_similarity(whole[first:end].sum(0), apart[first:end].sum(0), dim=0).item())
            chart.append(row)
        result.append(chart)
    return {"words": words, "layers": result}


def main():
    model = golden.tiny(False)
    text = json.dumps([charts(model, words) for words in TEXTS]) + "\n"
    file = HERE / "spans.json"
    if "--check" not in sys.argv:
        file.write_text(text)
        return

    def near(a, b):
        if isinstance(a, list):
            return len(a) == len(b) and all(map(near, a, b))
        return abs(a - b) < 1e-9

    old, new = json.loads(file.read_text()), json.loads(text)
    if not all(o["words"] == n["words"] and near(o["layers"], n["layers"]) for o, n in zip(old, new, strict=True)):
        sys.exit("spans.json is not what this makes")


if __name__ == "__main__":
    main()
