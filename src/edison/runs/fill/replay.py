"""Replays a run from the stored answers of another run. No model is called."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.fast_frozen import changed
from edison.library.calls.gateway import CallContext
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import FailureReason
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.runs.fill.answers import CallTracker, ProgressSink, new_output, render_cell, unanswered
from edison.runs.fill.scores import digest_of_question
from edison.runs.fill.work import Cell, Work
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.models import RunChunk
from edison.runs.store.outputs import Outputs
from edison.runs.store.rows import restore_output
from edison.runs.store.types import CellOutput, NewOutput

_NOT_STORED = "The run that is replayed has no answer to this."


class StoredAnswers:
    """Outputs of the same chunk in the original run."""

    wave_context: CallContext | None = None

    def __init__(self, work: Work, outputs: Mapping[tuple[int, int, int], CellOutput]) -> None:
        self._work = work
        self._outputs = outputs

    @classmethod
    async def load(cls, session: AsyncSession, run_id: UUID, work: Work) -> "StoredAnswers":
        chunk = work.chunk
        found = await Outputs(session).list_outputs(
            run_id, chunk.first_position, chunk.end_position
        )
        return cls(
            work,
            {
                (each.case_position, each.variant_position, each.repeat): restore_output(each)
                for each in found
            },
        )

    async def answer(self, cell: Cell, progress: ProgressSink) -> NewOutput:
        prompt, failure = render_cell(cell)
        if failure is not None:
            return new_output(self._work, cell, prompt, failure)
        stored = self._outputs.get((cell.case.position, cell.column.position, cell.repeat))
        if stored is None:
            missing = unanswered(FailureReason.PROVIDER, _NOT_STORED)
            return new_output(self._work, cell, prompt, missing)
        new = new_output(self._work, cell, prompt, stored.answer)
        return changed(new, output=changed(new.output, is_fallback=stored.is_fallback))


class StoredJudges:
    """Judges' answers of the original run, by the digest of the question."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers

    @classmethod
    async def load(cls, session: AsyncSession, run_id: UUID, chunk: RunChunk) -> "StoredJudges":
        first, end = chunk.first_position, chunk.end_position
        scored = await Outputs(session).list_answers(run_id, first, end)
        return cls(scored | await Comparisons(session).list_answers(run_id, first, end))

    def reporting_to(self, progress: CallTracker) -> "StoredJudges":
        """No calls, so nothing to report."""
        return self

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        stored = self._answers.get(digest_of_question(model_id, prompt, parameters))
        return stored or unanswered(FailureReason.PROVIDER, _NOT_STORED)
