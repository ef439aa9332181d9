"""All SQL about iterations."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Select, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.states import ACTIVE, DRIVEN, OVER, IterationState
from edison.runs.store.models import Output, Run, RunCase, Score

Blocking = aliased(Score)

_SORTING = Sorting(columns={"number": Iteration.number}, default="-number", id=Iteration.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Cost and tokens of an iteration's runs so far."""

    cost_nanos: int
    tokens: int


class Iterations:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of(self, experiment_ids: Collection[UUID]) -> Sequence[tuple[Iteration, Spent]]:
        """Iterations of several experiments, ordered by experiment and number."""
        statement = _with_runs().where(Iteration.experiment_id.in_(experiment_ids))
        found = await self._session.execute(
            statement.order_by(Iteration.experiment_id, Iteration.number).execution_options(
                populate_existing=True
            )
        )
        return [_spent(row) for row in found]

    async def page_of(
        self, experiment_id: UUID, *, page: PageRequest
    ) -> Slice[tuple[Iteration, Spent]]:
        statement = _with_runs().where(Iteration.experiment_id == experiment_id)
        found = await paginate(self._session, statement, page=page, sorting=_SORTING)
        return found.with_items([_spent(row) for row in found.items])

    async def get(self, experiment_id: UUID, iteration_id: UUID) -> tuple[Iteration, Spent]:
        statement = _with_runs().where(
            Iteration.experiment_id == experiment_id, Iteration.id == iteration_id
        )
        found = await self._session.execute(statement.execution_options(populate_existing=True))
        row = found.one_or_none()
        if row is None:
            raise NotFound("There is no such iteration of this experiment.")
        return _spent(row)

    async def find(self, iteration_id: UUID, *, is_locked: bool = False) -> Iteration | None:
        statement = select(Iteration).where(Iteration.id == iteration_id)
        if is_locked:
            statement = statement.with_for_update()
        return await self._session.scalar(statement.execution_options(populate_existing=True))

    async def list_run_ids(self, project_id: UUID) -> Sequence[UUID]:
        found = await self._session.execute(
            select(Iteration.run_id, Iteration.holdout_run_id, Iteration.trial_run_id)
            .join(Experiment, Experiment.id == Iteration.experiment_id)
            .where(Experiment.project_id == project_id)
        )
        return [run_id for row in found for run_id in row if run_id is not None]

    async def find_of_run(self, run_id: UUID) -> tuple[UUID, UUID] | None:
        """The active iteration that a run belongs to, with its project."""
        row = (
            await self._session.execute(
                select(Iteration.id, Experiment.project_id)
                .join(Experiment, Experiment.id == Iteration.experiment_id)
                .where(
                    or_(
                        Iteration.run_id == run_id,
                        Iteration.holdout_run_id == run_id,
                        Iteration.trial_run_id == run_id,
                    ),
                    Iteration.state.in_(ACTIVE),
                )
            )
        ).first()
        return None if row is None else (row[0], row[1])

    async def has_ended_with(self, run_id: UUID) -> bool:
        """Whether the run belongs to an iteration that has ended."""
        statement = select(Iteration.id).where(
            or_(Iteration.run_id == run_id, Iteration.holdout_run_id == run_id),
            Iteration.state.in_(OVER),
        )
        return await self._session.scalar(statement) is not None

    async def add(self, iteration: Iteration) -> None:
        self._session.add(iteration)
        await self._session.flush()

    async def change_state(
        self,
        iteration_id: UUID,
        old: IterationState,
        new: IterationState,
        values: dict[str, Any],
    ) -> Iteration | None:
        """None if it is no longer in the old state."""
        return await self._session.scalar(
            update(Iteration)
            .where(Iteration.id == iteration_id, Iteration.state == old)
            .values(state=new, **values)
            .returning(Iteration)
            .execution_options(populate_existing=True)
        )

    async def change(self, iteration_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(Iteration)
            .where(Iteration.id == iteration_id)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def claim(self, iteration_id: UUID, *, process_id: UUID) -> Iteration | None:
        """Claims the iteration for refining. None if it is claimed or not in REFINING."""
        return await self._session.scalar(
            update(Iteration)
            .where(
                Iteration.id == iteration_id,
                Iteration.state == IterationState.REFINING,
                or_(Iteration.process_id.is_(None), Iteration.process_id == process_id),
            )
            .values(process_id=process_id)
            .returning(Iteration)
            .execution_options(populate_existing=True)
        )

    async def release(self, iteration_id: UUID, *, process_id: UUID) -> None:
        await self._session.execute(
            update(Iteration)
            .where(Iteration.id == iteration_id, Iteration.process_id == process_id)
            .values(process_id=None)
            .execution_options(synchronize_session=False)
        )

    async def list_refined(self, ids: Collection[UUID]) -> set[UUID]:
        """The iterations that a process is refining."""
        found = await self._session.scalars(
            select(Iteration.id).where(
                Iteration.id.in_(ids),
                Iteration.state == IterationState.REFINING,
                Iteration.process_id.is_not(None),
            )
        )
        return set(found.all())

    async def list_driven(self) -> Sequence[tuple[Iteration, UUID]]:
        """Iterations that need a job, with their projects; without those claimed by a process."""
        found = await self._session.execute(
            select(Iteration, Experiment.project_id)
            .join(Experiment, Experiment.id == Iteration.experiment_id)
            .where(Iteration.state.in_(DRIVEN), Iteration.process_id.is_(None))
            .order_by(Iteration.id)
        )
        return [(iteration, project_id) for iteration, project_id in found]

    async def count_active(self, project_id: UUID) -> int:
        """Running and paused iterations; those in review do not count."""
        found = await self._session.scalar(
            select(func.count())
            .select_from(Iteration)
            .join(Experiment, Experiment.id == Iteration.experiment_id)
            .where(Experiment.project_id == project_id, Iteration.state.in_(DRIVEN))
        )
        return found or 0

    async def list_worst(
        self, run_id: UUID, *, scorer: int, limit: int
    ) -> Sequence[tuple[Output, Score, RunCase]]:
        """The answers with the lowest scores of one scorer, with their cases. Leaves out answers
        flagged by a safety check, which must not be sent to models.
        """
        found = await self._session.execute(
            select(Output, Score, RunCase)
            .join(Score, (Score.output_id == Output.id) & (Score.scorer_position == scorer))
            .join(
                RunCase,
                (RunCase.run_id == Output.run_id) & (RunCase.position == Output.case_position),
            )
            .where(
                Output.run_id == run_id,
                Score.value.is_not(None),
                ~exists().where(Blocking.output_id == Output.id, Blocking.flag == "blocked"),
            )
            .order_by(Score.value, Output.case_position, Output.variant_position)
            .limit(limit)
        )
        return [(output, score, case) for output, score, case in found]

    async def list_cases(self, run_id: UUID, *, limit: int) -> Sequence[RunCase]:
        """The first cases of a run, by position."""
        found = await self._session.scalars(
            select(RunCase).where(RunCase.run_id == run_id).order_by(RunCase.position).limit(limit)
        )
        return found.all()

    async def find_runs(self, run_ids: Collection[UUID]) -> Sequence[Run]:
        found = await self._session.scalars(
            select(Run).where(Run.id.in_(run_ids)).execution_options(populate_existing=True)
        )
        return found.all()


@cache
def _with_runs() -> Select[*tuple[Any, ...]]:
    train, holdout = aliased(Run), aliased(Run)
    costs = func.coalesce(train.cost_nanos, 0) + func.coalesce(holdout.cost_nanos, 0)
    tokens = sum(
        (
            func.coalesce(run.input_tokens, 0) + func.coalesce(run.output_tokens, 0)
            for run in (train, holdout)
        ),
        start=func.coalesce(0, 0),
    )
    return (
        select(Iteration, costs.label("cost_nanos"), tokens.label("tokens"))
        .outerjoin(train, train.id == Iteration.run_id)
        .outerjoin(holdout, holdout.id == Iteration.holdout_run_id)
    )


def _spent(row: Sequence[Any]) -> tuple[Iteration, Spent]:
    iteration, cost_nanos, tokens = row
    return iteration, Spent(cost_nanos=int(cost_nanos), tokens=int(tokens))
