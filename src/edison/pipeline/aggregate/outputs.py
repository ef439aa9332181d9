"""Scores per output and scorer, for comparisons between scorers."""

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import mean_by, mean_known, sum_by
from edison.pipeline.aggregate.table import OVERALL, Floats, Ints, ScoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMatrix:
    """Axes of `value` are output and scorer: the weighted mean of the scorer's criteria, or its
    overall score; NaN where there is none. `case`, `variant` and `length` are the output's.
    """

    value: Floats
    case: Ints
    variant: Ints
    length: Floats

    def people(self, table: ScoreTable) -> Floats:
        """Mean of the human scores of each output."""
        is_human = np.array([scorer.is_human for scorer in table.scorers], dtype=bool)
        return mean_known(self.value[:, is_human])


def output_scores(table: ScoreTable) -> ScoreMatrix:
    shape = (len(table.cases), len(table.variants), int(table.repeat.max(initial=0)) + 1)
    output = np.ravel_multi_index((table.case, table.variant, table.repeat), shape)
    outputs, place = np.unique(output, return_inverse=True)
    case, variant, _ = np.unravel_index(outputs, shape)
    lengths = np.full(len(outputs), np.nan)
    if table.output_length is not None:
        lengths[place] = table.output_length
    return ScoreMatrix(
        value=_values(table, place, len(outputs)), case=case, variant=variant, length=lengths
    )


def disagreement(table: ScoreTable) -> Floats:
    """Difference between the highest and the lowest score by judges and human raters, 0 to 1,
    averaged over the outputs of each case and variant; NaN where no output has two raters.
    """
    scores = output_scores(table)
    is_rater = np.array([each.is_judge or each.is_human for each in table.scorers], dtype=bool)
    said = scores.value[:, is_rater]
    known = ~np.isnan(said)
    high = np.where(known, said, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(known, said, np.inf).min(axis=1, initial=np.inf)
    apart = np.full(len(said), np.nan)
    np.subtract(high, low, out=apart, where=known.sum(axis=1) >= 2)
    shape = (len(table.cases), len(table.variants))
    key = np.ravel_multi_index((scores.case, scores.variant), shape)
    return mean_by(key, apart, shape[0] * shape[1]).reshape(shape)


def _values(table: ScoreTable, place: Ints, count: int) -> Floats:
    weights = np.array([*(criterion.weight for criterion in table.criteria), 0.0])
    # An overall score outweighs all criteria together.
    weights[OVERALL] = 1e12 * max(1.0, weights.sum())
    weight = np.where(np.isnan(table.value), 0.0, weights[table.criterion])
    shape = (count, len(table.scorers))
    key = np.ravel_multi_index((place, table.scorer), shape)
    size = shape[0] * shape[1]
    sums = sum_by(key, weight * np.nan_to_num(table.value), size)
    totals = sum_by(key, weight, size)
    values = np.full(size, np.nan)
    np.divide(sums, totals, out=values, where=totals > 0)
    return values.reshape(shape)
