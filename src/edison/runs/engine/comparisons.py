"""Comparisons of a run, as they are shown."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit.money import usd_from_nanos
from edison.runs.engine.models import Comparison
from edison.runs.engine.repository.comparisons import Comparisons
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.comparisons import ComparisonBrief, ComparisonRead

_BRIEF = ("id", "number", "case_position", "repeat", "variant_a", "variant_b", "preference", "flag")
_MORE = (
    "output_a_id",
    "output_b_id",
    "verdict_ab",
    "verdict_ba",
    "rationale",
    "orders",
    "judge_text",
    "created_at",
)


async def list_comparisons(
    session: AsyncSession,
    *,
    project_id: UUID,
    run_id: UUID,
    case_position: int | None,
    page: PageRequest,
) -> Slice[ComparisonRead]:
    await Runs(session).get(project_id, run_id)
    found = await Comparisons(session).page(run_id, case_position=case_position, page=page)
    items = [_read(comparison) for comparison in found.items]
    return Slice(items=items, next=found.next, total=found.total)


def read_brief(comparison: Comparison) -> ComparisonBrief:
    return ComparisonBrief.model_validate(_values(comparison, _BRIEF))


def _read(comparison: Comparison) -> ComparisonRead:
    nanos = comparison.cost_nanos
    return ComparisonRead.model_validate(
        _values(comparison, (*_BRIEF, *_MORE))
        | {"cost_usd": None if nanos is None else usd_from_nanos(nanos)}
    )


def _values(comparison: Comparison, names: tuple[str, ...]) -> dict[str, Any]:
    values = {name: getattr(comparison, name) for name in names}
    return {**values, "comparer": comparison.comparer_position}
