"""Library functions that open files by name: here over the `open` of the session, so that they read `/documents`.

The real ones would ask the jail, and take a number for a descriptor of the worker.
"""

from __future__ import annotations

import configparser
import errno
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Open = Callable[..., Any]


def no_files(file: Any, *mode: Any, **options: Any) -> Any:
    """`open` of sessions without a file system."""
    if isinstance(file, int):
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(file))


def names(open: Open) -> dict[str, Mapping[str, Any]]:
    """The stand-ins by module."""

    def opened(source: Any) -> Any:
        return source if hasattr(source, "read") else open(source, "rb")

    class Tree(ElementTree.ElementTree):
        def parse(self, source: Any, parser: Any = None) -> Any:
            return super().parse(opened(source), parser)

        def write(self, file_or_filename: Any, *args: Any, **options: Any) -> None:
            target = file_or_filename if hasattr(file_or_filename, "write") else open(file_or_filename, "wb")
            super().write(target, *args, **options)

    def parse(source: Any, parser: Any = None) -> Any:
        tree = Tree()
        tree.parse(source, parser)
        return tree

    def iterparse(source: Any, events: Any = None, parser: Any = None) -> Iterator[Any]:
        return ElementTree.iterparse(opened(source), events, parser)

    def canonicalize(xml_data: Any = None, *, out: Any = None, from_file: Any = None, **options: Any) -> Any:
        return ElementTree.canonicalize(
            xml_data, out=out, from_file=None if from_file is None else opened(from_file), **options
        )

    class _Reading(configparser.RawConfigParser):
        def read(self, filenames: Any, encoding: str | None = None) -> list[str]:
            found: list[str] = []
            single = isinstance(filenames, (str, bytes, os.PathLike))
            listed: Iterable[Any] = [filenames] if single else filenames
            for name in listed:
                try:
                    with open(name, encoding=encoding) as file:
                        self.read_file(file, name)
                except OSError:
                    continue
                found.append(os.fspath(name))
            return found

    class RawConfigParser(_Reading):
        pass

    class ConfigParser(_Reading, configparser.ConfigParser):
        pass

    Tree.__name__ = Tree.__qualname__ = "ElementTree"
    return {
        "xml.etree.ElementTree": {
            "ElementTree": Tree,
            "parse": parse,
            "iterparse": iterparse,
            "canonicalize": canonicalize,
        },
        "configparser": {"RawConfigParser": RawConfigParser, "ConfigParser": ConfigParser},
    }
