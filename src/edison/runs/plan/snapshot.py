"""Stores a plan as a snapshot: later changes to prompts, cases or scorers do not affect the run."""

from typing import Any
from uuid import UUID

from sqlalchemy import exists, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.kit import clock, ids
from edison.library.datasets import service as datasets
from edison.library.models import service as models
from edison.runs.plan.types import (
    Lineage,
    PlannedCase,
    PlannedComparer,
    PlannedScorer,
    PlannedVariant,
    RunContext,
    RunPlan,
    chunk_ranges,
    personal_lock,
)
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.errors import RunAlreadyActive
from edison.runs.store.models import EMPTY_TALLY, Run, RunCase, RunComparer, RunScorer, RunVariant
from edison.runs.store.repository import Runs
from edison.runs.store.states import IMPORTED, RunCache, RunState


async def store_snapshot(
    session: AsyncSession,
    plan: RunPlan,
    *,
    context: RunContext,
    cache_mode: RunCache,
    estimate: dict[str, Any] | None,
) -> UUID:
    """Inserts the run with its variants, scorers, cases and chunks. The cases of a dataset must not
    have changed since they were planned. Raises RunAlreadyActive.
    """
    run_id = ids.new_id()
    size = plan.cases_per_chunk
    run = {
        **EMPTY_TALLY,
        "unconfirmed_nanos": 0,
        "id": run_id,
        "project_id": context.project_id,
        "name": plan.name,
        "origin": context.origin,
        "priority": int(context.priority),
        "state": RunState.PENDING,
        "lock_name": context.lock_name,
        "lock_key": context.lock_name,
        "author_id": context.author_id,
        "dataset_id": plan.dataset_id,
        "dataset_name": plan.dataset_name,
        "scope_ids": [str(each) for each in context.scope_ids],
        "repeats": plan.repeats,
        "case_count": len(plan.cases),
        "variant_count": len(plan.variants),
        "scorer_count": len(plan.scorers),
        "cell_count": plan.cell_count,
        "comparison_total": plan.comparison_count,
        "chunk_size": size,
        "cache_mode": cache_mode,
        "keep_seconds": None if context.keep_for is None else int(context.keep_for.total_seconds()),
        "redaction": plan.redaction,
        "failed_count_zero": plan.failed_count_zero,
        "code_version": __version__,
        "last_number": 0,
        "created_at": clock.now(),
        "active_seconds": 0.0,
        "phases": {},
        "estimate": estimate,
    }
    added = await Runs(session).add(
        run,
        variants=[_variant(run_id, at, each) for at, each in enumerate(plan.variants)],
        scorers=[scorer_row(run_id, at, each) for at, each in enumerate(plan.scorers)],
        cases=[case_row(run_id, at, each) for at, each in enumerate(plan.cases)]
        if plan.dataset_id is None
        else [],
        chunks=[
            {
                "run_id": run_id,
                "number": number,
                "first_position": first,
                "end_position": end,
                "is_done": False,
            }
            for number, (first, end) in enumerate(chunk_ranges(len(plan.cases), size))
        ],
    )
    if not added:
        raise RunAlreadyActive(await Runs(session).find_holder(context.lock_name))
    if plan.dataset_id is not None:
        chosen = datasets.select_for_run(session, dataset_id=plan.dataset_id, chosen=plan.chosen)
        await Runs(session).copy_cases(run_id, chosen)
    await Comparisons(session).add_comparers(
        [comparer_row(run_id, at, each) for at, each in enumerate(plan.comparers)]
    )
    return run_id


def case_row(run_id: UUID, position: int, case: PlannedCase) -> dict[str, Any]:
    """Of a case without a dataset."""
    return {
        "run_id": run_id,
        "position": position,
        "case_id": None,
        "case_version": None,
        "split": None,
        "difficulty": None,
        "tags": case.tags,
        "expected": case.expected,
        "inputs": case.inputs,
        "assertions": case.assertions,
    }


def scorer_row(run_id: UUID, position: int, scorer: PlannedScorer) -> dict[str, Any]:
    return {
        "id": ids.new_id(),
        "run_id": run_id,
        "position": position,
        "kind": scorer.kind,
        "label": scorer.label,
        "weight": scorer.weight,
        "threshold": scorer.threshold,
        "is_negated": scorer.is_negated,
        "options": dict(scorer.options),
        "scorer_version_id": scorer.scorer_version_id,
    }


def comparer_row(run_id: UUID, position: int, comparer: PlannedComparer) -> dict[str, Any]:
    return {
        "id": ids.new_id(),
        "run_id": run_id,
        "position": position,
        "kind": comparer.kind,
        "label": comparer.label,
        "baseline": comparer.baseline,
        "options": dict(comparer.options),
    }


def _variant(run_id: UUID, position: int, variant: PlannedVariant) -> dict[str, Any]:
    return {
        **EMPTY_TALLY,
        "id": ids.new_id(),
        "run_id": run_id,
        "position": position,
        "label": variant.label,
        "prompt_id": variant.prompt_id,
        "version_id": variant.version_id,
        "prompt_name": variant.prompt_name,
        "version_label": variant.version_label,
        "model_id": None if models.is_echo(variant.model) else variant.model.id,
        "fallback_model_id": None if variant.fallback is None else variant.fallback.id,
        "model_name": variant.model.display_name,
        "provider": variant.model.provider,
        "is_simulated": variant.model.is_simulated,
        "parameters": models.parameter_values(variant.parameters),
        "template": dict(variant.parts),
    }


_KEPT = (
    "project_id",
    "name",
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
        self, original: Run, *, author_id: UUID | None, descent: Lineage, cache_mode: str
    ) -> UUID:
        """Raises RunAlreadyActive. A replay takes no lock, since it calls no model."""
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
                # Imported results do not go on, but a copy of their plan does.
                "origin": "api" if original.origin == IMPORTED else original.origin,
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
            raise RunAlreadyActive(await runs.find_holder(lock))
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
        lacks = select(
            exists().where(
                RunVariant.run_id == run_id,
                RunVariant.model_id.is_(None),
                RunVariant.provider != models.ECHO,
            )
        )
        return not await self._session.scalar(lacks)


def _lock_of(original: Run, author_id: UUID | None) -> str | None:
    """A personal lock is taken for the current author, not for the original one."""
    own = personal_lock(original.origin, original.project_id, original.author_id)
    if original.lock_name != own:
        return original.lock_name
    return personal_lock(original.origin, original.project_id, author_id)


def _copied(
    table: type[RunVariant] | type[RunScorer] | type[RunComparer], row: Any, run_id: UUID
) -> dict[str, Any]:
    """The row without its results."""
    fresh: dict[str, Any] = {"id": ids.new_id(), "run_id": run_id}
    if table is RunVariant:
        fresh |= {**EMPTY_TALLY, "halted": None, "waiting": None, "summary": None}
    names = (column.name for column in table.__table__.columns)
    return {name: getattr(row, name) for name in names} | fresh
