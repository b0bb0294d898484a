"""Scene graphs, positive texts and hard negatives of captions:

    import capgraph
    graphs = capgraph.parse(["a man in a red shirt holding a dog"])
    texts = capgraph.texts(["a man in a red shirt holding a dog"])

The first call starts the program capgraph as a worker process, one for each Python process (docs/guide/python.md). capgraph.ray and
capgraph.spark run whole corpora on clusters (docs/scale.md)."""
from importlib import import_module, metadata as _metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capgraph._folders import load, run
    from capgraph._graphs import Attribute, Graph, Graphs, Object, Relation, Token, parse
    from capgraph._show import Shown, show
    from capgraph._texts import Negative, Positive, TextRow, Texts, texts
    from capgraph._units import Unit, Units, units
    from capgraph._worker import CapgraphError

_HOMES = {
    "_folders": ("load", "run"),
    "_graphs": ("Attribute", "Graph", "Graphs", "Object", "Relation", "Token", "parse"),
    "_show": ("Shown", "show"),
    "_texts": ("Negative", "Positive", "TextRow", "Texts", "texts"),
    "_units": ("Unit", "Units", "units"),
    "_worker": ("CapgraphError",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF) + ["__version__"]

try:
    __version__ = _metadata.version("capgraph")
except _metadata.PackageNotFoundError:  # not installed, as in a checkout
    __version__ = "0"


def __getattr__(name):  # so that capgraph.ray and capgraph.spark need no pyarrow
    if name not in _HOME_OF:
        raise AttributeError(f"module 'capgraph' has no attribute {name!r}")
    try:
        home = import_module(f"capgraph.{_HOME_OF[name]}")
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ModuleNotFoundError(f"capgraph.{name} needs pyarrow: pip install pyarrow", name="pyarrow") from error
    return getattr(home, name)


def __dir__():
    return sorted(set(globals()) | set(__all__))
