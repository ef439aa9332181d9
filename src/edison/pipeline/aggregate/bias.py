"""Judge biases: position, length, and preference for the judge's own model family.

A judge's deviation from other raters on the same output cannot be explained by the quality of the
output. Within each case, that deviation is regressed on the length of the answers, or on whether
they are of the judge's family: a regression with fixed effects per case, which depends on two sums
per case only, so cases can be resampled.
"""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.bootstrap import bca_interval
from edison.pipeline.aggregate.estimate import estimate_differences
from edison.pipeline.aggregate.groups import mean_by, mean_known, sum_by
from edison.pipeline.aggregate.outputs import ScoreMatrix, output_scores
from edison.pipeline.aggregate.results import Bias, BiasKind, Estimate
from edison.pipeline.aggregate.table import Floats, Ints, PairTable, ScoreTable

_RESAMPLES = 2_000


def score_biases(table: ScoreTable) -> tuple[Bias, ...]:
    """Biases of every judge, as far as lengths and families are known and vary within cases."""
    outputs = output_scores(table)
    lengths = np.full(len(outputs.length), np.nan)
    np.log2(outputs.length, out=lengths, where=outputs.length > 0)
    families = np.array([variant.family or "" for variant in table.variants], dtype=np.str_)
    found = []
    for at, judge in enumerate(table.scorers):
        if not judge.is_judge:
            continue
        deviation, is_controlled = _deviation(table, outputs, at)
        causes = {BiasKind.LENGTH: lengths}
        if judge.family is not None:
            own = (families == judge.family).astype(np.float64)
            causes[BiasKind.SELF_PREFERENCE] = own[outputs.variant]
        for kind, cause in causes.items():
            effect = _within_cases(deviation, cause, outputs.case)
            if effect is not None:
                found.append(_bias(judge.key, kind, effect, is_controlled=is_controlled))
    return tuple(found)


def position_biases(table: PairTable) -> tuple[Bias, ...]:
    """Position biases of every judge, from comparisons made in both orders: there, quality cancels
    out.
    """
    reversed_key = _key(table, table.second, table.first)
    in_both = np.isin(_key(table, table.first, table.second), reversed_key)
    found = []
    for at, judge in enumerate(table.judges):
        rows = in_both & (table.judge == at)
        if not rows.any():
            continue
        leanings = mean_by(table.case[rows], table.outcome[rows].astype(np.float64))
        (effect,) = estimate_differences(leanings[:, None])
        found.append(_bias(judge.key, BiasKind.POSITION, effect, is_controlled=True))
    return tuple(found)


def _bias(judge: str, kind: BiasKind, effect: Estimate, *, is_controlled: bool) -> Bias:
    return Bias(
        judge=judge,
        kind=kind,
        effect=effect,
        is_controlled=is_controlled,
        is_evident=effect.interval is not None and not effect.interval.holds(0.0),
    )


def _deviation(table: ScoreTable, outputs: ScoreMatrix, judge: int) -> tuple[Floats, bool]:
    """Deviation from human raters or else from other judges, on the outputs that they scored too.
    Without such outputs, the judge's own values and False.
    """
    of_judge = outputs.value[:, judge]
    others = [at for at, other in enumerate(table.scorers) if other.is_judge and at != judge]
    for reference in (outputs.people(table), mean_known(outputs.value[:, others])):
        if (~np.isnan(reference - of_judge)).any():
            return of_judge - reference, True
    return of_judge, False


def _within_cases(deviation: Floats, cause: Floats, case: Ints) -> Estimate | None:
    """Slope of the deviation on the cause. None when the cause never varies."""
    known = ~np.isnan(deviation) & ~np.isnan(cause)
    _, place = np.unique(case[known], return_inverse=True)
    effect, moved = (_less_case_mean(values[known], place) for values in (deviation, cause))
    terms = np.column_stack([sum_by(place, moved * effect), sum_by(place, moved * moved)])
    terms = terms[terms[:, 1] > 1e-12]
    if not len(terms):
        return None
    return Estimate(
        value=float(_slope(terms.sum(axis=0))),
        interval=bca_interval(terms, _slope, resamples=_RESAMPLES),
        cases=len(terms),
    )


def _less_case_mean(values: Floats, place: Ints) -> Floats:
    return np.asarray(values - mean_by(place, values)[place])


def _slope(sums: Floats) -> Floats:
    slopes = np.full(sums.shape[:-1], np.nan)
    np.divide(sums[..., 0], sums[..., 1], out=slopes, where=sums[..., 1] > 1e-12)
    return slopes


def _key(table: PairTable, first: Ints, second: Ints) -> Ints:
    count = len(table.variants)
    return ((table.case * len(table.judges) + table.judge) * count + first) * count + second
