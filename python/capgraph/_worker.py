"""The worker process: 'capgraph worker', which answers requests in Arrow over pipes. One serves a Python process, also its threads; a
forked child starts its own."""
from __future__ import annotations

import json
import os
import struct
import subprocess
import tempfile
import threading

import pyarrow as pa
import pyarrow.compute as pc

from capgraph import _progress, _settings, tasks

MAX_MESSAGE = 1 << 30  # bytes of a request, as package worker has it
MAX_CAPTION = 64 << 20  # bytes of a caption, far above what is not rejected
MAX_ROWS, MAX_BYTES = 8192, 32 << 20  # of a request, if captions are independent of each other
_KEY = b"capgraph"


class CapgraphError(RuntimeError):
    """A request that failed. row is the first caption that it is of, or None."""

    def __init__(self, text: str, row: int | None = None):
        super().__init__(text)
        self.row = row


class _Process:
    """A running worker."""

    def __init__(self):
        self.errors = tempfile.TemporaryFile()
        # Of a session of its own: Ctrl-C at a terminal is for Python. The worker ends when its standard input does.
        self.popen = subprocess.Popen([tasks.program(), "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0,
                                      start_new_session=True)

    def exchange(self, message: pa.Buffer) -> pa.Buffer:
        """Sends a message and returns the reply. Raises EOFError or BrokenPipeError if the worker ended."""
        for part in (struct.pack("<Q", len(message)), message):
            view = memoryview(part)
            while view:
                view = view[self.popen.stdin.write(view):]
        size, = struct.unpack("<Q", self._read(8))
        return pa.py_buffer(self._read(size))

    def _read(self, size):
        data = bytearray(size)
        view = memoryview(data)
        while view:
            n = self.popen.stdout.readinto(view)
            if not n:
                raise EOFError
            view = view[n:]
        return data

    def end(self) -> str:
        """Ends the worker and returns how it ended, with its last words."""
        self.popen.stdin.close()
        try:
            self.popen.wait(0.2)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self.popen.stdout.close()
        self.errors.seek(max(os.fstat(self.errors.fileno()).st_size - 2000, 0))
        said = self.errors.read().decode(errors="replace").strip()
        self.errors.close()
        code = self.popen.returncode
        return (f"signal {-code}" if code < 0 else f"exit code {code}") + (f": {said}" if said else "")

    def abandon(self):
        """Closes the pipes of a worker that belongs to the parent process."""
        for stream in (self.popen.stdin, self.popen.stdout, self.errors):
            stream.close()
        self.popen.returncode = 0  # which is not waited for here


class _Worker:
    """The worker of this Python process, which is started when it is first asked."""

    def __init__(self):
        self.lock, self.process = threading.Lock(), None

    def forget(self):
        """Forgets the worker of the parent, in a forked child."""
        self.lock = threading.Lock()
        process, self.process = self.process, None
        if process:
            process.abandon()

    def ask(self, message: pa.Buffer, rows: str) -> pa.Buffer:
        """Sends a message and returns the reply. rows says in errors what it is of."""
        with self.lock:
            if not self.process:
                self.process = _Process()
            try:
                return self.process.exchange(message)
            except (EOFError, BrokenPipeError):
                process, self.process = self.process, None
                raise CapgraphError(f"the worker ended at {rows} ({process.end()}); the next call starts another") from None
            except BaseException:  # as KeyboardInterrupt: the rest of the reply is not read
                process, self.process = self.process, None
                process.popen.kill()
                process.end()
                raise


_worker = _Worker()
os.register_at_fork(after_in_child=_worker.forget)


def request(call: str, columns: dict, options: dict, vocabulary=None) -> pa.Table:
    """Asks the worker for graphs or texts. columns has the column caption, and perhaps image_key and key. The table has a row for each
    caption, null but for the column reason if nothing was made of it."""
    table = pa.table(columns)
    for row, size in enumerate(pc.binary_length(table["caption"]).to_pylist() if table.nbytes > MAX_CAPTION else []):
        if size and size > MAX_CAPTION:
            raise ValueError(f"the caption of row {row} has {size:,} bytes, more than {MAX_CAPTION:,}: cut it off, or leave it out")
    folder = os.path.abspath(vocabulary) if vocabulary is not None else ""
    about = {"call": call, "set": _settings.as_sets(options), "vocabulary": folder}
    order = _by_image(table) if "image_key" in columns else None
    if order:
        table = table.take(pa.array(order, pa.int64()))
    table = table.replace_schema_metadata({_KEY: json.dumps(about)})
    parts, begin = [], 0
    with _progress.bar(table.num_rows, "captions", call) as bar:
        for end in _ends(table):
            try:
                parts.append(_request(table.slice(begin, end - begin), begin))
            except CapgraphError as error:
                said = _settings.in_python(str(error), options)
                if folder and said.startswith(folder):
                    said = f"vocabulary={os.fspath(vocabulary)!r}: {said}"
                raise CapgraphError(said, order[error.row] if order and error.row is not None else error.row) from None
            bar.update(end - begin)
            begin = end
    made = pa.concat_tables(parts)
    if order:
        back = [0] * len(order)
        for at, row in enumerate(order):
            back[row] = at
        made = made.take(pa.array(back, pa.int64()))
    return made


def _by_image(table: pa.Table) -> list[int] | None:
    """The rows with those of an image together, in the order of their first; None if they are in that order."""
    first, order = {}, []
    for row, image in enumerate(table["image_key"].to_pylist()):
        order.append((row if image is None else first.setdefault(image, row), row))
    together = [row for _, row in sorted(order)]
    return together if together != list(range(len(order))) else None


def _ends(table: pa.Table) -> list[int]:
    """Where requests end: after MAX_ROWS rows, or fewer if these are long, and never within an image."""
    if table.num_rows == 0:
        return [0]
    images = table["image_key"].to_pylist() if "image_key" in table.column_names else [None] * table.num_rows
    rows = max(1, min(MAX_ROWS, MAX_BYTES * table.num_rows // max(table.nbytes, 1)))
    ends, end = [], 0
    while end < table.num_rows:
        end = min(end + rows, table.num_rows)
        while end < table.num_rows and images[end] is not None and images[end] == images[end - 1]:
            end += 1
        ends.append(end)
    return ends


def _request(table: pa.Table, begin: int) -> pa.Table:
    rows = f"rows {begin} to {begin + table.num_rows - 1}"
    if table.nbytes > MAX_MESSAGE:
        raise ValueError(f"{rows} are {table.nbytes:,} bytes, more than {MAX_MESSAGE:,}: pass fewer captions at once")
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_batch(table.combine_chunks().to_batches()[0] if table.num_rows else pa.RecordBatch.from_pylist([], schema=table.schema))
    reply = pa.ipc.open_stream(_worker.ask(sink.getvalue(), rows)).read_all()
    if "error" in reply.column_names:
        failed = reply.to_pylist()[0]
        raise CapgraphError(failed["error"], begin + failed["row"] if failed["row"] >= 0 else None)
    about = json.loads(reply.schema.metadata[_KEY])
    return _align(reply.replace_schema_metadata(None), about, table.num_rows)


def _align(reply: pa.Table, about: dict, rows: int) -> pa.Table:
    """A row for each caption, in their order."""
    at, reasons = [None] * rows, [None] * rows
    for i, row in enumerate(reply["row"].to_pylist()):
        at[row] = i
    for row, reason in about["rejects"]:
        reasons[row] = reason
    for row, first in about["repeats"]:
        at[row], reasons[row] = at[first], reasons[first]
    for row in range(rows):
        if at[row] is None and reasons[row] is None:
            reasons[row] = "null"
    reply = reply.drop_columns(["row"]).combine_chunks()
    reply = reply.cast(pa.schema([_nullable(field) for field in reply.schema]))
    if at != list(range(reply.num_rows)):
        reply = reply.take(pa.array(at, pa.int64()))
    return reply.append_column("reason", pa.array(reasons, pa.string()))


def _nullable(field: pa.Field) -> pa.Field:
    """The field, in which a row without result is null."""
    kind = field.type
    if pa.types.is_struct(kind):
        kind = pa.struct([_nullable(inner) for inner in kind])
    elif pa.types.is_list(kind):
        kind = pa.list_(_nullable(kind.value_field))
    return pa.field(field.name, kind)
