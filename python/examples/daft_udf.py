"""Texts as a column of a dataframe of Daft: python daft_udf.py."""
import capgraph
import daft

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


@daft.func.batch(return_dtype=daft.DataType.list(daft.DataType.string()))
def negatives(captions):
    return capgraph.texts(captions.to_arrow()).negatives


if __name__ == "__main__":
    frame = daft.from_pydict({"caption": CAPTIONS})
    for row in frame.with_column("negatives", negatives(frame["caption"])).to_pylist():
        print(row["caption"], (row["negatives"] or [])[:1], sep="\t")
