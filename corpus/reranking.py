"""Rerankers: what reads the best passages together with the query and puts them in order. There is none by default."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from .errors import RerankerUnavailable

if TYPE_CHECKING:
    from pydantic_ai.models import Model

READ = 30  # of the best passages, which a reranker is given at once
SHOWN_CHARS = 1_500  # of each passage, to a language model
_TIMEOUT_S = 60.0  # for a language model's order
_TOLD_CHARS = 300  # of a provider's error
_RETRIES = 2  # when what it answers is no order


@runtime_checkable
class Reranker(Protocol):
    async def scores(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        """How well each passage fits the query: one finite number for each, higher is better, on any scale.

        A passage begins with a line of its document's title and headings. Equal scores keep the order given.
        """
        ...


class ModelReranker:
    """A language model that puts passages in order, through pydantic-ai. It is sent the query and the passages."""

    def __init__(self, model: str | Model):
        self._model = model

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """Minus the place of each passage in the model's order; those that it leaves out come last, as they were."""
        from pydantic_ai import Agent
        from pydantic_ai.exceptions import AgentRunError, UserError

        from ..instructions import load
        from .providers import chat_model

        try:
            model = chat_model(self._model)
        except Exception as error:  # boundary: each provider's library raises its own kinds, for a missing key say
            raise self._unavailable(error) from error
        agent = Agent(model, output_type=list[int], instructions=load("rerank"), retries=_RETRIES)
        try:
            asked = _question(query, passages)
            order = (await agent.run(asked, model_settings={"timeout": _TIMEOUT_S})).output
        except (UserError, AgentRunError) as error:
            raise self._unavailable(error) from error
        named = dict.fromkeys(number - 1 for number in order if 1 <= number <= len(passages))
        places = {index: place for place, index in enumerate(dict.fromkeys([*named, *range(len(passages))]))}
        return [-float(places[index]) for index in range(len(passages))]

    def _unavailable(self, error: Exception) -> RerankerUnavailable:
        name = self._model if isinstance(self._model, str) else self._model.model_name
        told = " ".join(str(error).split())[:_TOLD_CHARS]
        return RerankerUnavailable(
            f"the reranker {name} gives no order: {told}; put that right, or search without a reranker"
        )


def reranker(given: str | Reranker | None) -> Reranker | None:
    """The reranker itself, or a language model's called `provider:model`; RerankerUnavailable."""
    if given is None or not isinstance(given, str):
        return given
    if ":" not in given:
        raise RerankerUnavailable(
            f"no reranker {given!r}: name a language model as provider:model, such as openai:gpt-5-mini"
        )
    return ModelReranker(given)


async def order(reranker: Reranker, query: str, passages: Sequence[str]) -> list[int]:
    """The indices of the passages, best first; RerankerUnavailable for scores that are none."""
    scores = [float(score) for score in await reranker.scores(query, passages)]
    if len(scores) != len(passages) or not all(map(math.isfinite, scores)):
        raise RerankerUnavailable(
            f"the reranker {type(reranker).__name__} gave {len(scores)} scores for {len(passages)} passages,"
            " or some that are not finite: it has to give one number for each"
        )
    return sorted(range(len(passages)), key=lambda index: -scores[index])


def _question(query: str, passages: Sequence[str]) -> str:
    """Lines of passages stand behind `> `, so that none can pass for another passage or for us."""
    told = [f"[{number}]\n{_quoted(passage[:SHOWN_CHARS])}" for number, passage in enumerate(passages, 1)]
    return "\n\n".join([f"Query:\n{_quoted(query)}", *told])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())
