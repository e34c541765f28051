"""What comes from providers, through pydantic-ai: vectors of `openai:text-embedding-3-small`, models that rerank."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from .embed import Identity
from .errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pydantic_ai.embeddings import EmbeddingModel
    from pydantic_ai.models import Model

_BATCH = 64  # texts per request


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    """Where requests run: connections are kept between calls, which come from any thread, and belong to one loop."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="embedding requests", daemon=True).start()
    return loop


class ProviderEmbedder:
    """Vectors from outside: texts and queries are sent to the provider. `model` takes the place of the named one."""

    def __init__(self, identity: Identity, model: EmbeddingModel | None = None):
        self.identity = identity
        self._model = model

    @classmethod
    def called(cls, name: str, model: EmbeddingModel | None = None) -> ProviderEmbedder:
        """The embedder of this name; one short text is embedded to learn the dimension."""
        probe = cls(Identity(name, 1, ""), model)
        return cls(Identity(name, probe.embed(["dimension"]).shape[1], ""), model)

    def serves(self, language: str | None) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors; EmbedderUnavailable says why the provider gave none."""
        import numpy as np
        from pydantic_ai import Embedder
        from pydantic_ai.exceptions import AgentRunError, UserError

        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        found: list[Sequence[float]] = []
        try:
            embedder = Embedder(self._model or self.identity.name)
            for start in range(0, len(texts), _BATCH):
                asked = embedder.embed_documents(list(texts[start : start + _BATCH]))
                found += asyncio.run_coroutine_threadsafe(asked, _loop()).result().embeddings
        except (UserError, AgentRunError, ImportError, ValueError) as error:
            raise EmbedderUnavailable(f"{self.identity.name} gives no vectors: {error}") from error
        vectors = np.array(found, dtype=np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def chat_model(named: str | Model) -> Model:
    """The language model called `provider:name`. Each provider's library raises errors of its own."""
    from pydantic_ai.models import infer_model

    if not isinstance(named, str):
        return named
    provider, _, name = named.partition(":")
    # Servers behind OPENAI_BASE_URL speak OpenAI's chat completions, few of them its newer interface.
    is_compatible = provider == "openai" and os.environ.get("OPENAI_BASE_URL")
    return infer_model(f"openai-chat:{name}" if is_compatible else named)
