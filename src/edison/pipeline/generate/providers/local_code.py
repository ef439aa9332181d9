"""Asks a function of this process, see `local_functions`. A server has none: calls fail there."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import ClassVar

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.local_functions import find_function
from edison.pipeline.generate.outcome import (
    Billed,
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
    Streamed,
    TextDelta,
)
from edison.pipeline.generate.provider import AvailableModel, Provider
from edison.pipeline.render.prompt import prompt_text

_ELSEWHERE = "This code runs only in the command line, with `edison eval`."


class LocalCode(Provider):
    """Commands and Python functions of an evaluation's configuration."""

    title: ClassVar[str] = "Code on this machine"
    is_hidden: ClassVar[bool] = True

    async def complete(self, call: Call) -> Outcome:
        function = find_function(call.model)
        if function is None:
            return _failed(FailureReason.MODEL_NOT_FOUND, _ELSEWHERE)
        begun = time.monotonic()
        try:
            async with asyncio.timeout(call.timeout_seconds):
                answer = await function(prompt_text(call.prompt.system, call.prompt.messages))
        except TimeoutError:
            message = f"No answer within {call.timeout_seconds:g} seconds."
            return _failed(FailureReason.TIMEOUT, message)
        if answer.text is None:
            return _failed(FailureReason.PROVIDER, answer.error or "The code gave no answer.")
        return Completion(
            text=answer.text,
            finish_reason=FinishReason.STOP,
            usage=answer.usage,
            model=call.model,
            latency_seconds=time.monotonic() - begun,
        )

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        outcome = await self.complete(call)
        if isinstance(outcome, Completion):
            yield TextDelta(text=outcome.text)
        yield outcome

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        return []

    async def check(self) -> CallFailed | None:
        return None


def _failed(reason: FailureReason, message: str) -> CallFailed:
    return CallFailed(reason=reason, message=message, is_retryable=False, billed=Billed.NOTHING)
