"""What the guest knows of the corpus: the listing, sizes, and the bodies of files, all asked of the host in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .marks import packed
from .unreadable import Unreadable

Header = dict[str, Any]

KINDS = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")

FIRST_AHEAD = 32  # documents to a batch from which on the next one is asked for before it is needed
SIZES_AHEAD = 1024  # documents whose sizes are asked for at once
STRAYS = 3  # reads in no order after which the order of the ids is looked at: sorting takes time


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


class _Order:
    """One order in which programs walk the documents, and how far they have read along it, by kind of file.

    A document is its place, the index in the corpus's order; its rank is the index in this one.
    """

    def __init__(self, places: Sequence[int], ranks: Sequence[int]) -> None:
        self.places = places  # by rank
        self.ranks = ranks  # by place
        self.runs = {kind: _Run() for kind in KINDS}

    @classmethod
    def of_corpus(cls, ids: Sequence[str]) -> _Order:
        return cls(range(len(ids)), range(len(ids)))

    @classmethod
    def of_names(cls, ids: Sequence[str]) -> _Order:
        places = sorted(range(len(ids)), key=ids.__getitem__)
        ranks = [0] * len(ids)
        for rank, place in enumerate(places):
            ranks[place] = rank
        return cls(places, ranks)


@dataclass(slots=True)
class _Run:
    """A walk along an order."""

    end: int = 0  # rank after the last batch
    window: int = 1  # documents to ask for next

    def goes_on_at(self, rank: int) -> bool:
        """Documents that the program skipped may lie between."""
        return self.end <= rank <= self.end + self.window


class _Batch(NamedTuple):
    """Documents that follow each other in an order, asked for together."""

    order: _Order
    places: Sequence[int]
    number: int  # of the request

    def holds(self, place: int) -> bool:
        return 0 <= self.index(place) < len(self.places)

    def index(self, place: int) -> int:
        """Of a document of the order, among the places; of one that was not asked for it lies outside."""
        return self.order.ranks[place] - self.order.ranks[self.places[0]]


class Documents:
    """The documents in scope, in one generation from the beginning of a cell to its end.

    Nothing is asked of the host before a cell looks at `/documents`.
    """

    def __init__(self, channel: Channel) -> None:
        self.unreadable = Unreadable(self.ids)
        self._channel = channel
        self._generation: int | None = None
        self._fresh = False  # True iff the host has confirmed the generation in this cell
        self._ids: Sequence[str] = ()
        self._places: Mapping[str, int] = {}  # by id
        self._orders: list[_Order] = []
        self._strays = 0  # reads that went on in no order
        self._facts: dict[int, Facts] = {}
        self._bodies: dict[tuple[str, int], bytes] = {}  # by kind and place, the oldest first
        self._ahead: dict[str, _Batch] = {}  # by kind: asked for, not yet waited for
        self._cache_bytes = self._most_ahead = 0  # until the host has said
        self._held = 0  # bytes in _bodies
        self._opened: dict[str, bytearray] = {}  # by kind a flag for each place
        self._described = bytearray()  # a flag for each place whose facts this cell was told

    def begin(self) -> None:
        """A cell starts: the next look at the documents asks whether the corpus has changed."""
        self._fresh = False
        self._opened, self._described = {}, bytearray()
        self._ahead.clear()  # the host has given up what the last cell did not wait for

    def finish(self) -> Header:
        """The report for the host: what this cell opened and described. What was only read ahead is not in it."""
        opened = {kind: packed(flags) for kind, flags in self._opened.items()}
        return {"opened": opened, "described": packed(self._described)}

    def ids(self) -> Mapping[str, int]:
        """Places by document id, in the corpus's order."""
        if not self._fresh:
            self._list()
        return self._places

    def facts(self, document: str) -> Facts:
        """Times and sizes of a document, without its bodies."""
        place = self.ids()[document]
        if place not in self._facts:
            at = range(place, min(place + SIZES_AHEAD, len(self._ids)))
            reply, _ = self._ask({"op": "stat", "at": list(at)})
            sizes = zip(*reply["sizes"], strict=True)
            self._facts.update(zip(at, map(Facts, reply["modified"], sizes), strict=True))
        self._described = self._described or bytearray(len(self._ids))
        self._described[place] = 1
        return self._facts[place]

    def open(self, document: str, kind: str) -> bytes:
        """The bytes of a file, which counts as opened from now on."""
        place = self.ids()[document]
        body = self._bodies.get((kind, place))
        if body is None:
            body = self._fetch(place, kind)
        flags = self._opened.get(kind)
        if flags is None:
            flags = self._opened[kind] = bytearray(len(self._ids))
        flags[place] = 1
        return body

    def _ask(self, header: Header) -> tuple[Header, list[bytes]]:
        return _checked(self._channel.request({**header, "generation": self._generation}))

    def _list(self) -> None:
        reply, bodies = self._ask({"op": "list"})
        if reply["generation"] != self._generation:
            self._ids = bodies[0].decode().split("\n") if bodies[0] else ()
            self._places = {document: place for place, document in enumerate(self._ids)}
            self._orders = [_Order.of_corpus(self._ids)]
            self._strays = 0
            self.unreadable[:] = reply["unreadable"]
            self._facts.clear()
            self._bodies.clear()
            self._held = 0
            self._cache_bytes, self._most_ahead = reply["cache_bytes"], reply["readahead"]
            self._generation = reply["generation"]  # last: where a deadline interrupts this, the next call begins again
        self._fresh = True

    def _fetch(self, place: int, kind: str) -> bytes:
        while True:
            batch = self._ahead.pop(kind, None)
            if batch is None or not batch.holds(place):
                if batch is not None:
                    self._channel.forget(batch.number)
                batch = self._request(kind, *self._next(place, kind))
            bodies = self._receive(kind, batch)
            index = batch.index(place)
            if index < len(bodies):  # the host may send fewer than were asked for
                return bodies[index]

    def _request(self, kind: str, order: _Order, places: Sequence[int]) -> _Batch:
        header = {"op": "read", "kind": kind, "at": list(places), "generation": self._generation}
        return _Batch(order, places, self._channel.ask(header))

    def _receive(self, kind: str, batch: _Batch) -> Sequence[bytes]:
        """Keep the bodies of a batch, and ask for the next one while the program works on this one."""
        _, bodies = _checked(self._channel.answer(batch.number))
        order, run = batch.order, batch.order.runs[kind]
        run.end = order.ranks[batch.places[0]] + len(bodies)
        following = order.places[run.end : run.end + run.window]
        if run.window >= FIRST_AHEAD and following:
            self._ahead[kind] = self._request(kind, order, following)
            run.window = min(run.window * 2, self._most_ahead)
        for place, body in zip(batch.places, bodies, strict=False):
            self._keep((kind, place), body)
        return bodies

    def _next(self, place: int, kind: str) -> tuple[_Order, Sequence[int]]:
        """The documents to ask for: more each time that reading goes on in the corpus's order or in that of the ids."""
        if self._strays >= STRAYS and len(self._orders) == 1:
            names, end = _Order.of_names(self._ids), self._orders[0].runs[kind].end
            if end:  # the read before this one may have been a step of it
                names.runs[kind].end = names.ranks[end - 1] + 1
            self._orders.append(names)
        for order in self._orders:
            run, rank = order.runs[kind], order.ranks[place]
            if run.goes_on_at(rank):
                places = order.places[rank : rank + run.window]
                run.window = min(run.window * 2, self._most_ahead)
                return order, places
        self._strays += 1
        for order in self._orders:
            order.runs[kind] = _Run(end=order.ranks[place] + 1)
        return self._orders[0], (place,)

    def _keep(self, key: tuple[str, int], body: bytes) -> None:
        self._held += len(body) - len(self._bodies.pop(key, b""))
        self._bodies[key] = body
        while self._held > self._cache_bytes and self._bodies:
            self._held -= len(self._bodies.pop(next(iter(self._bodies))))


def _checked(answer: tuple[Header, list[bytes]]) -> tuple[Header, list[bytes]]:
    # An honest guest never causes an error: the listing and the generation are the host's own.
    if "error" in answer[0]:
        raise OSError(answer[0]["error"])
    return answer
