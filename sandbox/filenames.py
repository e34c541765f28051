"""Where code comes from, as cells may see it: repr() of a task names the file of its coroutine."""

from __future__ import annotations

import _imp
import gc
import os
import sys
import types
from collections.abc import Iterator, Sequence


def hide_folders() -> None:
    """Name the files of all code that is loaded from the folder of its import on; for the zygote, after its imports."""
    folders = sorted({os.path.join(folder, "") for folder in sys.path if folder}, key=len, reverse=True)
    for code in _loaded():
        _imp._fix_co_filename(code, _short(code.co_filename, folders))  # and of the code within it
    for module in tuple(sys.modules.values()):
        if isinstance(path := getattr(module, "__file__", None), str):
            module.__file__ = _short(path, folders)  # ImportError tells it


def _short(path: str, folders: Sequence[str]) -> str:
    if not os.path.isabs(path):
        return path
    folder = next((each for each in folders if path.startswith(each)), os.path.join(os.path.dirname(path), ""))
    return path[len(folder) :]


def _loaded() -> Iterator[types.CodeType]:
    """Code itself is not known to the collector: what holds it is."""
    for holder in gc.get_objects():
        if type(holder) is types.FunctionType:
            yield holder.__code__
        elif type(holder) is dict:
            yield from (value for value in tuple(holder.values()) if type(value) is types.CodeType)
