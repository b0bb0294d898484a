"""Encodes a JSON list of texts from standard input with the tokenizer.json named,
and writes a JSON list of {"ids", "text"}: the ids, and what they decode to."""

import json
import sys

from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file(sys.argv[1])
found = [tokenizer.encode(text).ids for text in json.load(sys.stdin)]
json.dump([{"ids": ids, "text": tokenizer.decode(ids, skip_special_tokens=False)} for ids in found], sys.stdout)
