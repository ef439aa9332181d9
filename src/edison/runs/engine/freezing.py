"""Writes a plan down, so that nothing that happens later changes what the run asks."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison import __version__
from edison.jobs.job import Priority
from edison.kit import clock, ids
from edison.library.models import service as models
from edison.pipeline.generate.path.question import CacheMode
from edison.runs.engine.errors import AlreadyRunning
from edison.runs.engine.models import EMPTY_TALLY
from edison.runs.engine.planning import Plan, PlannedVariant, chunk_ranges
from edison.runs.engine.repository.comparisons import Comparisons
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.states import RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks for a run. `lock_name` names what may have one active run only; `scope_ids` are what
    else than the project may have a budget; `keep_for` is how long answers may be given again.
    """

    project_id: UUID
    origin: str
    author_id: UUID | None
    priority: Priority = Priority.NORMAL
    lock_name: str | None = None
    scope_ids: tuple[UUID, ...] = ()
    keep_for: timedelta | None = timedelta(hours=1)


async def freeze(
    session: AsyncSession,
    plan: Plan,
    *,
    asker: Asker,
    cache_mode: CacheMode,
    estimate: dict[str, Any] | None,
) -> UUID:
    """Raises AlreadyRunning."""
    run_id = ids.new_id()
    size = plan.cases_per_chunk
    run = {
        **EMPTY_TALLY,
        "unconfirmed_nanos": 0,
        "id": run_id,
        "project_id": asker.project_id,
        "name": plan.name,
        "origin": asker.origin,
        "priority": int(asker.priority),
        "state": RunState.PENDING,
        "lock_name": asker.lock_name,
        "lock_key": asker.lock_name,
        "author_id": asker.author_id,
        "dataset_id": plan.dataset_id,
        "dataset_name": plan.dataset_name,
        "scope_ids": [str(each) for each in asker.scope_ids],
        "repeats": plan.repeats,
        "case_count": len(plan.cases),
        "variant_count": len(plan.variants),
        "scorer_count": len(plan.scorers),
        "cell_count": plan.cell_count,
        "comparison_total": plan.comparison_count,
        "chunk_size": size,
        "cache_mode": cache_mode,
        "keep_seconds": None if asker.keep_for is None else int(asker.keep_for.total_seconds()),
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
        scorers=[
            {
                "id": ids.new_id(),
                "run_id": run_id,
                "position": at,
                "kind": each.kind,
                "label": each.label,
                "weight": each.weight,
                "threshold": each.threshold,
                "is_negated": each.is_negated,
                "options": dict(each.options),
                "scorer_version_id": each.scorer_version_id,
            }
            for at, each in enumerate(plan.scorers)
        ],
        cases=[
            {
                "run_id": run_id,
                "position": at,
                "case_id": each.case_id,
                "case_version": each.case_version,
                "split": each.split,
                "difficulty": each.difficulty,
                "tags": list(each.tags),
                "expected": each.expected,
                "inputs": dict(each.inputs),
            }
            for at, each in enumerate(plan.cases)
        ],
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
        raise AlreadyRunning(await Runs(session).find_holder(asker.lock_name))
    await Comparisons(session).add_comparers(
        [
            {
                "id": ids.new_id(),
                "run_id": run_id,
                "position": at,
                "kind": each.kind,
                "label": each.label,
                "baseline": each.baseline,
                "options": dict(each.options),
            }
            for at, each in enumerate(plan.comparers)
        ]
    )
    return run_id


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
        "model_id": variant.model.id,
        "fallback_model_id": None if variant.fallback is None else variant.fallback.id,
        "model_name": variant.model.display_name,
        "provider": variant.model.provider,
        "is_simulated": variant.model.is_simulated,
        "parameters": models.parameter_values(variant.parameters),
        "template": dict(variant.parts),
    }
