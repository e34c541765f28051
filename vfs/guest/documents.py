"""What the guest knows of the corpus: the listing, sizes, and the bodies of files, all asked of the host in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .unreadable import Unreadable

Header = dict[str, Any]

KINDS = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")

CACHE_BYTES = 32 << 20  # bodies kept in the worker; the oldest go first
READAHEAD = 512  # documents asked for at once when files are read in order; the host cuts a batch by its bytes
SIZES_AHEAD = 1024  # documents whose sizes are asked for at once


class Channel(Protocol):
    """The line to the host half, `glossator.vfs.files.DocumentFiles`."""

    def request(self, header: Header) -> tuple[Header, list[bytes]]: ...


class Facts(NamedTuple):
    """What `stat` tells of a document."""

    modified: float  # seconds since 1970, UTC
    sizes: tuple[int, ...]  # bytes of the files, in the order of KINDS


@dataclass(slots=True)
class _Run:
    """How far files of one kind have been read in one order."""

    end: int = 0  # position after the last batch
    window: int = 1  # documents to ask for next

    def next(self, position: int) -> bool:
        """True iff `position` continues the run; documents that the program skipped may lie between."""
        return self.end <= position <= self.end + self.window


class _Order:
    """One order in which programs walk the documents, and the runs of reading along it."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self.positions = {document: position for position, document in enumerate(ids)}
        self.runs = {kind: _Run() for kind in KINDS}


class Documents:
    """The documents in scope, in one generation from the beginning of a cell to its end.

    Nothing is asked of the host before a cell looks at `/documents`.
    """

    def __init__(self, channel: Channel) -> None:
        self.unreadable = Unreadable(self.ids)
        self._channel = channel
        self._generation: int | None = None
        self._fresh = False  # True iff the host has confirmed the generation in this cell
        self._orders: list[_Order] = [_Order(())]
        self._facts: dict[str, Facts] = {}
        self._bodies: dict[tuple[str, str], bytes] = {}
        self._held = 0  # bytes in _bodies
        self._opened: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}

    def begin(self) -> None:
        """A cell starts: the next look at the documents asks whether the corpus has changed."""
        self._fresh = False
        self._opened = {kind: {} for kind in KINDS}

    def finish(self) -> Header:
        """The report for the host: the files that this cell opened. What was only read ahead is not in it."""
        return {"opened": {kind: list(ids) for kind, ids in self._opened.items() if ids}}

    def ids(self) -> Mapping[str, int]:
        """Positions by document id, in the corpus's order."""
        if not self._fresh:
            self._list()
        return self._orders[0].positions

    def facts(self, document: str) -> Facts:
        """Times and sizes of a document, without its bodies."""
        start = self.ids()[document]
        if document not in self._facts:
            batch = self._orders[0].ids[start : start + SIZES_AHEAD]
            reply, _ = self._ask({"op": "stat", "ids": list(batch)})
            rows = map(Facts, reply["modified"], map(tuple, reply["sizes"]))
            self._facts.update(zip(batch, rows, strict=True))
        return self._facts[document]

    def open(self, document: str, kind: str) -> bytes:
        """The bytes of a file, which counts as opened from now on."""
        if not self._fresh:
            self._list()
        body = self._bodies.get((kind, document))
        if body is None:
            body = self._fetch(document, kind)
        self._opened[kind][document] = None
        return body

    def _ask(self, header: Header) -> tuple[Header, list[bytes]]:
        reply, bodies = self._channel.request({**header, "generation": self._generation})
        if "error" in reply:  # an honest guest never causes one: the listing and the generation are the host's own
            raise OSError(reply["error"])
        return reply, bodies

    def _list(self) -> None:
        reply, bodies = self._ask({"op": "list"})
        if reply["generation"] != self._generation:
            self._orders = [_Order(bodies[0].decode().split("\n") if bodies[0] else ())]
            self.unreadable[:] = reply["unreadable"]
            self._facts.clear()
            self._bodies.clear()
            self._held = 0
            self._generation = reply["generation"]  # last: where a deadline interrupts this, the next call begins again
        self._fresh = True

    def _fetch(self, document: str, kind: str) -> bytes:
        order, batch = self._batch(document, kind)
        _, bodies = self._ask({"op": "read", "kind": kind, "ids": list(batch)})
        order.runs[kind].end = order.positions[document] + len(bodies)
        for name, body in zip(batch, bodies, strict=False):  # the host may send fewer than were asked for
            self._keep((kind, name), body)
        return bodies[0]

    def _batch(self, document: str, kind: str) -> tuple[_Order, Sequence[str]]:
        """The documents to ask for: more each time that reading goes on in the corpus's order or in that of the ids."""
        for order in self._all_orders():
            run = order.runs[kind]
            start = order.positions[document]
            if run.next(start):
                batch = order.ids[start : start + run.window]
                run.window = min(run.window * 2, READAHEAD)
                return order, batch
        for order in self._orders:
            order.runs[kind] = _Run(end=order.positions[document] + 1)
        return self._orders[0], (document,)

    def _all_orders(self) -> Iterable[_Order]:
        yield self._orders[0]
        if len(self._orders) == 1:
            self._orders.append(_Order(sorted(self._orders[0].ids)))
        yield self._orders[1]

    def _keep(self, key: tuple[str, str], body: bytes) -> None:
        self._held += len(body) - len(self._bodies.pop(key, b""))
        self._bodies[key] = body
        while self._held > CACHE_BYTES and self._bodies:
            self._held -= len(self._bodies.pop(next(iter(self._bodies))))
