"""For tests only: returns a fixed list of answers in order and records its calls."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import ClassVar

from pydantic import Field, PrivateAttr

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


class ScriptExhausted(AssertionError):
    """A test made more calls than the script has answers."""


class Scripted(Provider):
    """A list of fixed answers instead of a model."""

    title: ClassVar[str] = "Script"
    is_simulated: ClassVar[bool] = True
    is_hidden: ClassVar[bool] = True

    answers: tuple[str | Completion | CallFailed, ...] = Field(default=(), title="Answers")
    is_repeated: bool = Field(default=False, title="Begin again after the last answer")
    delay_seconds: float = Field(default=0, ge=0, title="Delay before each answer")

    _calls: list[Call] = PrivateAttr(default_factory=list)

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(self._calls)

    async def complete(self, call: Call) -> Outcome:
        turn = len(self._calls)
        self._calls.append(call)
        # Yields to other tasks even without a delay, as a real provider does.
        await asyncio.sleep(self.delay_seconds)
        if self.is_repeated and self.answers:
            turn %= len(self.answers)
        if turn >= len(self.answers):
            raise ScriptExhausted(f"Call {turn + 1}, but only {len(self.answers)} answers.")
        answer = self.answers[turn]
        if not isinstance(answer, str):
            return answer
        return Completion(
            text=answer,
            finish_reason=FinishReason.STOP,
            usage=_counted(call, answer),
            model=call.model,
            ignored_parameters=call.sendable()[1],
            latency_seconds=self.delay_seconds,
        )

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        """Streams word by word."""
        outcome = await self.complete(call)
        if isinstance(outcome, Completion):
            for word in re.findall(r"\S+\s*|\s+", outcome.text):
                yield TextDelta(text=word)
            outcome = replace(outcome, first_token_seconds=outcome.latency_seconds)
        yield outcome

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        return [AvailableModel(id="scripted")]

    async def check(self) -> CallFailed | None:
        return None


def _counted(call: Call, answer: str) -> Usage:
    """Counts words as tokens, so that tests can count by hand."""
    asked = [call.prompt.system or "", *(message.text for message in call.prompt.messages)]
    return Usage(
        input_tokens=sum(len(text.split()) for text in asked), output_tokens=len(answer.split())
    )
