"""units: the parts of captions that part-based training contrasts."""
from __future__ import annotations

from dataclasses import dataclass

from capgraph import _columns
from capgraph._graphs import Graph, Rows, read_graph
from capgraph._texts import ask_texts


@dataclass(frozen=True)
class Unit:
    """A part of a caption: bytes begin to end of its text in UTF-8. kind is sentence, noun, verb or relation. foil is the part with one
    thing changed so that it is false, and paraphrase the part in other words; None if there is none. objects numbers the graph's
    objects in it."""
    text: str
    kind: str
    begin: int
    end: int
    foil: str | None
    paraphrase: str | None
    objects: tuple[int, ...]


class Units(Rows):
    """The units of n captions: a sequence of n items, each a list of Unit, or None. to_arrow() returns the graphs and texts that they
    are made of: a table of n rows."""

    def _row(self, row):
        graph = read_graph(row)
        return None if graph is None else _Maker(graph, row).units()


def units(captions, images=None, vocabulary=None, seed: int = 0, *, keys=None, phrases=None, **options) -> Units:
    """Returns the units of n captions: sentences, and noun, verb and relation phrases, each with its place, a foil and a paraphrase.

    The arguments are those of capgraph.texts. Foils and paraphrases are taken from the texts that it makes; unless options say
    otherwise, each part is said in other words if it can be. Raises CapgraphError."""
    options["negatives"] = {"paraphrases": 1, "max_positives": 64, "max_negatives": 64, "mix": {"object": 1, "attribute": 1}, **options.get("negatives", {})}
    return Units(ask_texts("units", captions, images, keys, phrases, vocabulary, seed, options), _columns.index_of(captions))


_ENDS = (".", "!", "?")
_DETERMINERS = ("DT", "PRP$", "CD", "PDT", "WP$")


def _key(text: str) -> str:
    words = text.lower().rstrip(".!?").split()
    return " ".join(word for word in words if word not in ("a", "an", "the"))


class _Maker:
    """Makes the units of a caption."""

    def __init__(self, graph: Graph, row: dict):
        self.graph, self.row = graph, row
        self.bytes = graph.text.encode()
        self.tokens = graph.tokens
        self.edits = list(self._edits())

    def units(self) -> list[Unit]:
        spans = [("sentence", begin, end) for begin, end in self._sentences()]
        nouns = [self._noun_span(o) for o in self.graph.objects]
        spans += [("noun", *span) for span in nouns if span]
        for r in self.graph.relations:
            subject, of = nouns[r.subject], nouns[r.object]
            if r.status or not subject or not of:
                continue
            first, last = self._verb_span(r, subject, of)
            if first is not None:
                spans.append(("verb", first, last))
            spans.append(("relation", min(subject[0], of[0]), max(subject[1], of[1])))
        made, seen = [], set()
        for kind, begin, end in spans:
            if (kind, begin, end) not in seen:
                seen.add((kind, begin, end))
                made.append(self._unit(kind, begin, end, nouns))
        return sorted(made, key=lambda u: (u.begin, -u.end))

    def _unit(self, kind, begin, end, nouns):
        text = self.bytes[begin:end].decode()
        objects = tuple(i for i, span in enumerate(nouns) if span and begin <= span[0] and span[1] <= end)
        return Unit(text, kind, begin, end, self._foil(text, begin, end), self._paraphrase(text), objects)

    def _sentences(self):
        """Where sentences begin and end: after a token that is their end."""
        begin = None
        for t in self.tokens:
            begin = t.begin if begin is None else begin
            if t.tag == "." and self.bytes[t.begin:t.end].decode() in _ENDS:
                yield begin, t.end
                begin = None
        if begin is not None:
            yield begin, self.tokens[-1].end

    def _noun_span(self, o):
        """An object with its determiner and the attributes beside it; None if the text does not have it."""
        if o.begin < 0 or o.status in ("denied", "hypothetical"):
            return None
        begin, end = o.begin, o.end
        for a in o.attributes:
            if a.form == "pre" and 0 <= a.begin < begin and not self._crosses(a.begin, o):
                begin = a.begin
        before = [t for t in self.tokens if t.end <= begin]
        while before and before[-1].tag in _DETERMINERS:
            begin = before.pop().begin
        return begin, end

    def _crosses(self, begin, o):
        return any(begin <= other.begin < o.begin for other in self.graph.objects if other.begin >= 0)

    def _verb_span(self, r, subject, of):
        """From the verb of a relation to its object; None if it has none after its subject."""
        verbs = [t for t in self.tokens if t.tag.startswith("VB") and subject[1] <= t.begin and t.end <= of[0] and t.lemma in r.lemma.split()]
        return (verbs[0].begin, of[1]) if verbs else (None, None)

    def _edits(self):
        """What each negative of the caption or of a sentence of it changes."""
        whole = self.bytes.lower()
        for negative, of in zip(self.row["neg"], self.row["neg_of"]):
            positive = self.row["pos"][of].encode()
            at = whole.find(positive.lower()) if self.row["pos_kind"][of] in ("caption", "sentence") else -1
            if at >= 0:
                yield self._edit(at, positive, negative.encode())

    def _edit(self, at: int, a: bytes, b: bytes):
        """What a negative b of the words a at byte at changes: bytes begin to end of the text, and what it has there, in whole words."""
        bounds = {t.begin - at for t in self.tokens} | {t.end - at for t in self.tokens} | {0, len(a)}
        first = 0
        while first < min(len(a), len(b)) and a[first] == b[first]:
            first += 1
        last = 0
        while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
            last += 1
        while first > 0 and first not in bounds:
            first -= 1
        while last > 0 and len(a) - last not in bounds:
            last -= 1
        return at + first, at + len(a) - last, b[first:len(b) - last]

    def _foil(self, text, begin, end):
        """The unit as a negative of the caption has it, or one of a positive that is the unit."""
        for first, last, words in self.edits:
            if begin <= first and last <= end:
                try:
                    return (self.bytes[begin:first] + words + self.bytes[last:end]).decode()
                except UnicodeDecodeError:
                    continue
        at = self._positive(text)
        return next((neg for neg, of in zip(self.row["neg"], self.row["neg_of"]) if of == at), None) if at is not None else None

    def _paraphrase(self, text):
        at = self._positive(text)
        if at is None or at + 1 >= len(self.row["pos"]) or self.row["pos_kind"][at + 1] != "paraphrase":
            return None
        return self.row["pos"][at + 1]

    def _positive(self, text):
        """The positive that says the same words."""
        key = _key(text)
        for i, pos in enumerate(self.row["pos"]):
            said = _key(pos)
            if said == key or said == f"there is {key}" or said == f"there are {key}":
                return i
        return None
