"""Position embeddings resized by open_clip in float64: resize.json, for the tests of this package. It needs open_clip_torch."""
import json
from pathlib import Path
from types import SimpleNamespace

import torch
from open_clip.model import resize_pos_embed, resize_text_pos_embed

WIDTH, cases = 3, []
torch.manual_seed(7)
for start, end in ((4, 7), (7, 4), (7, 3), (2, 9), (14, 5), (1, 4), (5, 1)):
    state = {"visual.positional_embedding": torch.randn(1 + start * start, WIDTH, dtype=torch.float64)}
    before = state["visual.positional_embedding"]
    resize_pos_embed(state, SimpleNamespace(visual=SimpleNamespace(grid_size=(end, end))))
    cases.append({"tower": "image", "from": start, "to": end, "before": before.flatten().tolist(), "after": state["visual.positional_embedding"].flatten().tolist()})
for start, end in ((12, 20), (12, 5), (1, 4), (5, 1), (77, 32)):
    state = {"positional_embedding": torch.randn(start, WIDTH, dtype=torch.float64)}
    before = state["positional_embedding"]
    resize_text_pos_embed(state, SimpleNamespace(positional_embedding=torch.zeros(end, WIDTH)))
    cases.append({"tower": "text", "from": start, "to": end, "before": before.flatten().tolist(), "after": state["positional_embedding"].flatten().tolist()})
Path(__file__).with_name("resize.json").write_text("[" + ",\n".join(map(json.dumps, cases)) + "]\n")
