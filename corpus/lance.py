"""LanceDB, imported without what nobody here calls: imports of it go through this module.

`import lancedb` brings a client of the REST protocol for namespaces, whose thousands of lines of generated pydantic
code are half of the cost of the import. Only its models are used (as annotations); its API is run when somebody first
asks for it.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType

_POSTPONED = "lance_namespace_urllib3_client"
_running = RLock()
_begun: set[str] = set()


class _Postponed(ModuleType):
    """A package whose `__init__` runs at the first look at a name in it; its modules can be imported before."""

    def __getattr__(self, name: str) -> object:
        with _running:  # other threads wait until it is whole; this one may look while it runs, as in any import
            if self.__name__ not in _begun:
                _begun.add(self.__name__)
                assert self.__spec__ is not None and self.__spec__.loader is not None
                self.__spec__.loader.exec_module(self)
        if name not in vars(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return vars(self)[name]


def _postpone(package: str) -> None:
    """Import the package without running it, unless somebody has done so. See tests/corpus/test_lance.py."""
    spec = None if package in sys.modules else find_spec(package)
    if spec is not None:
        module = module_from_spec(spec)
        module.__class__ = _Postponed
        sys.modules[package] = module


_postpone(_POSTPONED)
os.environ.setdefault("LANCEDB_LOG", "error")  # else each search prints a line about scores

from lancedb import col, connect_async, lit  # noqa: E402  # after the two lines above, which change what it does
from lancedb.index import FTS, BTree, IvfSq  # noqa: E402
from lancedb.query import BooleanQuery, MatchQuery, Occur, PhraseQuery  # noqa: E402

__all__ = [
    "FTS",
    "BTree",
    "BooleanQuery",
    "IvfSq",
    "MatchQuery",
    "Occur",
    "PhraseQuery",
    "col",
    "connect_async",
    "lit",
]
