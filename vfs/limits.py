"""How much memory reading files may take."""

from __future__ import annotations

from dataclasses import dataclass

MOST_READAHEAD = 4096  # documents


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The bounds of one session. Raises ValueError for those that cannot be kept."""

    batch_bytes: int = 4 << 20  # of one reply, in the service and on its way; a single larger file goes out whole
    cache_bytes: int = 32 << 20  # of files that the worker keeps; the oldest go first
    readahead: int = 512  # documents that a worker asks for at once when it reads in order

    def __post_init__(self) -> None:
        if not 1 <= self.readahead <= MOST_READAHEAD:
            raise ValueError(f"readahead is {self.readahead}: it must be from 1 to {MOST_READAHEAD} documents")
        if not 1 <= self.batch_bytes <= self.cache_bytes:
            raise ValueError(
                f"a batch of {self.batch_bytes:,} bytes: it must have at least 1, and fit into the cache"
                f" of {self.cache_bytes:,}"
            )
