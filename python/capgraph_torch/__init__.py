"""Train on capgraph's texts in PyTorch. Texts joins texts/ with images and draws from each row's pool (docs/format.md); Folder and Order
give the images of a folder in the order of capgraph train; collate makes a batch, gather one of those of all ranks; clip, siglip, negclip,
mosaiclip, csclip, c2lip, readclip, fscclip, fscclip_local, CEClip and SuperClip are losses. It needs pyarrow, torch and xxhash."""
from .collate import collate, mask_cut
from .crop import Crop
from .draw import CECLIP, MOST, NEGCLIP, WEIGHTS, draw_caption, draw_texts, numbers, pick
from .folder import Folder
from .gather import gather, gather_rows
from .losses import CEClip, SuperClip, c2lip, clip, csclip, fscclip, fscclip_local, logits, margins, mosaiclip, negclip, readclip, siglip
from .normal import normalize, text_id
from .order import Order
from .texts import Texts

__all__ = [
    "CECLIP", "CEClip", "Crop", "Folder", "MOST", "NEGCLIP", "Order", "SuperClip", "Texts", "WEIGHTS", "c2lip", "clip", "collate", "csclip", "draw_caption", "draw_texts",
    "fscclip", "fscclip_local", "gather", "gather_rows", "logits", "margins", "mask_cut", "mosaiclip", "negclip", "normalize", "numbers", "pick", "readclip", "siglip", "text_id",
]
