"""The evidence of an A/B test: its scores in order, the decision, and how it grew. Pure."""

import math
from collections.abc import Iterable, Sequence
from itertools import takewhile

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.kit.money import usd_from_nanos
from edison.loops.abtests.models import AbBatch, AbTest
from edison.loops.abtests.schemas import AbArmUsage, AbLookRead, AbResultRead
from edison.loops.abtests.states import AbArmName, AnswerState
from edison.pipeline.aggregate.ab_test import AbPlan, AbResult, pair_arrivals
from edison.pipeline.aggregate.paired import differences_of
from edison.pipeline.aggregate.sequence import look
from edison.pipeline.aggregate.table import Floats

# Points of the chart of looks.
_MOST_LOOKS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedScores:
    """Scores of both arms by pair, in chronological order, NaN where there is none."""

    first: Floats
    second: Floats

    @property
    def count(self) -> int:
        """Pairs with both scores."""
        return int((~np.isnan(self.first + self.second)).sum())


def plan_of(test: AbTest) -> AbPlan:
    return AbPlan(pairs=test.pairs, worthwhile=test.worthwhile)


def scores_of_batches(batches: Sequence[AbBatch]) -> PairedScores:
    """Only finished batches count."""
    measures = [each.measures for each in batches if each.measures is not None]
    return PairedScores(
        first=_column(score for each in measures for score in each[AbArmName.FIRST]["scores"]),
        second=_column(score for each in measures for score in each[AbArmName.SECOND]["scores"]),
    )


def has_come_to_nothing(batches: Sequence[AbBatch]) -> bool:
    """Whether the last cases, as many as the first batch has, are all without a score. Smaller
    batches replace cases without one, and may be unlucky.
    """
    ended = [each for each in batches if each.measures is not None]
    unscored = takewhile(lambda each: not scores_of_batches([each]).count, reversed(ended))
    return sum(len(each.case_ids) for each in unscored) >= len(batches[0].case_ids)


def scores_of_answers(rows: Sequence[tuple[str, str, float | None]]) -> PairedScores:
    """Pairs the answers in order of arrival. Each arm counts up to its first pending answer:
    otherwise a score that comes later would change pairs that were already looked at.
    """
    known: dict[str, list[float | None]] = {arm: [] for arm in AbArmName}
    waiting: set[str] = set()
    for arm, state, score in rows:
        if state == AnswerState.PENDING:
            waiting.add(arm)
        elif arm not in waiting:
            known[arm].append(score)
    first, second = pair_arrivals(_column(known[AbArmName.FIRST]), _column(known[AbArmName.SECOND]))
    return PairedScores(first=first, second=second)


def _column(scores: Iterable[float | None]) -> Floats:
    return np.array([np.nan if each is None else each for each in scores], dtype=np.float64)


def stored_scores(scores: Floats) -> list[float | None]:
    """As JSON; rounded, since sums of floats depend on the order of arrival."""
    return [None if math.isnan(each) else round(each, 12) for each in scores.tolist()]


def sum_usage(batches: Sequence[AbBatch], arm: AbArmName) -> AbArmUsage | None:
    found = [each.measures[arm] for each in batches if each.measures is not None]
    if not found:
        return None
    total = {
        name: sum(each[name] for each in found)
        for name in ("answers", "failed", "priced", "nanos", "timed", "seconds")
    }
    return AbArmUsage(
        answers=total["answers"],
        failed=total["failed"],
        answer_usd=usd_from_nanos(round(total["nanos"] / total["priced"]))
        if total["priced"]
        else None,
        mean_seconds=total["seconds"] / total["timed"] if total["timed"] else None,
    )


def read_result(result: AbResult) -> AbResultRead:
    interval = result.interval
    return AbResultRead(
        recommendation=result.recommendation,
        is_final=result.stop is not None,
        pairs=result.pairs,
        first_mean=result.first_mean,
        second_mean=result.second_mean,
        difference=result.difference,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        test=result.test,
        p_value=result.p_value,
    )


def list_looks(scores: PairedScores, plan: AbPlan) -> list[AbLookRead]:
    """The difference and its confidence sequence as the pairs came in."""
    known = ~np.isnan(scores.first + scores.second)
    differences = differences_of(scores.first[known], scores.second[known])[: plan.pairs]
    step = max(1, math.ceil(len(differences) / _MOST_LOOKS))
    places = sorted({*range(step, len(differences) + 1, step), len(differences)} - {0})
    looks = []
    for pairs in places:
        seen = look(differences[:pairs], planned_cases=plan.pairs, worthwhile=plan.worthwhile)
        if seen.difference is not None:
            looks.append(
                AbLookRead(
                    pairs=pairs,
                    difference=seen.difference,
                    low=None if seen.interval is None else seen.interval.low,
                    high=None if seen.interval is None else seen.interval.high,
                )
            )
    return looks
