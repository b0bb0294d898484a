"""Reads an output folder as its users do, with no option: pyarrow, DuckDB, polars, Hugging Face datasets.

    pip install -r testdata/consumers/requirements.txt
    python testdata/consumers/check.py DIR

DIR holds graphs/ and texts/ and the README.md with the configs block. All four libraries must see the same rows, the
types below, and no column of nulls. Prints a line a folder and library; exits 1 with what is wrong.
"""
import os, pathlib, sys, tempfile

cache = tempfile.TemporaryDirectory()
os.environ.update(HF_HOME=cache.name, HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1", HF_DATASETS_DISABLE_PROGRESS_BARS="1")

import datasets, duckdb, polars, pyarrow as pa, pyarrow.parquet as pq

text, int32 = pa.string(), pa.int32()
token = pa.struct([("begin", int32), ("end", int32), ("tag", text), ("lemma", text), ("quality", pa.float32())])
attribute = pa.struct([("text", text), ("form", text), ("begin", int32), ("end", int32), ("confidence", pa.float32()), ("status", text)])
thing = pa.struct([("name", text), ("head", text), ("quantity", text), ("attributes", pa.list_(attribute)), ("begin", int32), ("end", int32), ("confidence", pa.float32()), ("status", text)])
relation = pa.struct([("subject", int32), ("predicate", text), ("lemma", text), ("object", int32), ("begin", int32), ("end", int32), ("confidence", pa.float32()), ("status", text)])

FOLDERS = {
    "graphs": {
        "key": text, "image_key": text, "image": text, "caption": text, "source": text, "source_row": pa.int64(), "text": text,
        "tokens": pa.list_(token), "graph": pa.struct([("objects", pa.list_(thing)), ("relations", pa.list_(relation))]),
        "parser": text, "confidence": pa.float32(),
    },
    "texts": {
        "key": text, "image_key": text, "image": text, "text": text,
        "pos": pa.list_(text), "pos_kind": pa.list_(text), "pos_id": pa.list_(pa.int64()),
        "neg": pa.list_(text), "neg_of": pa.list_(pa.int16()), "neg_method": pa.list_(text), "neg_changed": pa.list_(text),
        "neg_category": pa.list_(text), "neg_score": pa.list_(pa.float32()),
    },
}
PARALLEL = [["pos", "pos_kind", "pos_id"], ["neg", "neg_of", "neg_method", "neg_changed", "neg_category", "neg_score"]]

problems = []


def expect(ok, *what):
    if not ok:
        problems.append(" ".join(map(str, what)))
        print("WRONG", problems[-1])


def plain(t):
    """The type without what libraries choose for themselves: width of offsets, views, names of elements."""
    if pa.types.is_large_string(t) or t == pa.string_view():
        return text
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        return pa.list_(plain(t.value_type))
    if pa.types.is_struct(t):
        return pa.struct([(f.name, plain(f.type)) for f in t])
    return t


def tables(root, folder):
    """What each library makes of a folder, as an Arrow table."""
    files = str(root / folder / "*.parquet")
    yield "pyarrow", pq.read_table(root / folder)
    yield "duckdb", duckdb.sql(f"SELECT * FROM '{files}'").to_arrow_table()
    yield "polars", polars.read_parquet(files).to_arrow()
    yield "datasets", datasets.load_dataset(str(root), folder, split="train").data.table


def check_types(who, table, want):
    for name, t in want.items():
        expect(name in table.column_names, who, "lacks the column", name)
        if name in table.column_names:
            got = plain(table.schema.field(name).type)
            expect(got == t, who, name, "is", got, "and not", t)
    for name in table.column_names:
        column = table.column(name)
        expect(len(column) == 0 or column.null_count < len(column), who, name, "has nothing but nulls")


def check_lists(who, rows):
    for row in rows:
        for names in PARALLEL:
            lengths = {n: len(row[n]) for n in names}
            expect(len(set(lengths.values())) == 1, who, row["key"], "lists of unequal length", lengths)
        expect(row["pos"] and row["pos"][0] == row["text"], who, row["key"], "pos[0] is not the text")
        expect(all(0 <= i < len(row["pos"]) for i in row["neg_of"]), who, row["key"], "neg_of outside pos", row["neg_of"])


def check_metadata(root, folder):
    for file in sorted((root / folder).glob("*.parquet")):
        m = pq.ParquetFile(file).metadata
        for g in range(m.num_row_groups):
            group = m.row_group(g)
            expect(group.num_rows <= 122_880, file, "a row group of", group.num_rows, "rows")
            for c in range(group.num_columns):
                column = group.column(c)
                encodings = set(column.encodings) - {"PLAIN", "RLE", "RLE_DICTIONARY"}
                expect(not encodings, file, column.path_in_schema, encodings)
                expect(column.compression == "ZSTD" and column.has_offset_index and column.has_column_index, file, column)


def main():
    root = pathlib.Path(sys.argv[1])
    for folder, want in FOLDERS.items():
        first = None
        check_metadata(root, folder)
        for who, table in tables(root, folder):
            who = f"{folder}: {who}:"
            check_types(who, table, want)
            rows = {r["key"]: r for r in table.to_pylist()}
            expect(len(rows) == table.num_rows, who, table.num_rows, "rows,", len(rows), "keys")
            if first is None:
                first = rows
                if folder == "texts":
                    check_lists(who, rows.values())
            else:
                different = [k for k in first if first[k] != rows.get(k)]
                expect(not different and len(first) == len(rows), who, len(different), "rows differ from pyarrow's, the first at key", different[:1])
            print(who, table.num_rows, "rows,", len(table.column_names), "columns")
    texts = pq.read_table(root / "texts", columns=["key"]).num_rows
    print(f"{texts} rows of texts, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
