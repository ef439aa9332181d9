"""Answers with the prompt. Costs nothing and calls nothing."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import ClassVar

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FinishReason,
    Outcome,
    Streamed,
    TextDelta,
    Usage,
)
from edison.pipeline.generate.provider import AvailableModel, Provider
from edison.pipeline.render.prompt import RenderedPrompt, prompt_text


def echo_completion(prompt: RenderedPrompt, *, model: str = "echo") -> Completion:
    """The prompt as an answer; a chat is written as JSON."""
    return Completion(
        text=prompt_text(prompt.system, prompt.messages),
        finish_reason=FinishReason.STOP,
        usage=Usage(input_tokens=0, output_tokens=0),
        model=model,
    )


class Echo(Provider):
    """The prompt is the answer; a chat is written as JSON."""

    title: ClassVar[str] = "Echo"
    is_hidden: ClassVar[bool] = True

    async def complete(self, call: Call) -> Outcome:
        return echo_completion(call.prompt, model=call.model)

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        outcome = await self.complete(call)
        if isinstance(outcome, Completion):
            yield TextDelta(text=outcome.text)
            outcome = replace(outcome, first_token_seconds=0.0)
        yield outcome

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        return [AvailableModel(id="echo")]

    async def check(self) -> CallFailed | None:
        return None
