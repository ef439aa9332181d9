"""Replays a run from the stored answers of another run. No model is called."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import FailureReason
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.runs.fill.answers import CellAnswer, Progress, SeveralCalls, unanswered
from edison.runs.fill.scores import digest_of_question
from edison.runs.fill.work import Cell
from edison.runs.store.answers import answer_of, unpack
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.models import Output, RunChunk
from edison.runs.store.outputs import Reading

_NOT_STORED = "The run that is replayed has no answer to this."


class StoredAnswers:
    """Outputs of the same chunk in the original run."""

    def __init__(self, outputs: Mapping[tuple[int, int, int], Output]) -> None:
        self._outputs = outputs

    @classmethod
    async def load(cls, session: AsyncSession, run_id: UUID, chunk: RunChunk) -> "StoredAnswers":
        found = await Reading(session).list_outputs(
            run_id, chunk.first_position, chunk.end_position
        )
        return cls(
            {(each.case_position, each.variant_position, each.repeat): each for each in found}
        )

    async def answer(self, cell: Cell, progress: Progress) -> CellAnswer:
        stored = self._outputs.get((cell.case.position, cell.column.position, cell.repeat))
        answer = (
            unanswered(FailureReason.PROVIDER, _NOT_STORED) if stored is None else answer_of(stored)
        )
        return CellAnswer(
            prompt=cell.column.template.render(cell.case.inputs),
            answer=answer,
            is_fallback=stored is not None and stored.is_fallback,
            charged_nanos=0,
        )


class StoredJudges:
    """Judges' answers of the original run, by the digest of the question."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers

    @classmethod
    async def load(cls, session: AsyncSession, run_id: UUID, chunk: RunChunk) -> "StoredJudges":
        reading = Reading(session)
        outputs = await reading.list_outputs(run_id, chunk.first_position, chunk.end_position)
        scores = await reading.list_scores([output.id for output in outputs])
        compared = await Comparisons(session).list_answers(
            run_id, chunk.first_position, chunk.end_position
        )
        kept = [score.answers or {} for score in scores] + list(compared)
        return cls({asked: unpack(packed) for answers in kept for asked, packed in answers.items()})

    def reporting_to(self, progress: SeveralCalls) -> "StoredJudges":
        """No calls, so nothing to report."""
        return self

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        stored = self._answers.get(digest_of_question(model_id, prompt, parameters))
        return stored or unanswered(FailureReason.PROVIDER, _NOT_STORED)
