"""Gets the answer for a cell and builds the output row."""

import hashlib
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Protocol
from uuid import UUID

from edison.kit import clock, ids
from edison.library.calls.gateway import Ask, Gateway
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, TextDelta
from edison.pipeline.generate.path.call_path import OnText
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.ports import Waiting
from edison.pipeline.generate.path.question import Answer, CacheMode, Restarted, unsent
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.parse import parse
from edison.runs.fill.work import Cell, Work
from edison.runs.store.answers import sent_text, storable
from edison.runs.store.batch import NewOutput
from edison.runs.store.money import permit_of

PURPOSE = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellAnswer:
    """The result of a cell's call. `charged_nanos` is what this run paid, `cost_nanos` the answer's
    cost; they differ in a replay.
    """

    prompt: RenderedPrompt
    answer: Answer
    is_fallback: bool
    charged_nanos: int | None


class Progress(Protocol):
    """Receives whether a call is queued or sent."""

    def waits(self, waiting: Waiting) -> None: ...

    def leaves(self) -> None: ...


class CallOfSeveral(Progress, Protocol):
    def ends(self) -> None: ...


class SeveralCalls(Protocol):
    """Receives the progress of each call of a score or comparison."""

    def begin_call(self) -> CallOfSeveral: ...


class Telling(Protocol):
    """Receives a cell's live text."""

    def hear(self, item: TextDelta | Restarted) -> None: ...

    def restart(self) -> None: ...


class Tells(Protocol):
    def telling(
        self, run_id: UUID, place: tuple[int, int, int]
    ) -> AbstractContextManager[Telling]: ...


class Answerer(Protocol):
    async def answer(self, cell: Cell, progress: Progress) -> CellAnswer: ...


class LiveAnswerer:
    """Calls the models. With `teller`, publishes live text."""

    def __init__(
        self, gateway: Gateway, work: Work, call_group: CallGroup, *, teller: Tells | None = None
    ) -> None:
        self._gateway = gateway
        self._work = work
        self._call_group = call_group
        self._teller = teller

    async def answer(self, cell: Cell, progress: Progress) -> CellAnswer:
        if self._teller is None:
            return await self._answer(cell, progress, None)
        place = (cell.case.position, cell.column.position, cell.repeat)
        with self._teller.telling(self._work.run.id, place) as telling:
            return await self._answer(cell, progress, telling)

    async def _answer(self, cell: Cell, progress: Progress, telling: Telling | None) -> CellAnswer:
        prompt = cell.column.template.render(cell.case.inputs)
        on_text = None if telling is None else telling.hear
        ask = partial(self._ask, cell, prompt=prompt, progress=progress, on_text=on_text)
        answer = await ask(cell.column.model)
        fallback = cell.column.fallback
        is_fallback = isinstance(answer.outcome, CallFailed) and fallback is not None
        if is_fallback:
            if telling is not None:
                telling.restart()
            answer = _together(answer, await ask(fallback))
        return CellAnswer(
            prompt=prompt,
            answer=answer,
            is_fallback=is_fallback and isinstance(answer.outcome, Completion),
            charged_nanos=answer.cost_nanos,
        )

    async def _ask(
        self,
        cell: Cell,
        model: CallableModel | None,
        *,
        prompt: RenderedPrompt,
        progress: Progress,
        on_text: OnText | None,
    ) -> Answer:
        if model is None:
            return unanswered(
                FailureReason.MODEL_NOT_FOUND, "The model was removed from the project."
            )
        is_again = cell.again_id is not None
        return await self._gateway.answer(
            Ask(
                project_id=self._work.project_id,
                model=model,
                prompt=prompt,
                parameters=parameters_of(cell),
                purpose=PURPOSE,
                scope_ids=self._work.scope_ids,
                keep_for=self._work.keep_for,
                cache=CacheMode.BYPASS if is_again else self._work.cache_mode,
                run_id=self._work.run_id,
                permit=permit_of(self._work.run_id),
                call_group=self._call_group,
                on_wait=progress.waits,
                on_leave=progress.leaves,
                on_text=on_text,
                redaction=self._work.redaction,
            )
        )


def parameters_of(cell: Cell) -> Parameters:
    """The cell's parameters. Each repeat has its own seed, and so its own cache key."""
    parameters = cell.column.parameters
    if cell.repeat == 0:
        return parameters
    return replace(parameters, seed=(parameters.seed or 0) + cell.repeat)


def unanswered(reason: FailureReason, message: str) -> Answer:
    return unsent(CallFailed(reason=reason, message=message, is_retryable=False, is_unsent=True))


def _together(first: Answer, second: Answer) -> Answer:
    """The fallback's answer, with attempts, cost and queue time of both calls."""
    costs = (first.cost_nanos, second.cost_nanos)
    return Answer(
        outcome=second.outcome,
        attempts=first.attempts + second.attempts,
        cost_nanos=None if None in costs else sum(cost or 0 for cost in costs),
        usage=second.usage,
        is_cached=second.is_cached,
        waited_seconds=first.waited_seconds + second.waited_seconds,
        price_version=second.price_version,
        cache_key=second.cache_key,
    )


def new_output(work: Work, cell: Cell, got: CellAnswer) -> NewOutput:
    sent = sent_text(got.prompt)
    return NewOutput(
        run_id=work.run_id,
        project_id=work.project_id,
        row=_row(work.run_id, cell, got, digest=hashlib.sha256(sent.encode()).hexdigest()),
        sent=sent,
        charged_nanos=got.charged_nanos,
        is_again=cell.again_id is not None,
    )


def _row(run_id: UUID, cell: Cell, got: CellAnswer, *, digest: str) -> dict[str, Any]:
    answer, outcome = got.answer, got.answer.outcome
    usage = answer.usage
    return {
        "id": cell.again_id or ids.new_id(),
        "run_id": run_id,
        "case_position": cell.case.position,
        "variant_position": cell.column.position,
        "repeat": cell.repeat,
        "is_wanted_again": False,
        "is_cached": answer.is_cached,
        "is_fallback": got.is_fallback,
        "attempts": answer.attempts,
        "cost_nanos": answer.cost_nanos,
        "input_tokens": None if usage is None else usage.input_tokens,
        "output_tokens": None if usage is None else usage.output_tokens,
        "cached_input_tokens": None if usage is None else usage.cached_input_tokens,
        "reasoning_tokens": None if usage is None else usage.reasoning_tokens,
        "waited_seconds": answer.waited_seconds,
        "request_id": outcome.request_id,
        "price_version": answer.price_version,
        "prompt_digest": digest,
        "cache_key": answer.cache_key,
        "created_at": clock.now(),
        **(_failed(outcome) if isinstance(outcome, CallFailed) else _answered(cell, outcome)),
    }


def _failed(failure: CallFailed) -> dict[str, Any]:
    return {
        "status": "error",
        "error": failure.reason,
        "message": failure.message,
        "latency_seconds": None,
        "first_token_seconds": None,
        "finish_reason": None,
        "model": None,
        "text": None,
        "parsed": None,
        "completion": None,
    }


def _answered(cell: Cell, completion: Completion) -> dict[str, Any]:
    parsed = parse(completion.text, cell.column.expected_output)
    return {
        "status": "ok" if parsed.malformed is None else "malformed",
        "error": parsed.malformed,
        "message": None,
        "latency_seconds": completion.latency_seconds,
        "first_token_seconds": completion.first_token_seconds,
        "finish_reason": completion.finish_reason,
        "model": completion.model,
        "text": storable(completion.text),
        "parsed": None if parsed.text is None else storable(parsed.text),
        "completion": {
            "tool_calls": [asdict(call) for call in completion.tool_calls],
            "ignored_parameters": list(completion.ignored_parameters),
            **({"redacted": list(completion.redacted)} if completion.redacted else {}),
        },
    }
