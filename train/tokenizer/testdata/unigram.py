"""A small unigram tokenizer in the form of SigLIP's, and what open_clip makes of texts with it, for the Go tests beside.

    python unigram.py [--check] [TOKENIZER]

unigram.json is trained by SentencePiece on the captions of testdata/coco.json, with normalization rules of its own, and
converted as Hugging Face converts T5's. unigram.jsonl has texts with their ids, by open_clip's HFTokenizer with clean
"canonicalize" and a context of 16. --check writes nothing and fails if unigram.jsonl would be another. With TOKENIZER, a
tokenizer.json, it writes the ids of the texts that standard input has, a JSON list, to standard output. Needs open_clip_torch,
transformers, sentencepiece and protobuf; --check and TOKENIZER need neither of the last two.
"""
import json
import pathlib
import sys
import tempfile

from open_clip.tokenizer import HFTokenizer

HERE = pathlib.Path(__file__).parent
CONTEXT = 16
RULES = {"ﬁ": "fi", "①": "1", "½": "1⁄2", "\u00e9": "e", "\u00ad": "", "\u200b": " ", "x\u0302": "y", "ß": "ss", "\u1112\u1161": "\ud558"}
MORE = ["a  dog", "</s> <unk> <pad>", "a_b_c", "x\u0302 x\u0302\u0302 x\u0302a x", "½ cup ①②", "straße ﬁre", "日本語 日本", "a\u200bb \u00ad", "👩‍👩‍👧 family 🇩🇪🇫🇷", "cafe\u0301 caf\u00e9", "▁a ▁▁b",
        "a " * 40, "dog" * 40, "İstanbul ΣΑΣ", "\u1112\u1161\u11ab한국", "e\u0301\u0302\u0303 z", "don't -- stop!", "\u2581", "zzzz qqqq 9999"]


def train(folder):
    import sentencepiece
    from transformers import T5Tokenizer
    from transformers.convert_slow_tokenizer import convert_slow_tokenizer
    rows = json.loads((HERE.parents[2] / "testdata/coco.json").read_text())
    (folder / "corpus.txt").write_text("\n".join(a["caption"].lower() for a in rows["annotations"]) + "\n")
    (folder / "rules.tsv").write_text("".join(
        f"{' '.join(f'{ord(c):X}' for c in old)}\t{' '.join(f'{ord(c):X}' for c in new)}\n" for old, new in RULES.items()))
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "corpus.txt"), model_prefix=str(folder / "spiece"), vocab_size=300, hard_vocab_limit=False, num_threads=1,
        normalization_rule_tsv=str(folder / "rules.tsv"), pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    slow = T5Tokenizer(str(folder / "spiece.model"), extra_ids=0, legacy=True)
    convert_slow_tokenizer(slow).save(str(HERE / "unigram.json"))


def opened(file):
    """open_clip's tokenizer of a tokenizer.json."""
    from transformers import PreTrainedTokenizerFast
    with tempfile.TemporaryDirectory() as folder:
        PreTrainedTokenizerFast(tokenizer_file=str(file), pad_token="</s>", eos_token="</s>", unk_token="<unk>").save_pretrained(folder)
        return HFTokenizer(folder, context_length=CONTEXT, clean="canonicalize")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if arguments:
        json.dump(opened(arguments[0])(json.load(sys.stdin)).tolist(), sys.stdout)
        return
    if "--check" not in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            train(pathlib.Path(folder))
    rows = json.loads((HERE.parents[2] / "testdata/coco.json").read_text())
    texts = [json.loads(line)["text"] for line in (HERE / "tricky.jsonl").read_text().splitlines()] + MORE
    texts += [a["caption"] for a in rows["annotations"]][:40]
    texts = [t for t in texts if t.isprintable() or t in MORE]
    made = "".join(json.dumps({"text": t, "ids": ids}, ensure_ascii=False) + "\n" for t, ids in zip(texts, opened(HERE / "unigram.json")(texts).tolist()))
    if "--check" not in sys.argv:
        (HERE / "unigram.jsonl").write_text(made)
    elif (HERE / "unigram.jsonl").read_text() != made:
        sys.exit("unigram.jsonl is another")


if __name__ == "__main__":
    main()
