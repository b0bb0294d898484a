"""texts: positives and hard negatives of captions."""
from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute

from capgraph import _columns, _worker
from capgraph._graphs import Rows


@dataclass(frozen=True)
class Positive:
    """A true text: kind is caption, object, relation, paraphrase (of the positive before) or sentence."""
    text: str
    kind: str
    id: int
    confidence: float


@dataclass(frozen=True)
class Negative:
    """A false text, which differs in one thing from the positive numbered of."""
    text: str
    of: int
    method: str
    changed: str
    category: str
    score: float


@dataclass(frozen=True)
class TextRow:
    """The texts of a caption. positives[0] is the cleaned caption. A caption that was rejected has no text and no positives; reason says
    why (docs/cleaning.md; "null" of None)."""
    text: str
    positives: list[Positive]
    negatives: list[Negative]
    reason: str | None = None

    def __repr__(self):
        if self.reason:
            return f"(nothing: {self.reason})"
        lines = []
        for i, positive in enumerate(self.positives):
            lines.append(f"+ {positive.text}  ({positive.kind})")
            lines += [f"  − {negative.text}  ({negative.method})" for negative in self.negatives if negative.of == i]
        return "\n".join(lines)


class Texts(Rows):
    """The texts of n captions: a sequence of n items, each a TextRow. The properties are columns of n lists, empty where there is nothing;
    to_arrow() returns them as a table of n rows, with the columns of texts/ (docs/format.md) and reason."""

    def _row(self, row):
        positives = [Positive(*of) for of in zip(row["pos"], row["pos_kind"], row["pos_id"], row["pos_confidence"])]
        negatives = [Negative(*of) for of in zip(*(row[f"neg{name}"] for name in ("", "_of", "_method", "_changed", "_category", "_score")))]
        return TextRow(row["text"] or "", positives, negatives, row["reason"])

    def _column(self, name) -> pa.ListArray:
        return self._table[name].combine_chunks() if self._table[name].num_chunks != 1 else self._table[name].chunk(0)

    @property
    def positives(self) -> pa.ListArray:
        """True texts: n lists of strings."""
        return self._column("pos")

    @property
    def kinds(self) -> pa.ListArray:
        """Kinds of the positives: n lists of strings."""
        return self._column("pos_kind")

    @property
    def confidence(self) -> pa.ListArray:
        """How likely each positive is good: n lists of float32."""
        return self._column("pos_confidence")

    @property
    def negatives(self) -> pa.ListArray:
        """False texts: n lists of strings."""
        return self._column("neg")

    @property
    def of(self) -> pa.ListArray:
        """Which positive each negative changes: n lists of int16."""
        return self._column("neg_of")

    @property
    def methods(self) -> pa.ListArray:
        """How each negative was made: n lists of strings."""
        return self._column("neg_method")

    @property
    def offsets(self) -> pa.Array:
        """n + 1 numbers: the positives of caption i are offsets[i] to offsets[i + 1] of positives.flatten()."""
        return _offsets(self.positives)

    @property
    def negative_offsets(self) -> pa.Array:
        """n + 1 numbers: the negatives of caption i are negative_offsets[i] to negative_offsets[i + 1] of negatives.flatten()."""
        return _offsets(self.negatives)


def _offsets(lists: pa.ListArray) -> pa.Array:
    ends = pa.compute.cumulative_sum(pa.compute.fill_null(pa.compute.list_value_length(lists), 0))
    return pa.concat_arrays([pa.array([0], ends.type), ends])


def _fill_lists(table: pa.Table) -> pa.Table:
    """The table, with empty lists in place of none."""
    for at, field in enumerate(table.schema):
        if pa.types.is_list(field.type):
            lists = table[at].combine_chunks() if table[at].num_chunks != 1 else table[at].chunk(0)
            table = table.set_column(at, field, pa.ListArray.from_arrays(_offsets(lists), lists.flatten(), field.type))
    return table


def ask_texts(call, captions, images, keys, phrases, vocabulary, seed, options) -> pa.Table:
    """The table of a call that makes texts."""
    return _worker.request(call, _columns.request(captions, images=images, keys=keys, phrases=phrases), {"seed": seed, **options}, vocabulary)


def texts(captions, images=None, vocabulary=None, seed: int = 0, *, keys=None, phrases=None, **options) -> Texts:
    """Returns the positives and hard negatives of n captions: Texts, of n items.

    captions is a list of strings, or a column of numpy, pandas, pyarrow or polars; None has no texts, nor has a caption that cleaning
    rejects: their lists are empty. images names the image of each caption, n strings: no text that another caption of the image says is
    a negative. Without them each caption is of an image of its own. A frame with a column caption may have them as image_key, and keys
    as key. vocabulary is the output folder of a run, whose counts replacements come from; without
    it they come from counts of public captions. phrases are those of capgraph.parse. options are sections of a recipe: negatives={"max_negatives": 8}.

    The texts are those of 'capgraph run' with the same settings and seed, if vocabulary is its folder, images its image_key, and keys
    its key. Raises CapgraphError."""
    return Texts(_fill_lists(ask_texts("texts", captions, images, keys, phrases, vocabulary, seed, options)), _columns.index_of(captions))
