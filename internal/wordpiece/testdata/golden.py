"""Prints pieces of words by Hugging Face's tokenizer, for a test:

    go run ./ruleparse/tools/teach words | python golden.py tokenizer.json > golden.json

It takes every 50th word of the lexicon, and others that have something special. The vocabulary is cut to the pieces that begin or end the words, and to those of one character, so that the file is small.
"""

import json
import sys
import tempfile

from tokenizers import Tokenizer

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def main():
    whole = json.load(open(sys.argv[1]))
    words = [json.loads(w) for w in sys.stdin][::50]
    words += ["caf\u00e9", "cafe\u0301", "\u00c5ngstr\u00f6m", "\u0130stanbul", "stra\u00dfe", "\u6771\u4eac", "\u6771\u4eac-tokyo", "\u3042\u3044", "\ud55c\uad6d", "na\u00efve's", "a\u200bb", "\u00ad", "x\ufffdy",
        "\U0001f600", "\U0001f600a", "\u00bd", "e=mc\u00b2", "$5", "50%", "a+b", "a_b", "\u2026", "\u201cquoted\u201d", "caf\u00c9", "\u03a3\u03a3", "\u0e44\u0e17\u0e22", "\u0627\u0644\u0639", "z" * 100, "z" * 101, "a" * 300, "\u00e9" * 100,
        "tab\tin", "no\u00a0break", "\ue000", "\x00", "\x7f", "\u0308", "\u0915\u094d\u0937", "q\u0307\u0323", "\ufb01sh", "\u2163", "http://a.b/c?d=e", "rock'n'roll", "o'clock", "well-known", "", "!", "\u00a1hola!", "1,000.50", "\u5e74\u6708"]  # fmt: skip
    known = whole["model"]["vocab"]
    tokenizer = Tokenizer.from_str(json.dumps(whole))
    used = {p for w in words for p in tokenizer.encode(w, add_special_tokens=False).tokens}
    kept = MARKS + [p for p in known if p not in MARKS and (p in used or len(p.removeprefix("##")) == 1)]
    whole["model"]["vocab"] = {p: i for i, p in enumerate(kept)}
    for t in whole["added_tokens"]:
        t["id"] = kept.index(t["content"])
    whole["post_processor"] = None
    tokenizer = Tokenizer.from_str(json.dumps(whole))
    pieces = [tokenizer.encode(w, add_special_tokens=False).ids or [kept.index("[UNK]")] for w in words]
    json.dump(dict(vocabulary=kept, words=words, pieces=pieces), sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
