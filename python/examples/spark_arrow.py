"""Texts as a column of a dataframe of Spark, by mapInArrow: python spark_arrow.py."""
import capgraph
import pyarrow as pa
from pyspark.sql import SparkSession

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


def add_texts(batches):
    for batch in batches:
        yield pa.RecordBatch.from_arrays([batch["caption"], capgraph.texts(batch["caption"]).negatives], ["caption", "negatives"])


if __name__ == "__main__":
    spark = SparkSession.builder.master("local[2]").appName("capgraph").getOrCreate()
    frame = spark.createDataFrame([(caption,) for caption in CAPTIONS], "caption string")
    for row in frame.mapInArrow(add_texts, "caption string, negatives array<string>").collect():
        print(row.caption, (row.negatives or [])[:1], sep="\t")
    spark.stop()
