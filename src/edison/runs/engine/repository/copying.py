"""All SQL that makes a new run of an earlier one."""

from typing import Any
from uuid import UUID

from sqlalchemy import exists, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.kit import clock, ids
from edison.runs.engine.errors import AlreadyRunning
from edison.runs.engine.models import (
    EMPTY_TALLY,
    Run,
    RunCase,
    RunComparer,
    RunScorer,
    RunVariant,
)
from edison.runs.engine.planning import Descent, chunk_ranges, personal_lock
from edison.runs.engine.repository.comparisons import Comparisons
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.states import RunState

_KEPT = (
    "project_id",
    "name",
    "origin",
    "priority",
    "dataset_id",
    "dataset_name",
    "scope_ids",
    "repeats",
    "case_count",
    "variant_count",
    "scorer_count",
    "cell_count",
    "comparison_total",
    "chunk_size",
    "keep_seconds",
    "failed_count_zero",
    "redaction",
    "estimate",
)


class Copying:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def copy(
        self, original: Run, *, author_id: UUID | None, descent: Descent, cache_mode: str
    ) -> UUID:
        """Raises AlreadyRunning. A replay asks nobody, so it needs no lock."""
        run_id = ids.new_id()
        is_replay = descent.replay_of_id is not None
        lock = None if is_replay else _lock_of(original, author_id)
        runs = Runs(self._session)
        variants = await runs.list_variants(original.id)
        scorers = await runs.list_scorers(original.id)
        added = await runs.add(
            {
                **EMPTY_TALLY,
                "unconfirmed_nanos": 0,
                **{name: getattr(original, name) for name in _KEPT},
                "id": run_id,
                "state": RunState.PENDING,
                "lock_name": lock,
                "cache_mode": cache_mode,
                "lock_key": lock,
                "author_id": author_id,
                "parent_id": descent.parent_id,
                "replay_of_id": descent.replay_of_id,
                "code_version": __version__,
                "last_number": 0,
                "created_at": clock.now(),
                "active_seconds": 0.0,
                "phases": {},
            },
            variants=[_copied(RunVariant, row, run_id) for row in variants],
            scorers=[_copied(RunScorer, row, run_id) for row in scorers],
            cases=[],
            chunks=[
                {
                    "run_id": run_id,
                    "number": number,
                    "first_position": first,
                    "end_position": end,
                    "is_done": False,
                }
                for number, (first, end) in enumerate(
                    chunk_ranges(original.case_count, original.chunk_size)
                )
            ],
        )
        if not added:
            raise AlreadyRunning(await runs.find_holder(lock))
        comparisons = Comparisons(self._session)
        comparers = await comparisons.list_comparers(original.id)
        await comparisons.add_comparers([_copied(RunComparer, row, run_id) for row in comparers])
        await self._copy_cases(original.id, run_id)
        return run_id

    async def _copy_cases(self, original_id: UUID, run_id: UUID) -> None:
        names = [column.name for column in RunCase.__table__.columns if column.name != "run_id"]
        columns = [getattr(RunCase, name) for name in names]
        await self._session.execute(
            insert(RunCase).from_select(
                ["run_id", *names],
                select(literal(run_id, RunCase.run_id.type), *columns).where(
                    RunCase.run_id == original_id
                ),
            )
        )

    async def has_all_models(self, run_id: UUID) -> bool:
        lacks = select(exists().where(RunVariant.run_id == run_id, RunVariant.model_id.is_(None)))
        return not await self._session.scalar(lacks)


def _lock_of(original: Run, author_id: UUID | None) -> str | None:
    """What may have one active run for each person counts for who asks now."""
    own = personal_lock(original.origin, original.project_id, original.author_id)
    if original.lock_name != own:
        return original.lock_name
    return personal_lock(original.origin, original.project_id, author_id)


def _copied(
    table: type[RunVariant] | type[RunScorer] | type[RunComparer], row: Any, run_id: UUID
) -> dict[str, Any]:
    """Without what came of it."""
    fresh: dict[str, Any] = {"id": ids.new_id(), "run_id": run_id}
    if table is RunVariant:
        fresh |= {**EMPTY_TALLY, "halted": None, "waiting": None, "summary": None}
    names = (column.name for column in table.__table__.columns)
    return {name: getattr(row, name) for name in names} | fresh
