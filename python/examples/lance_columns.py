"""Texts as columns of a Lance dataset, which keeps its other columns as they are: python lance_columns.py [DATASET.lance]."""
import sys
import tempfile

import capgraph
import lance
import pyarrow as pa

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


def add_texts(batch):
    """The columns for a batch of captions. add_columns writes them beside those that are there."""
    texts = capgraph.texts(batch["caption"])
    return pa.RecordBatch.from_arrays([texts.positives, texts.negatives], ["positives", "negatives"])


def main(path):
    dataset = lance.dataset(path)
    dataset.add_columns(lance.batch_udf(pa.schema({"positives": pa.list_(pa.string()), "negatives": pa.list_(pa.string())}))(add_texts), read_columns=["caption"])
    for row in dataset.to_table(columns=["caption", "negatives"]).to_pylist():
        print(row["caption"], row["negatives"][:1], sep="\t")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            lance.write_dataset(pa.table({"caption": CAPTIONS}), f"{folder}/captions.lance")
            main(f"{folder}/captions.lance")
