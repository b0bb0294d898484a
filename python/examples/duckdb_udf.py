"""Texts by a function of SQL in DuckDB: python duckdb_udf.py."""
import capgraph
import duckdb

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field", None]


def negatives(captions):
    return capgraph.texts(captions).negatives


if __name__ == "__main__":
    db = duckdb.connect()
    db.create_function("negatives", negatives, ["VARCHAR"], "VARCHAR[]", type="arrow", null_handling="special")
    db.execute("CREATE TABLE captions (caption VARCHAR)")
    db.executemany("INSERT INTO captions VALUES (?)", [[caption] for caption in CAPTIONS])
    for caption, texts in db.execute("SELECT caption, negatives(caption) FROM captions").fetchall():
        print(caption, (texts or [])[:1], sep="\t")
