"""Position embeddings resized in float64, for the tests of this package: resize.json. Those of "image" and "text" by open_clip, those of "dinov2"
as Hugging Face's Dinov2Model does it, which rounds them to float32 for it. It needs open_clip_torch."""
import json
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F
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
for start, end in ((4, 7), (7, 4), (13, 5), (2, 9), (1, 4), (5, 1)):
    before = torch.randn(1 + start * start, WIDTH, dtype=torch.float64)
    grid = before[1:].reshape(1, start, start, WIDTH).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, size=(end, end), mode="bicubic", align_corners=False).permute(0, 2, 3, 1).reshape(-1, WIDTH)
    cases.append({"tower": "dinov2", "from": start, "to": end, "before": before.flatten().tolist(), "after": torch.cat([before[:1], grid]).flatten().tolist()})
Path(__file__).with_name("resize.json").write_text("[" + ",\n".join(map(json.dumps, cases)) + "]\n")
