"""Which model to use, from the scores of several models on the same cases: the most accurate, the
fastest and the best value, and a recommendation for a required quality and a maximum cost.

Every answer names its evidence, or says why there is none: a model is called better only if the
corrected paired test separates it from all others, and "as good and cheaper" takes a proof of
equivalence. Sentences are up to the caller.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from itertools import combinations
from typing import TypeVar

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.power import ALPHA
from edison.pipeline.aggregate.results import Estimate, VariantComparison, Verdict
from edison.pipeline.aggregate.table import Floats

Cost = TypeVar("Cost", float, Decimal)

# With fewer cases that all models have, nothing is said.
FEWEST_CASES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """A model's results by case key, averaged over repeats: scores in 0..1 and seconds per answer.
    `cost` per answer is in any unit, the same for all models; None without a price.
    """

    key: str
    scores: Mapping[str, float]
    cost: float | None
    seconds: Mapping[str, float]


class AdviceReason(StrEnum):
    """Why a model is named, or why none is. Part of the API; never rename."""

    SEPARATED = "separated"
    AS_GOOD_AND_CHEAPER = "as_good_and_cheaper"
    CHEAPER_ONES_WORSE = "cheaper_ones_worse"
    BEST_AND_CHEAPEST = "best_and_cheapest"
    ONLY_MODEL = "only_model"
    QUALITY_PROVEN = "quality_proven"
    NOT_SEPARATED = "not_separated"
    TOO_FEW_CASES = "too_few_cases"
    NO_PRICES = "no_prices"
    NO_MODEL = "no_model"
    NOTHING_AFFORDABLE = "nothing_affordable"
    QUALITY_NOT_PROVEN = "quality_not_proven"
    QUALITY_NOT_REACHED = "quality_not_reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """`key` is None when the data cannot tell; `leading` then is the best by the figures alone.
    `undecided` are the models that the evidence does not separate from `leading`. `comparison` is
    the one that the advice depends on most: with the closest rival, or the proof of equivalence.
    For speed it is replaced by `factor`, the rival's seconds over those of `leading` (geometric
    means), and the corrected `p_value`.
    """

    key: str | None
    reason: AdviceReason
    cases: int
    leading: str | None = None
    undecided: Sequence[str] = ()
    comparison: VariantComparison | None = None
    estimate: Estimate | None = None
    factor: float | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInsight:
    most_accurate: Advice
    fastest: Advice
    best_value: Advice


def compare_models(records: Sequence[ModelRecord]) -> ModelInsight:
    """Uses the cases that all models have."""
    board = _Board.of(records, [record.scores for record in records])
    return ModelInsight(
        most_accurate=_find_leader(board),
        fastest=_find_fastest(records),
        best_value=_find_best_value(board, {record.key: record.cost for record in records}),
    )


def recommend(
    records: Sequence[ModelRecord], *, required_quality: float, max_cost: float | None = None
) -> Advice:
    """The cheapest model within `max_cost` whose mean score is proven to reach the required
    quality: the interval is above it, at a level that allows for the choice among several models.
    """
    if not records:
        return Advice(key=None, reason=AdviceReason.NO_MODEL, cases=0)
    affordable = [
        record
        for record in records
        if max_cost is None or (record.cost is not None and record.cost <= max_cost)
    ]
    if not affordable:
        return Advice(key=None, reason=AdviceReason.NOTHING_AFFORDABLE, cases=0)
    level = 1 - 2 * ALPHA / len(affordable)
    estimates = {record.key: _estimate(record, level) for record in affordable}
    ordered = sorted(affordable, key=_price)
    for record in ordered:
        estimate = estimates[record.key]
        interval = estimate.interval
        if estimate.cases >= FEWEST_CASES and interval and interval.low >= required_quality:
            return Advice(
                key=record.key,
                reason=AdviceReason.QUALITY_PROVEN,
                cases=estimate.cases,
                leading=record.key,
                estimate=estimate,
            )
    return _without_proof(ordered, estimates, required_quality)


def find_cheaper(
    top: str, costs: Mapping[str, Cost | None], as_good: Collection[str]
) -> str | None:
    """The cheapest of the models that are proven to be as good as `top`, if it costs less."""
    limit = costs[top]
    if limit is None:
        return None
    priced = [
        (cost, key) for key in as_good if (cost := costs.get(key)) is not None and cost < limit
    ]
    return min(priced, key=lambda found: found[0])[1] if priced else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """Values of the cases (rows) that all models (columns) have; higher is better. `top` has the
    highest mean.
    """

    keys: Sequence[str]
    values: Floats
    comparisons: Sequence[VariantComparison]
    top: str | None

    @staticmethod
    def of(records: Sequence[ModelRecord], columns: Sequence[Mapping[str, float]]) -> "_Board":
        keys = [record.key for record in records]
        every_case = columns[0] if columns else {}
        shared = [case for case in every_case if all(case in column for column in columns)]
        values = np.array(
            [[column[case] for column in columns] for case in shared], dtype=np.float64
        ).reshape(len(shared), len(keys))
        is_enough = len(shared) >= FEWEST_CASES
        pairs = [
            Pair(
                baseline=keys[first],
                other=keys[second],
                baseline_scores=values[:, first],
                other_scores=values[:, second],
            )
            for first, second in combinations(range(len(keys)), 2)
        ]
        return _Board(
            keys=keys,
            values=values,
            comparisons=compare_pairs(pairs) if is_enough else (),
            top=keys[int(values.mean(axis=0).argmax())] if is_enough and keys else None,
        )

    @property
    def cases(self) -> int:
        return len(self.values)

    def find(self, one: str, other: str) -> VariantComparison:
        return next(
            each for each in self.comparisons if {each.baseline, each.other} == {one, other}
        )

    def is_better(self, one: str, other: str) -> bool:
        found = self.find(one, other)
        return found.verdict is (Verdict.WORSE if found.baseline == one else Verdict.BETTER)

    def is_as_good(self, one: str, other: str) -> bool:
        found = self.find(one, other)
        proof = found.equivalence
        if proof is None:
            return False
        return proof.baseline_is_as_good if found.baseline == one else proof.other_is_as_good

    def closest_rival(self, top: str) -> VariantComparison:
        means = dict(zip(self.keys, self.values.mean(axis=0), strict=True))
        rival = max((key for key in self.keys if key != top), key=lambda key: means[key])
        return self.find(top, rival)


def _find_leader(board: _Board) -> Advice:
    top = board.top
    if top is None or len(board.keys) == 1:
        return _of_few(board)
    undecided = [key for key in board.keys if key != top and not board.is_better(top, key)]
    return Advice(
        key=None if undecided else top,
        reason=AdviceReason.NOT_SEPARATED if undecided else AdviceReason.SEPARATED,
        cases=board.cases,
        leading=top,
        undecided=undecided,
        comparison=board.find(top, undecided[0]) if undecided else board.closest_rival(top),
    )


def _find_fastest(records: Sequence[ModelRecord]) -> Advice:
    """Compares the logarithms of seconds, so that factors count, not a few slow answers."""
    columns = [
        {case: -math.log(seconds) for case, seconds in record.seconds.items() if seconds > 0}
        for record in records
    ]
    found = _find_leader(_Board.of(records, columns))
    closest = found.comparison
    if closest is None or closest.difference.value is None:
        return found
    return replace(
        found,
        comparison=None,
        factor=math.exp(abs(closest.difference.value)),
        p_value=closest.adjusted_p_value,
    )


def _find_best_value(board: _Board, costs: Mapping[str, float | None]) -> Advice:
    top = board.top
    if top is None or len(board.keys) == 1:
        return _of_few(board)
    limit = costs[top]
    if limit is None or any(cost is None for cost in costs.values()):
        return Advice(key=None, reason=AdviceReason.NO_PRICES, cases=board.cases, leading=top)
    cheaper = [key for key in board.keys if (costs[key] or 0) < limit]
    if not cheaper:
        return Advice(
            key=top,
            reason=AdviceReason.BEST_AND_CHEAPEST,
            cases=board.cases,
            leading=top,
            comparison=board.closest_rival(top),
        )
    chosen = find_cheaper(top, costs, [key for key in cheaper if board.is_as_good(key, top)])
    if chosen is not None:
        return Advice(
            key=chosen,
            reason=AdviceReason.AS_GOOD_AND_CHEAPER,
            cases=board.cases,
            leading=top,
            comparison=board.find(chosen, top),
        )
    undecided = [key for key in cheaper if not board.is_better(top, key)]
    return Advice(
        key=None if undecided else top,
        reason=AdviceReason.NOT_SEPARATED if undecided else AdviceReason.CHEAPER_ONES_WORSE,
        cases=board.cases,
        leading=top,
        undecided=undecided,
        comparison=board.find(top, undecided[0] if undecided else cheaper[0]),
    )


def _of_few(board: _Board) -> Advice:
    if not board.keys:
        return Advice(key=None, reason=AdviceReason.NO_MODEL, cases=0)
    if board.top is None:
        return Advice(key=None, reason=AdviceReason.TOO_FEW_CASES, cases=board.cases)
    return Advice(
        key=board.top, reason=AdviceReason.ONLY_MODEL, cases=board.cases, leading=board.top
    )


def _estimate(record: ModelRecord, level: float) -> Estimate:
    column = np.array(list(record.scores.values()), dtype=np.float64)[:, None]
    (estimate,) = estimate_means(column, level=level)
    return estimate


def _price(record: ModelRecord) -> tuple[bool, float]:
    """Models without a price come last."""
    return record.cost is None, record.cost or 0.0


def _without_proof(
    ordered: Sequence[ModelRecord], estimates: Mapping[str, Estimate], required_quality: float
) -> Advice:
    """The leading one is the best by its mean. Reached by none: every interval is below."""
    scored = [record.key for record in ordered if estimates[record.key].value is not None]
    if not scored:
        return Advice(key=None, reason=AdviceReason.TOO_FEW_CASES, cases=0)
    leading = max(scored, key=lambda key: estimates[key].value or 0.0)
    may_reach = [
        key
        for key in scored
        if (found := estimates[key].interval) is None or found.high >= required_quality
    ]
    return Advice(
        key=None,
        reason=(AdviceReason.QUALITY_NOT_PROVEN if may_reach else AdviceReason.QUALITY_NOT_REACHED),
        cases=estimates[leading].cases,
        leading=leading,
        undecided=may_reach,
        estimate=estimates[leading],
    )
