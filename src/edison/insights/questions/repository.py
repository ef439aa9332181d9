"""All SQL of judged questions."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Case
from edison.runs.store.models import Output, RunCase, Score


class AskedCase(NamedTuple):
    """`origin` and `version` are those of the case now; None if it was deleted."""

    case_id: UUID | None
    judged_version: int | None
    version: int | None
    origin: str | None


class QuestionRow(NamedTuple):
    position: int
    output_id: UUID | None
    text: str | None
    human_value: float | None
    inputs: dict[str, Any]
    expected: str | None


class VerdictRow(NamedTuple):
    """A score. `judges` is set for a panel, `criteria` for a single judge."""

    output_id: UUID
    scorer: int
    value: float | None
    flag: str | None
    rationale: str | None
    criteria: dict[str, Any] | None
    judges: dict[str, Any] | None


class QuestionRows:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_cases(
        self, run_id: UUID, positions: Collection[int] | None = None
    ) -> dict[int, AskedCase]:
        """All cases by position, or those at these positions."""
        statement = (
            select(
                RunCase.position, RunCase.case_id, RunCase.case_version, Case.version, Case.origin
            )
            .outerjoin(Case, Case.id == RunCase.case_id)
            .where(RunCase.run_id == run_id)
            .order_by(RunCase.position)
        )
        if positions is not None:
            statement = statement.where(RunCase.position.in_(positions))
        found = await self._session.execute(statement)
        return {row[0]: AskedCase(*row[1:]) for row in found}

    async def find_questions(
        self, run_id: UUID, positions: Collection[int]
    ) -> dict[int, QuestionRow]:
        found = await self._session.execute(
            select(
                RunCase.position,
                Output.id,
                Output.text,
                Output.human_value,
                RunCase.inputs,
                RunCase.expected,
            )
            .outerjoin(
                Output,
                (Output.run_id == RunCase.run_id)
                & (Output.case_position == RunCase.position)
                & (Output.repeat == 0),
            )
            .where(RunCase.run_id == run_id, RunCase.position.in_(positions))
        )
        return {row[0]: QuestionRow(*row) for row in found}

    async def list_verdicts(self, output_ids: Collection[UUID]) -> Sequence[VerdictRow]:
        found = await self._session.execute(
            select(
                Score.output_id,
                Score.scorer_position,
                Score.value,
                Score.flag,
                Score.rationale,
                Score.criteria,
                Score.judges,
            )
            .where(Score.output_id.in_(output_ids))
            .order_by(Score.scorer_position)
        )
        return [VerdictRow(*row) for row in found]
