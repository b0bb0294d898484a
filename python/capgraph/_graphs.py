"""parse: scene graphs of captions."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from capgraph import _columns, _worker


@dataclass(frozen=True)
class Token:
    """A token: bytes begin to end of the text in UTF-8, its tag (Penn Treebank), lemma, and what an encoder says of texts with it."""
    begin: int
    end: int
    tag: str
    lemma: str
    quality: float = 0.0


@dataclass(frozen=True)
class Attribute:
    """An attribute of an object: "red". form is pre or post; begin and end are -1 if the text does not have its words together."""
    text: str
    form: str
    begin: int
    end: int
    confidence: float
    status: str


@dataclass(frozen=True)
class Object:
    """An object of a graph: its name, head noun, quantity and attributes."""
    name: str
    head: str
    quantity: str
    attributes: list[Attribute]
    begin: int
    end: int
    confidence: float
    status: str


@dataclass(frozen=True)
class Relation:
    """A relation of two objects, which subject and object number from 0."""
    subject: int
    predicate: str
    lemma: str
    object: int
    begin: int
    end: int
    confidence: float
    status: str


@dataclass(frozen=True)
class Graph:
    """A scene graph, as docs/format.md describes the columns of graphs/. Offsets count bytes of text in UTF-8."""
    text: str
    objects: list[Object]
    relations: list[Relation]
    tokens: list[Token]
    parser: str
    confidence: float

    def __repr__(self):
        return f"{self.text}\n{self}"

    def __str__(self):
        """The tree without the text."""
        lines = []
        for i, o in enumerate(self.objects):
            lines.append(f"{i} {o.quantity + ' ' if o.quantity else ''}{o.name}")
            below = [f"is {a.text}" for a in o.attributes]
            below += [f"{r.lemma} → {r.object} {self.objects[r.object].name}" for r in self.relations if r.subject == i]
            lines += [f"  {'└' if j == len(below) - 1 else '├'}─ {text}" for j, text in enumerate(below)]
        return "\n".join(lines)


def read_graph(row: dict) -> Graph | None:
    """The graph of a row of a table, or None."""
    if row["graph"] is None:
        return None
    objects = [Object(**{**o, "attributes": [Attribute(**a) for a in o["attributes"]]}) for o in row["graph"]["objects"]]
    return Graph(row["text"], objects, [Relation(**r) for r in row["graph"]["relations"]], [Token(**t) for t in row["tokens"]], row["parser"], row["confidence"])


_SHOWN = 5  # rows in a repr


class Rows(Sequence):
    """Rows of a table, each made when it is asked for. index is the index of pandas that the captions had, or None."""

    def __init__(self, table: pa.Table, index=None):
        self._table, self._index = table, index

    def _row(self, row: dict):
        raise NotImplementedError

    def __len__(self) -> int:
        return self._table.num_rows

    def __getitem__(self, at):
        if isinstance(at, slice):
            begin, end, step = at.indices(len(self))
            table = self._table.slice(begin, max(end - begin, 0)) if step == 1 else self._table.take(pa.array(range(begin, end, step), pa.int64()))
            return type(self)(table, None if self._index is None else self._index[at])
        i = at + len(self) if at < 0 else at
        if not 0 <= i < len(self):
            raise IndexError(f"row {at} of {len(self)}")
        return self._row(self._table.slice(i, 1).to_pylist()[0])

    def __iter__(self):
        for batch in self._table.to_batches(max_chunksize=1024):
            for row in batch.to_pylist():
                yield self._row(row)

    def __repr__(self):
        lines = [f"{type(self).__name__} of {len(self):,} caption{'' if len(self) == 1 else 's'}"]
        for i, (row, reason) in enumerate(zip(self[:_SHOWN], self[:_SHOWN].reasons)):
            shown = f"(nothing: {reason})" if reason else "\n".join(map(repr, row)) if isinstance(row, list) else repr(row)
            lines.append(f"[{i}] " + shown.replace("\n", "\n    "))
        if len(self) > _SHOWN:
            lines.append(f"… {len(self) - _SHOWN:,} more")
        return "\n".join(lines)

    @property
    def reasons(self) -> list[str | None]:
        """For each caption, why nothing was made of it (docs/cleaning.md; "null" of None), or None."""
        return self._table["reason"].to_pylist()

    def to_arrow(self) -> pa.Table:
        """The table: a row for each caption."""
        return self._table

    def to_pandas(self):
        """The table as a DataFrame of pandas, with the index of the captions where they are of pandas: frame.join(graphs.to_pandas())."""
        frame = self._table.to_pandas()
        return frame if self._index is None else frame.set_index(self._index)

    def to_polars(self):
        """The table as a DataFrame of polars."""
        import polars

        return polars.from_arrow(self._table)


class Graphs(Rows):
    """The graphs of n captions: a sequence of n items, each a Graph or None. to_arrow() returns a table of n rows with the columns text,
    tokens, graph, parser and confidence of graphs/ (docs/format.md), and reason."""

    def _row(self, row):
        return read_graph(row)

    def _repr_html_(self):
        from capgraph._show import Shown

        return Shown(self[:_SHOWN])._repr_html_() + (f"<p>… {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else "")


def parse(captions, *, phrases=None, **options) -> Graphs:
    """Returns the scene graphs of n captions: Graphs, of n items.

    captions is a list of strings, a column of numpy, pandas, pyarrow or polars, or a frame with a column caption. None has no graph, nor
    has a caption that cleaning rejects. phrases are the objects of each caption, if they are known: a list of texts, of {"start", "end"}
    or of (start, end) in characters, a caption with marks of Flickr30k Entities, or None to find them; a frame may have them in a column
    phrases. options are sections of a recipe: clean={"language": "any"}. Raises CapgraphError."""
    return Graphs(_worker.request("graphs", _columns.request(captions, phrases=phrases), options), _columns.index_of(captions))
