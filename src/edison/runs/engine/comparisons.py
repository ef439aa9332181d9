"""Comparisons of a run, as they are shown and counted."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPair:
    """What one comparer says of two variants in the order in which it saw them: `outcome` is 1 when
    it chose the first, -1 for the second, 0 for a tie.
    """

    comparer: int
    case_position: int
    repeat: int
    first: int
    second: int
    outcome: int


async def list_shown_pairs(session: AsyncSession, *, run_id: UUID) -> list[ShownPair]:
    """For statistics: each pair in both orders, as far as there is a preference. What needed no
    judge, such as two answers that are the same, counts as if it had been said in both.
    """
    shown = []
    for said in await Comparisons(session).list_verdicts(run_id):
        a, b = said.variant_a, said.variant_b
        for first, second, verdict in ((a, b, said.verdict_ab), (b, a, said.verdict_ba)):
            winner = {"a": a, "b": b}.get(verdict or said.preference or "")
            shown.append(
                ShownPair(
                    comparer=said.comparer,
                    case_position=said.case_position,
                    repeat=said.repeat,
                    first=first,
                    second=second,
                    outcome=0 if winner is None else 1 if winner == first else -1,
                )
            )
    return shown


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
