"""OpenTelemetry events of scores: one `gen_ai.evaluation.result` for each score that was stored.

The event belongs to the span of the call whose answer was scored, if this process made it, and
names the provider's id of the answer. Explanations can quote prompts and answers, so they are sent
only if the settings say so.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

import structlog

from edison import __version__
from edison.app.call_metrics import CallMetrics
from edison.app.run_tasks import TaskTools
from edison.app.tracing import Tracing
from edison.db.session import Database
from edison.jobs.batch_writer import Committed
from edison.kit.lru_cache import LruCache
from edison.pipeline.generate.outcome import Completion
from edison.pipeline.score.scorer import UNREADABLE
from edison.runs.store.batch import STORE_OUTPUT, STORE_SCORES, STORE_WAVE
from edison.runs.store.repository import Runs
from edison.runs.store.types import NewScore

if TYPE_CHECKING:
    from opentelemetry._logs import Logger
    from opentelemetry.context import Context

log = structlog.get_logger(__name__)

EVENT = "gen_ai.evaluation.result"
_RUNS_KEPT = 500


@asynccontextmanager
async def sending_evaluations(
    tracing: Tracing, tools: TaskTools, calls: CallMetrics, *, is_explained: bool
) -> AsyncIterator[None]:
    """Sends an event for each score that the batch writer commits, if there is a collector."""
    if tracing.events is None:
        yield
        return
    logger = tracing.events.get_logger("edison.scores", __version__)
    events = EvaluationEvents(logger, tools.database, calls, is_explained=is_explained)
    tools.batch_writer.on_committed = events.note
    try:
        yield
    finally:
        tools.batch_writer.on_committed = None
        await events.finish()


class EvaluationEvents:
    """Reads the names of a run's scorers once, after the commit."""

    def __init__(
        self, logger: "Logger", database: Database, calls: CallMetrics, *, is_explained: bool
    ) -> None:
        self._logger = logger
        self._database = database
        self._calls = calls
        self._is_explained = is_explained
        self._names: LruCache[Sequence[str]] = LruCache(_RUNS_KEPT)
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, committed: Iterator[Committed]) -> None:
        scores = [score for each in committed for score in _scores_in(*each)]
        if scores:
            task = asyncio.create_task(self._send(scores))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _send(self, scores: Sequence[NewScore]) -> None:
        try:
            for score in filter(_is_result, scores):
                read = partial(self._read_names, score.run_id)
                names = await self._names.get_or_compute(score.run_id, read)
                self._emit(score, names[score.scorer_position])
        except Exception:  # the scores are stored; only their events are lost
            log.exception("events not sent")

    async def _read_names(self, run_id: UUID) -> Sequence[str]:
        async with self._database.read() as session:
            return [each.label for each in await Runs(session).list_scorers(run_id)]

    def _emit(self, score: NewScore, name: str) -> None:
        from opentelemetry._logs import SeverityNumber

        answer = score.output.answer.outcome
        self._logger.emit(
            timestamp=int(score.created_at.timestamp() * 1e9),
            context=self._context(answer) if isinstance(answer, Completion) else None,
            severity_number=SeverityNumber.INFO,
            event_name=EVENT,
            attributes=attributes_of(score, name, is_explained=self._is_explained),
        )

    def _context(self, answer: Completion) -> "Context | None":
        from opentelemetry.trace import NonRecordingSpan, set_span_in_context

        span = self._calls.find_span(answer)
        return None if span is None else set_span_in_context(NonRecordingSpan(span))


def _scores_in(batch: Any, item: Any, result: Any) -> Sequence[NewScore]:
    """The scores that an item of the batch writer stored."""
    if isinstance(result, Exception):
        return []
    if batch is STORE_SCORES:
        return [score for score, is_stored in zip(item, result, strict=True) if is_stored]
    if batch is STORE_OUTPUT:
        return item.scores if isinstance(result, UUID) else []
    if batch is STORE_WAVE:
        stored = zip(item, result, strict=True)
        return [score for output, id in stored if id is not None for score in output.scores]
    return []


def _is_result(score: NewScore) -> bool:
    """A scorer that does not apply to an answer has no result."""
    return score.scored.value is not None or score.scored.flag in UNREADABLE


def attributes_of(
    score: NewScore, name: str, *, is_explained: bool
) -> dict[str, str | float | int]:
    scored, answer = score.scored, score.output.answer.outcome
    found: dict[str, str | float | int] = {
        "gen_ai.evaluation.name": name,
        "edison.run.id": str(score.run_id),
        "edison.case.position": score.output.case_position,
        "edison.variant.position": score.output.variant_position,
        "edison.repeat": score.output.repeat,
    }
    if scored.flag in UNREADABLE:
        found["error.type"] = str(scored.flag)
    elif scored.value is not None:
        found["gen_ai.evaluation.score.value"] = scored.value
    if scored.is_passed is not None:
        found["gen_ai.evaluation.score.label"] = "pass" if scored.is_passed else "fail"
    if is_explained and scored.rationale is not None:
        found["gen_ai.evaluation.explanation"] = scored.rationale
    if isinstance(answer, Completion) and answer.response_id is not None:
        found["gen_ai.response.id"] = answer.response_id
    return found
