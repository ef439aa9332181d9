"""Leaderboard of models on shared cases: scores with intervals, rank ranges and a decision.

Ranks come from paired tests of all pairs, corrected together: a model ranks above another only if
the test separates them. A rank is therefore a range, and models that cannot be told apart share it.
Sentences are up to the caller.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.pareto import pareto_front
from edison.pipeline.aggregate.results import Estimate, VariantComparison, Verdict
from edison.pipeline.aggregate.table import Floats, Ints

# With fewer shared cases nothing is decided.
FEWEST_CASES = 5


class BoardDecision(StrEnum):
    """What the board shows. Part of the API; never rename."""

    NO_RUNS = "no_runs"
    NO_SCORES = "no_scores"
    ONE_MODEL = "one_model"
    TOO_FEW_CASES = "too_few_cases"
    SEPARATED = "separated"
    NOT_SEPARATED = "not_separated"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """Axes are case and model. `scores` are NaN where there is none, and `gaps` (`Gap` values) say
    why. `costs` per answer are in any unit, NaN without a price.
    """

    keys: Sequence[str]
    scores: Floats
    gaps: Ints
    costs: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRange:
    """The best and the worst rank that the evidence allows; 1 is the first."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A model's place. `rank` is None without a score."""

    key: str
    score: Estimate
    rank: RankRange | None
    is_on_front: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """`leading` has the highest mean; `tied` are not separated from it, the best first.
    `cheapest` is the cheapest of them all, if it costs less than `leading`: `saving` is the share
    saved. `comparison` is that of `leading` with its closest rival.
    """

    decision: BoardDecision
    cases: int
    leading: str | None = None
    tied: Sequence[str] = ()
    cheapest: str | None = None
    saving: float | None = None
    comparison: VariantComparison | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """Standings are sorted by score, models without one last."""

    headline: Headline
    standings: Sequence[Standing]


def rank_models(table: BoardTable) -> BoardResult:
    estimates = estimate_means(table.scores) if len(table.scores) else [_EMPTY] * len(table.keys)
    scored = [at for at, each in enumerate(estimates) if each.value is not None]
    scored.sort(key=lambda at: (-(estimates[at].value or 0.0), table.keys[at]))
    comparisons = _compare(table, scored) if len(table.scores) >= FEWEST_CASES else ()
    ranks = _rank([table.keys[at] for at in scored], comparisons)
    means = np.array([np.nan if each.value is None else each.value for each in estimates])
    is_front = pareto_front(means, table.costs) if len(scored) > 1 else np.zeros(len(means), bool)
    unscored = [at for at in range(len(table.keys)) if at not in scored]
    return BoardResult(
        headline=_headline(table, scored, comparisons, ranks),
        standings=[
            Standing(
                key=table.keys[at],
                score=estimates[at],
                rank=ranks.get(table.keys[at]),
                is_on_front=bool(is_front[at]),
            )
            for at in [*scored, *unscored]
        ],
    )


_EMPTY = Estimate(value=None, interval=None, cases=0)


def _compare(table: BoardTable, places: Sequence[int]) -> tuple[VariantComparison, ...]:
    return compare_pairs(
        [
            Pair(
                baseline=table.keys[first],
                other=table.keys[second],
                baseline_scores=table.scores[:, first],
                other_scores=table.scores[:, second],
                baseline_gaps=table.gaps[:, first],
                other_gaps=table.gaps[:, second],
            )
            for first, second in combinations(places, 2)
        ]
    )


def _rank(keys: Sequence[str], comparisons: Sequence[VariantComparison]) -> dict[str, RankRange]:
    above, below = dict.fromkeys(keys, 0), dict.fromkeys(keys, 0)
    for each in comparisons:
        if each.verdict in (Verdict.BETTER, Verdict.WORSE):
            is_better = each.verdict is Verdict.BETTER
            winner, loser = (
                (each.other, each.baseline) if is_better else (each.baseline, each.other)
            )
            below[winner] += 1
            above[loser] += 1
    return {key: RankRange(best=1 + above[key], worst=len(keys) - below[key]) for key in keys}


def _headline(
    table: BoardTable,
    scored: Sequence[int],
    comparisons: Sequence[VariantComparison],
    ranks: dict[str, RankRange],
) -> Headline:
    cases = int((~np.isnan(table.scores)).any(axis=1).sum())
    if not scored:
        decision = BoardDecision.NO_SCORES if table.keys else BoardDecision.NO_RUNS
        return Headline(decision=decision, cases=cases)
    names = [table.keys[at] for at in scored]
    leading = names[0]
    if len(names) == 1:
        return Headline(decision=BoardDecision.ONE_MODEL, cases=cases, leading=leading)
    if not comparisons:
        return Headline(decision=BoardDecision.TOO_FEW_CASES, cases=cases, leading=leading)
    beaten = {
        each.other
        for each in comparisons
        if each.baseline == leading and each.verdict is Verdict.WORSE
    }
    tied = [name for name in names[1:] if name not in beaten]
    costs = {table.keys[at]: float(table.costs[at]) for at in scored}
    cheapest, saving = _find_cheaper(leading, tied, costs)
    is_separated = not tied and ranks[leading].worst == 1
    return Headline(
        decision=BoardDecision.SEPARATED if is_separated else BoardDecision.NOT_SEPARATED,
        cases=cases,
        leading=leading,
        tied=tied,
        cheapest=cheapest,
        saving=saving,
        comparison=next(each for each in comparisons if each.baseline == leading),
    )


def _find_cheaper(
    leading: str, tied: Sequence[str], costs: dict[str, float]
) -> tuple[str | None, float | None]:
    limit = costs[leading]
    cheaper = [name for name in tied if costs[name] < limit]
    if not cheaper:
        return None, None
    cheapest = min(cheaper, key=lambda name: costs[name])
    return cheapest, 1 - costs[cheapest] / limit
