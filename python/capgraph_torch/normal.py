"""The form in which texts are compared, and its id (docs/format.md, "Normalised text and pos_id")."""
from __future__ import annotations

import unicodedata

import xxhash


def normalize(text: str) -> str:
    """Returns the normal form of a text. Texts with equal forms say the same."""
    text = unicodedata.normalize("NFC", text.replace("'", "").replace("\u2019", "")).replace("\ufffd", " ")
    text = "".join((c if len(c.lower()) > 1 else c.lower()) if unicodedata.category(c)[0] in "LMNS" else " " for c in text)
    words = [w for w in unicodedata.normalize("NFC", text).split(" ") if w]
    return " ".join([w for w in words if w not in ("a", "an", "the")] or words)


def text_id(text: str) -> int:
    """Returns the id of any text, as in pos_id: a signed 64-bit number."""
    unsigned = xxhash.xxh64_intdigest(normalize(text).encode())
    return unsigned - 2**64 if unsigned >= 2**63 else unsigned
