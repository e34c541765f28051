"""random, secrets and uuid: all chance comes from the entropy that the host gave to the cell."""

from __future__ import annotations

import base64
import random
import uuid
from collections.abc import Sequence
from typing import Any, Final

from ..inputs import ENTROPY

_TOKEN_BYTES: Final = 32  # as in secrets


class Random(random.Random):
    def seed(self, a: Any = None, version: int = 2) -> None:
        super().seed(int.from_bytes(ENTROPY.take(32), "little") if a is None else a, version)


Random.__module__ = "random"
# Its state goes from cell to cell, as that of the module does.
SHARED: Final = Random()


class _Secret(random.Random):
    """Like random.SystemRandom, without the system."""

    def random(self) -> float:
        return int.from_bytes(ENTROPY.take(7), "little") % (1 << 53) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        size = (k + 7) // 8
        return int.from_bytes(ENTROPY.take(size), "little") >> (size * 8 - k)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """It has no state of its own."""


_SECRET: Final = _Secret()


def choice(sequence: Sequence[Any]) -> Any:
    return _SECRET.choice(sequence)


def randbelow(exclusive_upper_bound: int) -> int:
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _SECRET.randrange(exclusive_upper_bound)


def randbits(k: int) -> int:
    return _SECRET.getrandbits(k)


def token_bytes(nbytes: int | None = None) -> bytes:
    if nbytes is not None and nbytes < 0:
        raise ValueError("negative argument not allowed")
    return ENTROPY.take(_TOKEN_BYTES if nbytes is None else nbytes)


def token_hex(nbytes: int | None = None) -> str:
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes: int | None = None) -> str:
    return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")


def uuid4() -> uuid.UUID:
    return uuid.UUID(bytes=ENTROPY.take(16), version=4)


# Every function of random is a method of one hidden instance.
_SHARED_METHODS: Final = """betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits
    getstate lognormvariate normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle
    triangular uniform vonmisesvariate weibullvariate""".split()

RANDOM: Final[dict[str, Any]] = {
    "Random": Random,
    **{name: getattr(SHARED, name) for name in _SHARED_METHODS if hasattr(SHARED, name)},
}
SECRETS: Final[dict[str, Any]] = {
    each.__name__: each for each in (choice, randbelow, randbits, token_bytes, token_hex, token_urlsafe)
}
