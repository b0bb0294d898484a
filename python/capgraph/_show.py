"""show: scene graphs as text and, in a notebook, as a drawing."""
from __future__ import annotations

from html import escape

from capgraph._graphs import Graph, Graphs, parse

_ROW, _CHAR, _PAD = 46, 7.4, 10  # pixels: of a line of the drawing, of a letter, around words


class Shown:
    """Graphs to look at: str() is a tree of each; a notebook draws them."""

    def __init__(self, graphs):
        self._graphs = graphs

    def __str__(self):
        return "\n\n".join("(no graph)" if g is None else f"{g.text}\n{g}" for g in self._graphs)

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return "\n".join("<p>(no graph)</p>" if g is None else f"<figure><figcaption>{escape(g.text)}</figcaption>{_draw(g)}</figure>" for g in self._graphs)


def show(of, **options) -> Shown:
    """Shows the graphs of captions: of is a caption, a list of n captions, a Graph, or Graphs. print() writes trees; a notebook draws."""
    if isinstance(of, str):
        of = [of]
    if isinstance(of, Graph):
        of = [of]
    elif not isinstance(of, Graphs):
        of = parse(of, **options)
    return Shown(of)


def _draw(graph: Graph) -> str:
    """A line for each object, with its attributes, and an arc for each relation at the right."""
    labels = []
    for o in graph.objects:
        name = f"{o.quantity} {o.name}" if o.quantity else o.name
        labels.append((name, ", ".join(a.text for a in o.attributes)))
    left = 2 * _PAD + max((len(name) + len(more) + 2 for name, more in labels), default=0) * _CHAR
    shapes, width = [], left
    for i, (name, more) in enumerate(labels):
        y = _ROW * i + 10
        box = len(name) * _CHAR + 2 * _PAD
        shapes.append(f'<rect x="1" y="{y}" width="{box:.0f}" height="26" rx="6" fill="#eef3fb" stroke="#4a6fa5"/>'
                      f'<text x="{_PAD}" y="{y + 17}">{escape(name)}</text><text x="{box + 8:.0f}" y="{y + 17}" fill="#8a5a00">{escape(more)}</text>')
    for n, r in enumerate(graph.relations):
        top, bottom = _ROW * r.subject + 19, _ROW * r.object + 27
        x = left + 24 + 18 * n
        end = x + 8 + len(r.lemma) * _CHAR
        width = max(width, end)
        y = (top + bottom) / 2 + 4 + (n % 2) * 3
        shapes.append(f'<path d="M{left:.0f} {top} C{x:.0f} {top} {x:.0f} {bottom} {left:.0f} {bottom}" fill="none" stroke="#666" marker-end="url(#capgraph-arrow)"/>'
                      f'<text x="{x - 6:.0f}" y="{y:.0f}">{escape(r.lemma)}</text>')
    height = _ROW * len(labels) + 10
    arrow = '<defs><marker id="capgraph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#666"/></marker></defs>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 10:.0f}" height="{height}" viewBox="0 0 {width + 10:.0f} {height}" '
            f'font-family="monospace" font-size="12" role="img">{arrow}{"".join(shapes)}</svg>')
