"""Writes the Parquet files beside it with pyarrow, and what each holds as JSON lines.

    pip install pyarrow && python make.py
"""
import base64, datetime as dt, decimal, json, math, pathlib
import pyarrow as pa
import pyarrow.parquet as pq

here = pathlib.Path(__file__).parent
utc = dt.timezone.utc


def table(n):
    null = lambda i, v: None if i % 3 == 1 else v
    deep = pa.list_(pa.struct([("name", pa.string()), ("parts", pa.list_(pa.struct([("x", pa.int32()), ("y", pa.string())])))]))
    columns = {
        "text": pa.array([null(i, f"a dog {i % 7} 🐕") for i in range(n)]),
        "required": pa.array([f"é{i}" for i in range(n)]),
        "bytes": pa.array([null(i, bytes([i % 256, 0, 255])) for i in range(n)]),
        "fixed": pa.array([null(i, bytes([i % 256, 1])) for i in range(n)], pa.binary(2)),
        "bool": pa.array([null(i, i % 5 == 0) for i in range(n)]),
        "i8": pa.array([i % 256 - 128 for i in range(n)], pa.int8()),
        "u16": pa.array([null(i, 65535 - i) for i in range(n)], pa.uint16()),
        "u32": pa.array([4294967295 - i for i in range(n)], pa.uint32()),
        "u64": pa.array([18446744073709551615 - i for i in range(n)], pa.uint64()),
        "i64": pa.array([null(i, -(2**62) + i) for i in range(n)], pa.int64()),
        "f32": pa.array([null(i, i / 4) for i in range(n)], pa.float32()),
        "f64": pa.array([math.nan if i == 2 else math.inf if i == 3 else i / 3 for i in range(n)], pa.float64()),
        "date": pa.array([null(i, dt.date(1960, 2, 29) + dt.timedelta(days=i)) for i in range(n)]),
        "ts_us": pa.array([null(i, dt.datetime(2026, 1, 1, 0, 0, 1, 5) + dt.timedelta(hours=i)) for i in range(n)], pa.timestamp("us")),
        "ts_ms_utc": pa.array([dt.datetime(1969, 1, 1, 0, 0, 1, 5000, utc) for i in range(n)], pa.timestamp("ms", "UTC")),
        "decimal": pa.array([null(i, decimal.Decimal(i - 3) / 100) for i in range(n)], pa.decimal128(9, 2)),
        "large_decimal": pa.array([decimal.Decimal(-(10**25) + i) for i in range(n)], pa.decimal128(30, 0)),
        "dictionary": pa.array([null(i, f"class {i % 3}") for i in range(n)]).dictionary_encode(),
        "large": pa.array([f"large {i}" for i in range(n)], pa.large_string()),
        "nothing": pa.nulls(n),
        "list": pa.array([null(i, [null(j, j) for j in range(i % 4)]) for i in range(n)], pa.list_(pa.int16())),
        "deep": pa.array([null(i, [{"name": f"n{j}", "parts": None if j == 2 else [None if k == 1 else {"x": k, "y": null(k, "y")} for k in range(j)]}
                                   for j in range(i % 4)]) for i in range(n)], deep),
        "struct": pa.array([null(i, {"a": i, "b": {"c": [i]}}) for i in range(n)]),
        "map": pa.array([null(i, [(f"k{j}", j) for j in range(i % 3)]) for i in range(n)], pa.map_(pa.string(), pa.int32())),
    }
    t = pa.table(columns)
    fields = [f.with_nullable(False) if f.name in ("required", "i8", "u32", "u64") else f for f in t.schema]
    return t.cast(pa.schema(fields))


def plain(v, type_):
    if v is None or isinstance(v, float) and not math.isfinite(v):
        return None
    if isinstance(v, bytes):
        return base64.b64encode(v).decode()
    if isinstance(v, dt.datetime):
        s = v.replace(tzinfo=None).isoformat()
        return (s.rstrip("0") if "." in s else s) + ("Z" if v.tzinfo else "")
    if isinstance(v, (dt.date, decimal.Decimal)):
        return str(v)
    if pa.types.is_map(type_):
        return [{"key": k, "value": w} for k, w in v]
    if isinstance(v, list):
        return [plain(x, type_.value_type) for x in v]
    if isinstance(v, dict):
        return {f.name: plain(v[f.name], f.type) for f in type_}
    return v


variants = {
    "snappy_v1_dictionary": dict(compression="snappy", data_page_version="1.0"),
    "gzip_v2_plain": dict(compression="gzip", data_page_version="2.0", use_dictionary=False),
    "zstd_small_pages_groups": dict(compression="zstd", data_page_size=64, write_batch_size=4, row_group_size=11, write_page_index=True),
    "plain_v1_no_compression_delta": dict(compression="none", use_dictionary=False, data_page_version="1.0", write_page_checksum=True,
                                          column_encoding={"required": "DELTA_LENGTH_BYTE_ARRAY", "i64": "DELTA_BINARY_PACKED", "f64": "BYTE_STREAM_SPLIT", "text": "DELTA_BYTE_ARRAY"}),
    "lz4_int96": dict(compression="lz4", use_deprecated_int96_timestamps=True),
    "brotli_legacy_lists": dict(compression="brotli", use_compliant_nested_type=False),
}
t = table(40)
for name, options in variants.items():
    pq.write_table(t, here / f"{name}.parquet", **options)
pq.write_table(t.slice(0, 0), here / "empty.parquet")
with open(here / "rows.jsonl", "w") as f:
    for row in t.to_pylist():
        f.write(json.dumps({k: plain(v, t.schema.field(k).type) for k, v in row.items()}, ensure_ascii=False, separators=(",", ":")) + "\n")
