"""Builders for optimizations that bypass the API."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.loops.optimizations.models import Optimization, OptimizationCandidate


async def add_optimization(session: AsyncSession, project_id: UUID, **values: Any) -> Optimization:
    """A draft whose prompt and dataset were deleted."""
    missing = str(ids.new_id())
    row = Optimization(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "An optimization",
            "state": "draft",
            "prompt_name": "Replies",
            "version_label": "v1",
            "seed": 1,
            "config": {
                "prompt_id": missing,
                "dataset_id": missing,
                "models": [{"model_id": missing}],
                "scorers": [{"kind": "exact"}],
                "strategy": {"kind": "few_shot", "options": {}},
            },
        }
        | values
    )
    session.add(row)
    await session.flush()
    return row


async def add_candidate(
    session: AsyncSession, optimization: Optimization, *, number: int = 0
) -> OptimizationCandidate:
    """The base, unless it has another number."""
    candidate = OptimizationCandidate(
        id=ids.new_id(),
        optimization_id=optimization.id,
        number=number,
        generation=0,
        origin="base" if number == 0 else "strategy",
        state="proposed",
        parents=[],
        parts={},
        diff="",
        note="",
        targets=[],
        scores={},
        created_at=clock.now(),
    )
    session.add(candidate)
    await session.flush()
    return candidate
