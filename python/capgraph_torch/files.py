"""The files of a run, by paths and s3:// URLs. Each process opens S3 for itself, since connections do not survive
a fork."""
from __future__ import annotations

import functools
import os

import pyarrow.parquet as pq
from pyarrow import fs


def find(name: str) -> tuple[fs.FileSystem, str]:
    """Returns the file system of the file, and the path there. An S3 key is used unchanged: nothing is percent-encoded."""
    scheme, url, path = name.partition("://")
    if not url:
        return fs.LocalFileSystem(), name
    if scheme == "file":
        return fs.LocalFileSystem(), path
    if scheme == "s3":
        return s3(os.getpid()), path.rstrip("/")
    raise ValueError(f"{name}: texts are read from folders and s3:// alone: copy it to one of them")


@functools.lru_cache(1)
def s3(process: int) -> fs.S3FileSystem:
    """Returns S3 as the environment configures it (AWS_ENDPOINT_URL, AWS_REGION, credentials), for one process."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    return fs.S3FileSystem(region=os.environ.get("AWS_REGION") or None, endpoint_override=endpoint or None)


def info(name: str) -> fs.FileInfo:
    """Returns the file information of that name; its type is NotFound if there is none."""
    system, path = find(name)
    return system.get_file_info(path)


def is_folder(name: str) -> bool:
    return info(name).type == fs.FileType.Directory


def exists(name: str) -> bool:
    return info(name).type != fs.FileType.NotFound


def texts_folder(name: str) -> str:
    """Returns the folder texts/ of the output folder of a run, and other names unchanged."""
    find(name)  # whose errors have the name that was given
    below = os.path.join(name, "texts")
    return below if is_folder(below) else name


def parquet_files(name: str) -> list[str]:
    """Returns the Parquet files of a folder in the order of their names, without bookkeeping; or that file."""
    there = info(name).type
    if there == fs.FileType.File:
        return [name]
    if there == fs.FileType.NotFound:
        raise FileNotFoundError(f"{name} is not there: name the output folder of a finished run, or its texts/")
    system, path = find(name)
    names = sorted(i.base_name for i in system.get_file_info(fs.FileSelector(path)))
    names = [n for n in names if n.endswith(".parquet") and n[0] not in "._"]
    if not names:
        raise FileNotFoundError(f"{name} has no *.parquet: name the output folder of a finished run, or its texts/")
    return [os.path.join(name, n) for n in names]


def identity(name: str) -> str:
    """Returns the current state of the file: its name, size in bytes and time of change in nanoseconds."""
    there = info(name)
    if there.type == fs.FileType.NotFound:
        raise FileNotFoundError(name)
    return f"{name if '://' in name else os.path.abspath(name)}\n{there.size}\n{there.mtime_ns}"


def open_parquet(name: str) -> pq.ParquetFile:
    """Opens a Parquet file. In a store, a row group is read with few requests."""
    system, path = find(name)
    return pq.ParquetFile(path, filesystem=system, pre_buffer=not isinstance(system, fs.LocalFileSystem))
