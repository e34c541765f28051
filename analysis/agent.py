"""`ask`: one question to one corpus, with any pydantic-ai model or with none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelMessage,
    UsageLimits,
    UserContent,
    UserPromptPart,
    capture_run_messages,
)
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    UsageLimitExceeded,
    UserError,
)
from pydantic_ai.models import Model

from ..corpus.providers import chat_model
from .capability import MAX_CALLS, AnalysisCapability
from .errors import CitationMissing, ImageUnusable, ModelError
from .looking import image
from .results import Answer
from .text import one_line
from .tools import FILE_LIMITS

if TYPE_CHECKING:
    from ..corpus import Corpus, Hook, Reranker, Scope
    from ..sandbox import Sandbox
    from ..vfs import FileLimits

OUTPUT_RETRIES = 3  # times that a draft is sent back before the run is an error
REQUESTS = 80  # model requests per question
_NOT_OF_CONTENT = (401, 402, 403, 404, 408, 429)  # HTTP status codes that a request without pictures would get too
_ADVICE = re.compile(r" (?:Consider raising|To try Pydantic AI|See https?://).*", re.DOTALL)
BLIND = "The model's server takes no pictures: it was shown their captions only."
WITHOUT_MODEL = "No language model was used: the built-in answerer chose passages and ran programs by rule."


async def ask(
    question: str,
    *,
    corpus: str | Path | Corpus,
    model: str | Model | None = None,
    sandbox: Sandbox | None = None,
    scope: Scope | None = None,
    max_calls: int = MAX_CALLS,
    files: FileLimits = FILE_LIMITS,
    images: Sequence[str | Path] = (),
    pictures: bool = True,
    hooks: Sequence[str | Hook] = (),
    reranker: str | Reranker | None = None,
) -> Answer:
    """Answer a question from a corpus, with citations, or refuse.

    `model` is `provider:name`, a pydantic-ai model, or None for the built-in answerer that needs no language model.
    `scope` limits what exists; None is the whole corpus. `sandbox` is a started one to share; without it one is started
    for this question. `files` bounds the memory that reading ahead takes. `images` are files that belong to the
    question; `pictures`: whether the model is shown those that are found. `hooks` and `reranker` are those
    with which a folder is opened; a `Corpus` has its own. Raises `CitationMissing` when the model would
    not cite, `ModelError` when it cannot be used, `ImageUnusable` for an image, and the corpus's own errors.
    """
    if images and model is None:
        raise ImageUnusable("the built-in answerer does not see images: name a language model that does (--model)")
    shown = [await image(path) for path in images]
    prompt = [question, *(BinaryContent(each.data, media_type=each.media_type) for each in shown)]
    answers: list[Answer] = []
    capability = AnalysisCapability(corpus, sandbox, scope, max_calls, on_answer=answers.append, files=files)
    seeing = pictures and model is not None
    capability = replace(capability, pictures=seeing, hooks=hooks, reranker=reranker)
    chosen = _model(model)
    name = model if isinstance(model, str) else chosen.model_name
    try:
        blind = await _run(chosen, capability, prompt if shown else question)
    except CitationMissing:
        raise
    except UsageLimitExceeded as error:
        raise ModelError(f"the model {name} came to no answer within {REQUESTS} requests") from error
    except (AgentRunError, UserError) as error:
        raise ModelError(_sentence(name, error)) from error
    notes = [answers[-1].note, BLIND if blind else "", WITHOUT_MODEL if model is None else ""]
    return replace(answers[-1], model=name, note=" ".join(filter(None, notes)))


async def _run(model: Model, capability: AnalysisCapability, prompt: str | Sequence[UserContent]) -> bool:
    """Answer; once more without the pictures that were found if the model's server refuses them. Whether it did."""
    limits = UsageLimits(request_limit=REQUESTS)
    for seeing in (capability, replace(capability, pictures=False)):
        agent = Agent(model, capabilities=[seeing], retries={"tools": 3, "output": OUTPUT_RETRIES})
        with capture_run_messages() as messages:
            try:
                await agent.run(prompt, usage_limits=limits)
                return seeing is not capability
            except ModelHTTPError as error:
                if error.status_code in _NOT_OF_CONTENT or not _has_shown(messages):
                    raise
    raise AssertionError("the second run has shown no picture")


def _has_shown(messages: Sequence[ModelMessage]) -> bool:
    """Whether a tool has returned a picture: what comes after the question is not the user's."""
    parts = [part for message in messages[1:] for part in message.parts if isinstance(part, UserPromptPart)]
    return any(isinstance(each, BinaryContent) for part in parts for each in part.content)


def _model(model: str | Model | None) -> Model:
    if isinstance(model, Model):
        return model
    if model is None:
        from .extractive import ExtractiveModel  # needs the corpus's terms; not for those who bring a model

        return ExtractiveModel()
    if ":" not in model:
        raise ModelError(f"unknown model {model!r}: write provider:name, such as openai:gpt-5 or ollama:qwen3")
    try:
        return chat_model(model)
    except Exception as error:  # boundary: each provider's library raises its own kinds, for a missing key say
        raise ModelError(f"the model {model} cannot be used: {_detail(error, 500)}") from error


def _sentence(name: str, error: Exception) -> str:
    """What went wrong with a model and how to go on, in one sentence."""
    detail = _detail(error, 300)
    match error:
        case ModelAuthenticationError():
            return f"the provider of {name} refused the key; set the provider's API key in the environment ({detail})"
        case ModelNotFoundError():
            return f"the provider does not know the model {name}; check its name ({detail})"
        case ModelConnectionError():
            return f"the server of {name} cannot be reached; check the network and the base URL ({detail})"
        case ModelHTTPError(status_code=status):
            return f"the server of {name} answered with HTTP {status}; try again or choose another model ({detail})"
        case ModelAPIError():
            return f"the provider of {name} failed; try again or choose another model ({detail})"
        case _:
            return f"the model {name} gave no usable answer: {detail}"


def _detail(error: Exception, limit: int) -> str:
    """A library's message, without its advice to the programmer who calls it."""
    return one_line(_ADVICE.sub("", str(error)), limit)
