"""Gets the answer for a cell."""

import hashlib
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Protocol
from uuid import UUID

from edison.kit import clock, ids
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, TextDelta
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.path.question import (
    Answer,
    CacheMode,
    CallListener,
    Restarted,
    unsent,
)
from edison.pipeline.generate.providers.echo import echo_completion
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.parse import Parsed, parse
from edison.runs.fill.work import Cell, Work
from edison.runs.store.answers import sent_text
from edison.runs.store.types import CellOutput, NewOutput

PURPOSE = "answer"


class ProgressSink(Protocol):
    """Receives whether a call is queued or sent."""

    def waits(self, waiting: Waiting) -> None: ...

    def leaves(self) -> None: ...


class TrackedCall(ProgressSink, Protocol):
    def ends(self) -> None: ...


class CallTracker(Protocol):
    """Receives the progress of each call of a score or comparison."""

    def begin_call(self) -> TrackedCall: ...


class LiveTextSink(Protocol):
    """Receives a cell's live text."""

    def append(self, item: TextDelta | Restarted) -> None: ...

    def restart(self) -> None: ...


class LiveTextSinks(Protocol):
    def open(
        self, run_id: UUID, place: tuple[int, int, int]
    ) -> AbstractContextManager[LiveTextSink]: ...


class Answerer(Protocol):
    """`wave_context` is that of calls in waves; None if cells are answered one by one."""

    wave_context: CallContext | None

    async def answer(self, cell: Cell, progress: ProgressSink) -> NewOutput: ...


class LiveAnswerer:
    """Calls the models. With `live_text_writer`, publishes live text."""

    def __init__(
        self,
        gateway: Gateway,
        work: Work,
        call_group: CallGroup,
        *,
        live_text_writer: LiveTextSinks | None = None,
    ) -> None:
        self._gateway = gateway
        self._work = work
        self._context = work.call_context(PURPOSE, call_group)
        self._context_again = replace(self._context, cache=CacheMode.BYPASS)
        self._live_text_writer = live_text_writer
        is_plain = live_text_writer is None and self._context.redaction is None
        self.wave_context: CallContext | None = self._context if is_plain else None

    async def answer(self, cell: Cell, progress: ProgressSink) -> NewOutput:
        if self._live_text_writer is None:
            return await self._answer(cell, progress, None)
        place = (cell.case.position, cell.column.position, cell.repeat)
        with self._live_text_writer.open(self._work.run.id, place) as live_text:
            return await self._answer(cell, progress, live_text)

    async def _answer(
        self, cell: Cell, progress: ProgressSink, live_text: LiveTextSink | None
    ) -> NewOutput:
        prompt, failure = render_cell(cell)
        if failure is not None:
            return new_output(self._work, cell, prompt, failure)
        listener = CallListener(
            on_wait=progress.waits,
            on_leave=progress.leaves,
            on_text=None if live_text is None else live_text.append,
        )
        if cell.column.is_echo:
            return new_output(self._work, cell, prompt, _echoed(prompt))
        ask = partial(self._ask, cell, prompt=prompt, listener=listener)
        answer = await ask(cell.column.model)
        fallback = cell.column.fallback
        is_fallback = isinstance(answer.outcome, CallFailed) and fallback is not None
        if is_fallback:
            if live_text is not None:
                live_text.restart()
            answer = _together(answer, await ask(fallback))
        called = fallback if is_fallback else None
        return new_output(self._work, cell, prompt, answer, fallback=called)

    async def _ask(
        self,
        cell: Cell,
        model: CallableModel | None,
        *,
        prompt: RenderedPrompt,
        listener: CallListener,
    ) -> Answer:
        if model is None:
            return unanswered(
                FailureReason.MODEL_NOT_FOUND, "The model was removed from the project."
            )
        return await self._gateway.answer(
            model,
            prompt,
            parameters_of(cell),
            context=self._context if cell.again_id is None else self._context_again,
            listener=listener,
        )


def render_cell(cell: Cell) -> tuple[RenderedPrompt, Answer | None]:
    """The prompt or, if it cannot be rendered, the template and a failure that says why."""
    template = cell.column.template
    try:
        return template.render(cell.case.inputs), None
    except TemplateError as wrong:
        message = f"The prompt cannot be rendered for this case: {wrong}"
        return template.as_written(), unanswered(FailureReason.TEMPLATE, message)


def parameters_of(cell: Cell) -> Parameters:
    """The cell's parameters. Each repeat has its own seed, and so its own cache key."""
    parameters = cell.column.parameters
    return parameters if cell.repeat == 0 else _of_repeat(parameters, cell.repeat)


@lru_cache(maxsize=256)
def _of_repeat(parameters: Parameters, repeat: int) -> Parameters:
    return replace(parameters, seed=(parameters.seed or 0) + repeat)


def _echoed(prompt: RenderedPrompt) -> Answer:
    return Answer(
        outcome=echo_completion(prompt),
        attempts=0,
        cost_nanos=0,
        is_cached=False,
        waited_seconds=0,
        price_version=None,
        cache_key="",
    )


def unanswered(reason: FailureReason, message: str) -> Answer:
    return unsent(CallFailed(reason=reason, message=message, is_retryable=False, is_unsent=True))


def _together(first: Answer, second: Answer) -> Answer:
    """The fallback's answer, with attempts, cost and queue time of both calls."""
    costs = (first.cost_nanos, second.cost_nanos)
    return Answer(
        outcome=second.outcome,
        attempts=first.attempts + second.attempts,
        cost_nanos=None if None in costs else sum(cost or 0 for cost in costs),
        is_cached=second.is_cached,
        waited_seconds=first.waited_seconds + second.waited_seconds,
        price_version=second.price_version,
        cache_key=second.cache_key,
    )


def new_output(
    work: Work,
    cell: Cell,
    prompt: RenderedPrompt,
    answer: Answer,
    *,
    fallback: CallableModel | None = None,
    now: datetime | None = None,
) -> NewOutput:
    """The output of a cell whose prompt got this answer, from `fallback` if that was called. A
    replay pays nothing for it.
    """
    sent, outcome = sent_text(prompt), answer.outcome
    return NewOutput(
        output=CellOutput(
            id=cell.again_id or ids.new_id(),
            run_id=work.run_id,
            case_position=cell.case.position,
            variant_position=cell.column.position,
            repeat=cell.repeat,
            answer=answer,
            parsed=Parsed()
            if isinstance(outcome, CallFailed)
            else parse(outcome.text, cell.column.expected_output),
            is_fallback=fallback is not None and isinstance(outcome, Completion),
            credential=None
            if work.is_replay
            else _credential(fallback or cell.column.model, answer),
            prompt_digest=hashlib.sha256(sent.encode()).hexdigest(),
            created_at=now or clock.now(),
        ),
        project_id=work.project_id,
        sent=sent,
        charged_nanos=0 if work.is_replay else answer.cost_nanos,
        is_again=cell.again_id is not None,
    )


def _credential(model: CallableModel | None, answer: Answer) -> str | None:
    """The label of the credential that was used, or that prevented the call."""
    outcome = answer.outcome
    is_refused = isinstance(outcome, CallFailed) and outcome.reason is not FailureReason.TEMPLATE
    return model.credential.label if model and (answer.attempts or is_refused) else None
