"""What the guest knows of the corpus: the listing, sizes, and the bodies of files, all asked of the host in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .unreadable import Unreadable

Header = dict[str, Any]

KINDS = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")

FIRST_AHEAD = 32  # documents to a batch from which on the next one is asked for before it is needed
SIZES_AHEAD = 1024  # documents whose sizes are asked for at once


class Channel(Protocol):
    """The line to the host half, `glossator.vfs.files.DocumentFiles`."""

    def request(self, header: Header) -> tuple[Header, list[bytes]]: ...
    def ask(self, header: Header) -> int: ...
    def answer(self, number: int) -> tuple[Header, list[bytes]]: ...
    def forget(self, number: int) -> None: ...


class Facts(NamedTuple):
    """What `stat` tells of a document."""

    modified: float  # seconds since 1970, UTC
    sizes: tuple[int, ...]  # bytes of the files, in the order of KINDS


class _Batch(NamedTuple):
    """Documents that follow each other in an order, asked for together."""

    order: _Order
    ids: Sequence[str]
    number: int  # of the request

    def holds(self, document: str) -> bool:
        start = self.order.positions[self.ids[0]]
        return start <= self.order.positions[document] < start + len(self.ids)


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
        self._ahead: dict[str, _Batch] = {}  # by kind: asked for, not yet waited for
        self._cache_bytes = self._most_ahead = 0  # until the host has said
        self._held = 0  # bytes in _bodies
        self._opened: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}

    def begin(self) -> None:
        """A cell starts: the next look at the documents asks whether the corpus has changed."""
        self._fresh = False
        self._opened = {kind: {} for kind in KINDS}
        self._ahead.clear()  # the host has given up what the last cell did not wait for

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
        return _checked(self._channel.request({**header, "generation": self._generation}))

    def _list(self) -> None:
        reply, bodies = self._ask({"op": "list"})
        if reply["generation"] != self._generation:
            self._orders = [_Order(bodies[0].decode().split("\n") if bodies[0] else ())]
            self.unreadable[:] = reply["unreadable"]
            self._facts.clear()
            self._bodies.clear()
            self._held = 0
            self._cache_bytes, self._most_ahead = reply["cache_bytes"], reply["readahead"]
            self._generation = reply["generation"]  # last: where a deadline interrupts this, the next call begins again
        self._fresh = True

    def _fetch(self, document: str, kind: str) -> bytes:
        while (body := self._bodies.get((kind, document))) is None:
            ahead = self._ahead.pop(kind, None)
            if ahead is None or not ahead.holds(document):
                if ahead is not None:
                    self._channel.forget(ahead.number)
                ahead = self._request(kind, *self._next(document, kind))
            self._receive(kind, ahead)
        return body

    def _request(self, kind: str, order: _Order, ids: Sequence[str]) -> _Batch:
        header = {"op": "read", "kind": kind, "ids": list(ids), "generation": self._generation}
        return _Batch(order, ids, self._channel.ask(header))

    def _receive(self, kind: str, batch: _Batch) -> None:
        """Keep the bodies of a batch, and ask for the next one while the program works on this one."""
        _, bodies = _checked(self._channel.answer(batch.number))
        run = batch.order.runs[kind]
        run.end = batch.order.positions[batch.ids[0]] + len(bodies)
        following = batch.order.ids[run.end : run.end + run.window]
        if run.window >= FIRST_AHEAD and following:
            self._ahead[kind] = self._request(kind, batch.order, following)
            run.window = min(run.window * 2, self._most_ahead)
        for name, body in zip(batch.ids, bodies, strict=False):  # the host may send fewer than were asked for
            self._keep((kind, name), body)

    def _next(self, document: str, kind: str) -> tuple[_Order, Sequence[str]]:
        """The documents to ask for: more each time that reading goes on in the corpus's order or in that of the ids."""
        for order in self._all_orders():
            run = order.runs[kind]
            start = order.positions[document]
            if run.next(start):
                ids = order.ids[start : start + run.window]
                run.window = min(run.window * 2, self._most_ahead)
                return order, ids
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
        while self._held > self._cache_bytes and self._bodies:
            self._held -= len(self._bodies.pop(next(iter(self._bodies))))


def _checked(answer: tuple[Header, list[bytes]]) -> tuple[Header, list[bytes]]:
    # An honest guest never causes an error: the listing and the generation are the host's own.
    if "error" in answer[0]:
        raise OSError(answer[0]["error"])
    return answer
