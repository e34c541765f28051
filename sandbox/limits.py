"""Every limit of a session, each with its unit; the messages that report one show its number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    wall_s: float = 60.0  # seconds a cell may run, waiting included
    memory_mb: int = 512  # address space of a worker, MiB
    output_chars: int = 12_000  # characters of a cell's output that are shown; more is cut with a marker
    kept_output_chars: int = 10_000_000  # characters of a cell's output kept in `_out[n]`; printing past it is an error
    host_calls: int = 1_000  # awaited host functions per cell
    file_requests: int = 1_000_000  # requests of the file system per cell; each file of 200,000 documents, unbatched
    argument_bytes: int = 1 << 20  # arguments of one host call, as JSON
    read_bytes: int = 4 << 30  # bytes of files delivered per cell
    rebuild_s: float = 30.0  # seconds that running the cells of a session again may take
    checkpoint_s: float = 2.0  # a cell that took longer than this keeps its plain data, so as not to be run again
    checkpoint_mb: int = 64  # the largest such checkpoint, MiB; of a larger one nothing is kept
    journal_mb: int = 64  # what is kept of a session to run its cells again, MiB
    start_s: float = 10.0  # seconds a new worker may take until it is ready
    frame_bytes: int = 8 << 20  # the largest frame accepted from a worker
