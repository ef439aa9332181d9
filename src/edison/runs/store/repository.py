"""All SQL about whole runs: lists, reads, state changes."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Select,
    Table,
    Text,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.db.membership import is_among
from edison.db.prepared import Prepared, PreparedEntities
from edison.kit.errors import NotFound
from edison.library.datasets.models import Case
from edison.library.scorers.models import ScorerVersion
from edison.runs.store.models import Run, RunCase, RunChunk, RunComparer, RunScorer, RunVariant
from edison.runs.store.schemas import RunFilter
from edison.runs.store.states import ACTIVE, OVER, WORKING, RunState
from edison.workspace.accounts.models import User

_SORTING = Sorting(
    columns={"created_at": Run.created_at, "name": Run.name, "cost": Run.cost_nanos},
    default="-created_at",
    id=Run.id,
)

_RUNS = cast(Table, Run.__table__)
_ADD_COSTS = Prepared(
    lambda _: (
        update(_RUNS)
        .where(_RUNS.c.id == bindparam("of_run"))
        .values(
            cost_nanos=_RUNS.c.cost_nanos + bindparam("add_cost", type_=BigInteger()),
            unconfirmed_nanos=_RUNS.c.unconfirmed_nanos
            + bindparam("add_unconfirmed", type_=BigInteger()),
        )
    )
)
_RUN = select(_RUNS).where(_RUNS.c.id == bindparam("of_run"))
_FIND = PreparedEntities(Run, lambda _: _RUN)
_LOCK = PreparedEntities(Run, lambda _: _RUN.with_for_update())
_VARIANTS = PreparedEntities(RunVariant, lambda _: parts_of_run(RunVariant))
_SCORERS = PreparedEntities(RunScorer, lambda _: parts_of_run(RunScorer))
_CASES = cast(Table, RunCase.__table__)
_ADD_CASES = Prepared(lambda _: insert(_CASES), columns=[column.name for column in _CASES.columns])
# Columns with the same name in a run's case and in that of its dataset.
_COPIED = ("split", "difficulty", "tags", "expected", "inputs")
# Rows that are written in one go: a few milliseconds of the event loop.
_CASES_AT_ONCE = 500
_WORKING = Prepared(
    lambda dialect: select(Run.id).where(
        is_among(dialect, Run.id, "run_ids"), or_(*(Run.state == each for each in WORKING))
    )
)


def parts_of_run(entity: type[RunVariant | RunScorer | RunComparer]) -> Select[Any]:
    """A prepared statement: those of the run `of_run`, by position."""
    table = cast(Table, entity.__table__)
    return select(table).where(table.c.run_id == bindparam("of_run")).order_by(table.c.position)


FACTS_AT_ONCE = 500


class Runs:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(
        self,
        run: dict[str, Any],
        *,
        variants: Sequence[dict[str, Any]],
        scorers: Sequence[dict[str, Any]],
        cases: Sequence[dict[str, Any]],
        chunks: Sequence[dict[str, Any]],
    ) -> bool:
        """Inserts the run. False if another active run holds its lock. `cases` have all columns."""
        try:
            async with self._session.begin_nested():
                await self._session.execute(insert(Run), run)
        except IntegrityError:
            if run["lock_key"] is None:
                raise
            return False
        for table, rows in (
            (RunVariant, variants),
            (RunScorer, scorers),
            (RunChunk, chunks),
        ):
            if rows:
                await self._session.execute(insert(table), rows)
        for first in range(0, len(cases), _CASES_AT_ONCE):
            await _ADD_CASES.run(self._session, cases[first : first + _CASES_AT_ONCE])
            await asyncio.sleep(0)
        return True

    async def copy_cases(self, run_id: UUID, chosen: Select[Case]) -> None:
        """Copies the selected cases of a dataset into the run, in their order."""
        columns: dict[str, Any] = {
            "run_id": literal(run_id, RunCase.run_id.type),
            "position": func.row_number().over(order_by=Case.position) - 1,
            "case_id": Case.id,
            "case_version": Case.version,
            **{name: getattr(Case, name) for name in _COPIED},
        }
        rows = chosen.with_only_columns(*columns.values())
        await self._session.execute(insert(RunCase).from_select(list(columns), rows))

    async def find_holder(self, lock_name: str | None) -> UUID | None:
        """The active run that holds the lock."""
        return await self._session.scalar(select(Run.id).where(Run.lock_key == lock_name))

    async def list_of_project(
        self, project_id: UUID, *, wanted: RunFilter, page: PageRequest
    ) -> Slice[tuple[Run, str | None, str | None]]:
        """Runs with the email and name of their authors."""
        statement = (
            select(Run, User.email, User.name)
            .outerjoin(User, User.id == Run.author_id)
            .where(Run.project_id == project_id)
        )
        if page.q is not None:
            statement = statement.where(contains(Run.name, page.q))
        for own, value in (
            (Run.state, wanted.state),
            (Run.origin, wanted.origin),
            (Run.dataset_id, wanted.dataset_id),
            (Run.author_id, wanted.author_id),
        ):
            if value is not None:
                statement = statement.where(own == value)
        if wanted.status != "all":
            is_archived = Run.archived_at.is_not(None)
            statement = statement.where(
                is_archived if wanted.status == "archived" else ~is_archived
            )
        if wanted.is_active is not None:
            is_active = Run.state.in_(ACTIVE)
            statement = statement.where(is_active if wanted.is_active else ~is_active)
        for column, value in (
            (RunVariant.prompt_id, wanted.prompt_id),
            (RunVariant.model_id, wanted.model_id),
        ):
            if value is not None:
                statement = statement.where(
                    exists().where(RunVariant.run_id == Run.id, column == value)
                )
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def get(self, project_id: UUID, run_id: UUID) -> Run:
        found = await self._session.scalar(
            select(Run)
            .where(Run.project_id == project_id, Run.id == run_id)
            .execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound("There is no such run.")
        return found

    async def find_last_number(self, project_id: UUID, run_id: UUID) -> int:
        """The highest number allocated in the run; 0 if the run does not exist."""
        found = await self._session.scalar(
            select(Run.last_number).where(Run.project_id == project_id, Run.id == run_id)
        )
        return found or 0

    async def find(self, run_id: UUID) -> Run | None:
        return await _FIND.find(self._session, of_run=run_id)

    async def list_variants(self, run_id: UUID) -> Sequence[RunVariant]:
        return await _VARIANTS.fetch(self._session, of_run=run_id)

    async def list_variants_of(self, run_ids: Collection[UUID]) -> Sequence[RunVariant]:
        found = await self._session.scalars(
            select(RunVariant)
            .where(RunVariant.run_id.in_(run_ids))
            .order_by(RunVariant.run_id, RunVariant.position)
        )
        return found.all()

    async def list_scorers(self, run_id: UUID) -> Sequence[RunScorer]:
        return await _SCORERS.fetch(self._session, of_run=run_id)

    async def add_scorers(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await self._session.execute(insert(RunScorer), rows)

    async def find_author(self, user_id: UUID | None) -> tuple[str, str | None] | None:
        """Email and name of the user."""
        row = (
            await self._session.execute(select(User.email, User.name).where(User.id == user_id))
        ).first()
        return None if row is None else (row[0], row[1])

    async def find_facts(
        self, project_id: UUID, run_ids: Collection[UUID]
    ) -> dict[UUID, tuple[str, str]]:
        """Name and origin of those of the runs that exist."""
        wanted, found = list(run_ids), dict[UUID, tuple[str, str]]()
        for start in range(0, len(wanted), FACTS_AT_ONCE):
            rows = await self._session.execute(
                select(Run.id, Run.name, Run.origin).where(
                    Run.project_id == project_id,
                    Run.id.in_(wanted[start : start + FACTS_AT_ONCE]),
                )
            )
            found |= {run_id: (name, origin) for run_id, name, origin in rows}
        return found

    async def lock(self, run_id: UUID) -> Run | None:
        """Locks the run's row until the transaction ends."""
        return await _LOCK.find(self._session, of_run=run_id)

    async def change_state(
        self, run_id: UUID, old: RunState, new: RunState, values: dict[str, Any]
    ) -> Run | None:
        """Returns None when the run has left the old state. Raises IntegrityError when `values`
        take a lock that another run holds.
        """
        return await self._session.scalar(
            update(Run)
            .where(Run.id == run_id, Run.state == old)
            .values(state=new, last_number=Run.last_number + 1, **values)
            .returning(Run)
            .execution_options(populate_existing=True)
        )

    async def change(self, run_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(Run)
            .where(Run.id == run_id)
            .values(last_number=Run.last_number + 1, **values)
            .execution_options(synchronize_session=False)
        )

    async def list_working(self, run_ids: Collection[UUID]) -> set[UUID]:
        """The runs whose calls may be sent. Not locked: a concurrent pause may be missed."""
        found = await _WORKING.fetch(self._session, run_ids=run_ids)
        return {run_id for (run_id,) in found}

    async def add_costs(self, rows: Sequence[Mapping[str, Any]]) -> None:
        await _ADD_COSTS.run(self._session, rows)

    async def list_in_states(self, states: Collection[RunState]) -> Sequence[Run]:
        found = await self._session.scalars(
            select(Run).where(Run.state.in_(states)).order_by(Run.created_at)
        )
        return found.all()

    async def list_in(self, states: Collection[RunState], *, project_id: UUID) -> Sequence[Run]:
        """Locked, in the order of their ids."""
        statement = select(Run).where(Run.state.in_(states), Run.project_id == project_id)
        found = await self._session.scalars(statement.order_by(Run.id).with_for_update())
        return found.all()

    async def list_paused_for(self, reason: str, *, project_id: UUID) -> Sequence[Run]:
        statement = select(Run).where(Run.state == RunState.PAUSED, Run.reason == reason)
        statement = statement.where(Run.project_id == project_id)
        found = await self._session.scalars(statement.order_by(Run.id).with_for_update())
        return found.all()

    async def halt_variants(
        self, run_id: UUID, positions: Collection[int], why: dict[str, Any]
    ) -> bool:
        """False if all of them were halted already."""
        halted = await self._session.scalars(
            update(RunVariant)
            .where(
                RunVariant.run_id == run_id,
                RunVariant.position.in_(positions),
                RunVariant.halted.is_(None),
            )
            .values(halted=why)
            .returning(RunVariant.id)
            .execution_options(synchronize_session=False)
        )
        return bool(halted.all())

    async def set_variants(self, run_id: UUID, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(RunVariant)
            .where(RunVariant.run_id == run_id)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def set_variant(self, run_id: UUID, position: int, values: dict[str, Any]) -> None:
        await self._session.execute(
            update(RunVariant)
            .where(RunVariant.run_id == run_id, RunVariant.position == position)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def remove(self, run_id: UUID) -> None:
        await self._session.execute(delete(Run).where(Run.id == run_id))

    async def count_active(self, project_id: UUID) -> int:
        found = await self._session.scalars(
            select(Run.id).where(Run.project_id == project_id, Run.state.in_(ACTIVE))
        )
        return len(found.all())

    async def has_active_with(self, column: Any, value: UUID) -> bool:
        """Whether an active run uses this prompt, model or dataset."""
        statement = select(
            exists().where(RunVariant.run_id == Run.id, Run.state.in_(ACTIVE), column == value)
        )
        return bool(await self._session.scalar(statement))

    async def find_active_with_model(self, model_id: UUID) -> str | None:
        """The name of an active run that asks this model for answers or verdicts."""
        told = str(model_id)
        judges = [
            select(table.run_id).where(sql_cast(table.options, Text).contains(told))
            for table in (RunScorer, RunComparer)
        ]
        answers = select(RunVariant.run_id).where(
            or_(RunVariant.model_id == model_id, RunVariant.fallback_model_id == model_id)
        )
        return await self._session.scalar(
            select(Run.name)
            .where(Run.state.in_(ACTIVE), or_(*(Run.id.in_(each) for each in (answers, *judges))))
            .order_by(Run.name)
            .limit(1)
        )


class ScorerUses:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count_runs(self, scorer_ids: Collection[UUID]) -> Mapping[UUID, int]:
        rows = await self._session.execute(
            select(ScorerVersion.scorer_id, func.count(RunScorer.run_id.distinct()))
            .join(RunScorer, RunScorer.scorer_version_id == ScorerVersion.id)
            .where(ScorerVersion.scorer_id.in_(scorer_ids))
            .group_by(ScorerVersion.scorer_id)
        )
        return {scorer_id: count for scorer_id, count in rows}

    async def is_active(self, scorer_id: UUID) -> bool:
        found = await self._session.scalar(
            select(Run.id)
            .join(RunScorer, RunScorer.run_id == Run.id)
            .join(ScorerVersion, ScorerVersion.id == RunScorer.scorer_version_id)
            .where(ScorerVersion.scorer_id == scorer_id, Run.state.not_in(OVER))
            .limit(1)
        )
        return found is not None
