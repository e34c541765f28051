"""A model that plays a script: what a language model might say, without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pydantic_ai import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

Part = TextPart | ToolCallPart
Step = Part | list[Part] | Callable[[str], "Step"]  # the callable gets the text that the model read last


class Playing(FunctionModel):
    """Plays steps in order and repeats the last; `read` is what it was told before each step, `tools` what it saw."""

    def __init__(self, *steps: Step) -> None:
        super().__init__(self._play, model_name="playing")
        self.steps = steps
        self.read: list[str] = []
        self.tools: list[list[str]] = []
        self.instructions: list[str] = []

    async def _play(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.read.append(_text(messages[-1]))
        self.tools.append(sorted(tool.name for tool in info.function_tools))
        self.instructions.append(info.instructions or "")
        step = self.steps[min(len(self.read), len(self.steps)) - 1]
        while callable(step):
            step = step(self.read[-1])
        return ModelResponse(parts=step if isinstance(step, list) else [step])


def search(query: str, **more: Any) -> ToolCallPart:
    return ToolCallPart("analysis_search", {"query": query, **more})


def code(source: str) -> ToolCallPart:
    return ToolCallPart("analysis_execute_code", {"code": source})


def cite(*chunk_ids: str) -> ToolCallPart:
    return ToolCallPart("analysis_cite", {"chunk_ids": list(chunk_ids)})


def cite_first(read: str) -> ToolCallPart:
    """Cite the first hit of the search whose reply was read last."""
    return cite(first_id(read))


def first_id(text: str) -> str:
    found = re.search(r"^\[([0-9a-f]{8})\]", text, re.MULTILINE)
    assert found, text
    return found[1]


def say(text: str) -> TextPart:
    return TextPart(text)


def _text(message: ModelMessage) -> str:
    parts = (ToolReturnPart, UserPromptPart, RetryPromptPart)
    return "\n".join(str(part.content) for part in message.parts if isinstance(part, parts))
