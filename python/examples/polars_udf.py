"""Texts as a column of a dataframe of polars: python polars_udf.py."""
import capgraph
import polars as pl

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


def negatives(captions):
    return pl.Series(capgraph.texts(captions).negatives)


if __name__ == "__main__":
    frame = pl.DataFrame({"caption": CAPTIONS})
    frame = frame.with_columns(pl.col("caption").map_batches(negatives, return_dtype=pl.List(pl.String)).alias("negatives"))
    for caption, texts in frame.rows():
        print(caption, (texts or [])[:1], sep="\t")
