"""Lists the comparisons of a run, and compares a replay with its original."""

from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.api.pagination import PageRequest, Slice
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.runs.read.schemas import ComparisonBrief, ComparisonRead, ReplayComparison
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.models import Comparison, Output, Score
from edison.runs.store.repository import Runs

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
    """The verdict of one comparer on two variants in the order shown: `outcome` is 1 if it
    preferred the first, -1 for the second, 0 for a tie.
    """

    comparer: int
    case_position: int
    repeat: int
    first: int
    second: int
    outcome: int


async def list_shown_pairs(session: AsyncSession, *, run_id: UUID) -> list[ShownPair]:
    """Each pair with a preference, in both orders, for statistics. Pairs decided without a judge,
    such as identical answers, count in both orders.
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


class Comparing:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def compare(self, run_id: UUID, original_id: UUID) -> ReplayComparison:
        """Compares answers, statuses, scores and preferences cell by cell."""
        new, old = aliased(Output), aliased(Output)
        pairs = and_(
            old.run_id == original_id,
            old.case_position == new.case_position,
            old.variant_position == new.variant_position,
            old.repeat == new.repeat,
        )
        outputs = select(func.count()).select_from(new).join(old, pairs).where(new.run_id == run_id)
        different = or_(
            new.status != old.status,
            func.coalesce(new.text, "") != func.coalesce(old.text, ""),
            func.coalesce(new.parsed, "") != func.coalesce(old.parsed, ""),
        )
        new_score, old_score = aliased(Score), aliased(Score)
        scores = (
            select(func.count())
            .select_from(new)
            .join(old, pairs)
            .join(new_score, new_score.output_id == new.id)
            .join(
                old_score,
                and_(
                    old_score.output_id == old.id,
                    old_score.scorer_position == new_score.scorer_position,
                ),
            )
            .where(new.run_id == run_id)
        )
        # -1 stands for null; scores are in 0..1.
        other_value = func.coalesce(new_score.value, -1.0) != func.coalesce(old_score.value, -1.0)
        compared = await self._count(outputs)
        scores_compared = await self._count(scores)
        missing = await self._count(
            select(func.count()).select_from(Output).where(Output.run_id == original_id)
        )
        missing_scores = await self._count(
            select(func.count()).select_from(Score).where(Score.run_id == original_id)
        )
        differing = await self._count(outputs.where(different)) + missing - compared
        differing_scores = (
            await self._count(scores.where(other_value)) + missing_scores - scores_compared
        )
        comparisons, differing_comparisons = await self._comparisons(run_id, original_id)
        return ReplayComparison(
            is_identical=not (differing or differing_scores or differing_comparisons),
            outputs_compared=compared,
            scores_compared=scores_compared,
            differing_outputs=differing,
            differing_scores=differing_scores,
            comparisons_compared=comparisons,
            differing_comparisons=differing_comparisons,
        )

    async def _comparisons(self, run_id: UUID, original_id: UUID) -> tuple[int, int]:
        """Number of pairs compared in both runs, and number of pairs that differ or exist in one
        only.
        """
        new, old = aliased(Comparison), aliased(Comparison)
        same = [
            getattr(new, name) == getattr(old, name)
            for name in ("comparer_position", "case_position", "repeat", "variant_a", "variant_b")
        ]
        pairs = (
            select(func.count())
            .select_from(new)
            .join(old, and_(old.run_id == original_id, *same))
            .where(new.run_id == run_id)
        )
        other = [
            func.coalesce(getattr(new, name), "") != func.coalesce(getattr(old, name), "")
            for name in ("preference", "verdict_ab", "verdict_ba")
        ]
        compared = await self._count(pairs)
        originals = await self._count(
            select(func.count()).select_from(Comparison).where(Comparison.run_id == original_id)
        )
        return compared, await self._count(pairs.where(or_(*other))) + originals - compared

    async def _count(self, statement: Any) -> int:
        return int(await self._session.scalar(statement) or 0)
