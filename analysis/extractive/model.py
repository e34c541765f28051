"""A pydantic-ai model without a language model."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from .question import Question
from .rules import Call, Script, answer

NAME = "extractive"  # shown as the model of an answer: no language model was used


class ExtractiveModel(FunctionModel):
    """Answers by rule, through the same tools and under the same citation rule as any model.

    It keeps no state: what it does next follows from the messages alone.
    """

    def __init__(self) -> None:
        super().__init__(_respond, model_name=NAME)


async def _respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    run = _current_run(messages)
    tools = frozenset(tool.name for tool in info.function_tools)
    step = _play(answer(Question.parse(_question(run)), tools), _returns(run))
    if isinstance(step, str):
        return ModelResponse(parts=[TextPart(step)])
    return ModelResponse(parts=[ToolCallPart(step.tool, dict(step.arguments))])


def _play(script: Script, returns: Sequence[str]) -> Call | str:
    """The script's next step once the tools have returned these texts: it is run again from its start."""
    try:
        call = next(script)
        for text in returns:
            call = script.send(text)
    except StopIteration as stop:
        return str(stop.value)
    return call


def _current_run(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Earlier questions of the conversation belong to other runs."""
    run_id = messages[-1].run_id
    return [message for message in messages if message.run_id == run_id]


def _question(run: list[ModelMessage]) -> str:
    for message in run:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                content = part.content
                return content if isinstance(content, str) else "\n".join(x for x in content if isinstance(x, str))
    return ""


def _returns(run: list[ModelMessage]) -> list[str]:
    return [
        part.model_response_str()
        for message in run
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
