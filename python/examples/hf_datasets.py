"""Texts as columns of a dataset of Hugging Face: python hf_datasets.py."""
import capgraph
import datasets

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


def add_texts(batch):
    texts = capgraph.texts(batch["caption"])
    return {"positives": texts.positives.to_pylist(), "negatives": texts.negatives.to_pylist()}


if __name__ == "__main__":
    data = datasets.Dataset.from_dict({"caption": CAPTIONS})
    for row in data.map(add_texts, batched=True, batch_size=1024):
        print(row["caption"], (row["negatives"] or [])[:1], sep="\t")
