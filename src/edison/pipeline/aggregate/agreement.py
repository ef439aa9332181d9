"""Inter-rater agreement beyond chance: Krippendorff's alpha, Cohen's and Fleiss' kappa.

Alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability") takes any number of raters
with gaps. Its ordinal distance between two values is the distance of their mid-ranks, and its
nominal one is the distance of their indicators, so the interval form serves all three; and that
form needs nothing but sums over units, which makes it cheap to resample.
"""

from enum import StrEnum

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.bootstrap import bca_interval
from edison.pipeline.aggregate.groups import sum_by
from edison.pipeline.aggregate.results import Agreement, Raters
from edison.pipeline.aggregate.table import OVERALL, Floats, Ints, ScoreTable

_RESAMPLES = 2_000


class Metric(StrEnum):
    """The distance between two values: inequality, difference of ranks, or difference."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff_alpha(ratings: Floats, metric: Metric) -> float | None:
    """Rows are raters, columns are units, NaN is a gap. 1 is full agreement, 0 is chance.

    None when no unit has two ratings, or all ratings are the same: without variation, agreement is
    indistinguishable from chance.
    """
    alpha = float(_alpha(_terms(ratings, metric).sum(axis=0)))
    return None if np.isnan(alpha) else alpha


def cohen_kappa(first: Ints, second: Ints) -> float | None:
    """Agreement of two raters who categorise the same units. None when chance explains everything,
    as when both always choose the same category.
    """
    if not first.size:
        return None
    categories = np.union1d(first, second)
    shares = [(rater[:, None] == categories).mean(axis=0) for rater in (first, second)]
    expected = float(shares[0] @ shares[1])
    return _beyond_chance(float((first == second).mean()), expected)


def fleiss_kappa(counts: Ints) -> float | None:
    """Rows are units, columns are categories, values are numbers of raters. All units have the same
    number of raters, at least two.
    """
    if not counts.size:
        return None
    raters = counts.sum(axis=1)
    if (raters != raters[0]).any() or raters[0] < 2:
        raise ValueError("Every unit needs the same number of raters, at least two.")
    pairs = raters[0] * (raters[0] - 1)
    observed = float(((counts * (counts - 1)).sum(axis=1) / pairs).mean())
    shares = counts.sum(axis=0) / counts.sum()
    return _beyond_chance(observed, float(shares @ shares))


def agreements(table: ScoreTable, *, metric: Metric = Metric.INTERVAL) -> tuple[Agreement, ...]:
    """Agreement of judges and of human raters, on every criterion that two of them scored; for
    human raters also on whole outputs. Cases are resampled, because variants and repeats of a case
    are not independent.
    """
    found = []
    for raters in Raters:
        members = [
            at
            for at, scorer in enumerate(table.scorers)
            if (scorer.is_human if raters is Raters.PEOPLE else scorer.is_judge)
        ]
        rows = table.where(np.isin(table.scorer, members))
        for place in (*range(len(table.criteria)), OVERALL):
            agreement = _agreement(rows.where(rows.criterion == place), raters, metric)
            if agreement is not None:
                found.append(agreement)
    return tuple(found)


def _agreement(table: ScoreTable, raters: Raters, metric: Metric) -> Agreement | None:
    """Agreement on the only criterion of the table. None when no output has two ratings."""
    ratings, cases = _ratings(table)
    terms = _terms(ratings, metric)
    by_case = np.column_stack([sum_by(cases, column) for column in terms.T])
    by_case = by_case[by_case[:, 1] > 0]
    if not by_case.size:
        return None
    alpha = float(_alpha(by_case.sum(axis=0)))
    place = int(table.criterion[0])
    return Agreement(
        raters=raters,
        criterion=None if place == OVERALL else table.criteria[place].key,
        alpha=None if np.isnan(alpha) else alpha,
        interval=bca_interval(by_case, _alpha, resamples=_RESAMPLES),
        outputs=int((terms[:, 1] > 0).sum()),
        cases=len(by_case),
    )


def _ratings(table: ScoreTable) -> tuple[Floats, Ints]:
    """Returns ratings with a row per scorer and a column per output, and the case of each
    column.
    """
    shape = (len(table.cases), len(table.variants), int(table.repeat.max(initial=0)) + 1)
    output = np.ravel_multi_index((table.case, table.variant, table.repeat), shape)
    outputs, column = np.unique(output, return_inverse=True)
    ratings = np.full((len(table.scorers), len(outputs)), np.nan)
    ratings[table.scorer, column] = table.value
    return ratings, outputs // (shape[1] * shape[2])


def _terms(ratings: Floats, metric: Metric) -> Floats:
    """Per unit: disagreement inside it, its number of ratings, and then their sums and sums of
    squares, once per dimension of the values. Units with fewer than two ratings are all 0.
    """
    counts = (~np.isnan(ratings)).sum(axis=0)
    usable = np.where(counts >= 2, ratings, np.nan)
    dimensions = _dimensions(usable, metric)
    sums = np.nansum(dimensions, axis=1)
    squares = np.nansum(dimensions**2, axis=1)
    pairs = np.maximum(counts - 1, 1)
    disagreement = ((counts * squares - sums**2) / pairs).sum(axis=0)
    count = np.where(counts >= 2, counts, 0)
    return np.column_stack([disagreement, count, sums.T, squares.sum(axis=0)])


def _dimensions(ratings: Floats, metric: Metric) -> Floats:
    """Values as points whose squared distance is the metric's: dimension, rater, unit."""
    known = ~np.isnan(ratings)
    values, place, counts = np.unique(ratings[known], return_inverse=True, return_counts=True)
    if metric is Metric.INTERVAL:
        # Centred, so that sums of squares do not lose precision by cancellation.
        return (ratings - ratings[known].mean() if values.size else ratings)[None]
    if metric is Metric.ORDINAL:
        values = np.cumsum(counts) - (counts + counts.sum()) / 2
        points = np.full((1, *ratings.shape), np.nan)
        points[0, known] = values[place]
        return points
    points = np.full((len(values), *ratings.shape), np.nan)
    points[:, known] = np.arange(len(values))[:, None] == place
    return points


def _alpha(sums: Floats) -> Floats:
    disagreement, count, squares = sums[..., 0], sums[..., 1], sums[..., -1]
    expected = count * squares - (sums[..., 2:-1] ** 2).sum(axis=-1)
    alpha = np.full(np.shape(count), np.nan)
    ratio = (count - 1) * disagreement
    np.divide(ratio, expected, out=alpha, where=(count > 1) & (expected > 1e-12 * count))
    return 1 - alpha


def _beyond_chance(observed: float, expected: float) -> float | None:
    return None if expected >= 1 - 1e-12 else (observed - expected) / (1 - expected)
