"""Reduces the rows of a table to one number per case and variant, the unit of all statistics.

Judges, and repeats of a case, are not independent of each other; cases are. So scorers are averaged
per output and criterion, criteria by their weights to the output's composite, and repeats to the
case, before anything is tested or resampled. A criterion whose scores are all missing is left out
of the composite and counted.
"""

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import mean_by, mean_known
from edison.pipeline.aggregate.table import OVERALL, Bools, Floats, Ints, ScoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScores:
    """Axes are case, variant and, where there is one, criterion. NaN means no value.

    `missing` counts, per variant and criterion, scored outputs whose score for the criterion is
    missing. `unscored` are cases that were tried and have no composite; `partial` cases lack a
    criterion that has a weight, so their composites are not comparable with others.
    """

    composite: Floats
    criteria: Floats
    missing: Ints
    unscored: Bools
    partial: Bools
    is_human: Bools


def collapse(table: ScoreTable) -> CaseScores:
    """One composite per case and variant."""
    case_count, variant_count = len(table.cases), len(table.variants)
    repeat_count = int(table.repeat.max(initial=0)) + 1
    shape = (case_count, variant_count, repeat_count)
    cell = np.ravel_multi_index((table.case, table.variant, table.repeat), shape)
    cell_count = case_count * variant_count * repeat_count
    by_criterion = _CriterionMeans.of(table, cell, cell_count)
    weights = np.array([criterion.weight for criterion in table.criteria], dtype=np.float64)
    composite, is_scored = _composites(by_criterion, weights)
    judged = table.criterion == OVERALL
    said = mean_by(cell[judged], table.value[judged], cell_count)
    is_judged = ~np.isnan(said)
    composite = np.where(is_judged, said, composite)
    is_tried = _any((_any(by_criterion.is_asked, 1) | is_judged).reshape(shape), 2)
    missing = by_criterion.is_missing & is_scored[:, None]
    criteria = np.where(by_criterion.is_present, by_criterion.filled, np.nan)
    per_case = mean_known(composite.reshape(shape), axis=2)
    by_case = mean_known(criteria.reshape(*shape, len(weights)), axis=2)
    is_asked = _any(by_criterion.is_asked.reshape(*shape, len(weights)), 2)
    lacking = _any(is_asked & np.isnan(by_case) & (weights > 0), 2)
    return CaseScores(
        composite=per_case,
        criteria=by_case,
        missing=missing.reshape(*shape, len(weights)).sum(axis=(0, 2)),
        unscored=is_tried & np.isnan(per_case),
        partial=lacking & ~_any(is_judged.reshape(shape), 2),
        is_human=_any((_any(by_criterion.is_human, 1) | is_judged).reshape(shape), 2),
    )


def pass_rates(table: ScoreTable) -> Floats:
    """Share of passes per case and variant; NaN where there is none. Criteria without weight do not
    count.
    """
    shape = (len(table.cases), len(table.variants))
    passed = np.full(table.value.shape, np.nan) if table.passed is None else table.passed
    # OVERALL is the last index and has no criterion, so it always counts.
    has_weight = np.array([*(each.weight > 0 for each in table.criteria), True])
    passed = np.where(has_weight[table.criterion], passed, np.nan)
    key = np.ravel_multi_index((table.case, table.variant), shape)
    return mean_by(key, passed, shape[0] * shape[1]).reshape(shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CriterionMeans:
    """Axes are output and criterion. `filled` is 0 where no score is present."""

    filled: Floats
    is_asked: Bools
    is_missing: Bools
    is_human: Bools

    @property
    def is_present(self) -> Bools:
        return np.asarray(self.is_asked & ~self.is_missing)

    @staticmethod
    def of(table: ScoreTable, cell: Ints, cell_count: int) -> "_CriterionMeans":
        criterion_count = len(table.criteria)
        size = cell_count * criterion_count
        rows = table.criterion != OVERALL
        key = cell[rows] * criterion_count + table.criterion[rows]
        value, human = table.value[rows], table.is_human[rows]
        by_people = mean_by(key[human], value[human], size)
        by_machines = mean_by(key[~human], value[~human], size)
        mean = np.where(np.isnan(by_people), by_machines, by_people)
        shape = (cell_count, criterion_count)
        is_asked = np.bincount(key, minlength=size).astype(bool)
        return _CriterionMeans(
            filled=np.nan_to_num(mean, nan=0.0).reshape(shape),
            is_asked=is_asked.reshape(shape),
            is_missing=(is_asked & np.isnan(mean)).reshape(shape),
            is_human=~np.isnan(by_people).reshape(shape),
        )


def _composites(means: _CriterionMeans, weights: Floats) -> tuple[Floats, Bools]:
    """Per output: the weighted mean of the criteria present, and whether any of them has a
    weight.
    """
    is_scored = _any(means.is_present & (weights > 0), 1)
    composite = np.full(len(is_scored), np.nan)
    np.divide(means.filled @ weights, means.is_present @ weights, out=composite, where=is_scored)
    return composite, is_scored


def _any(values: Bools, axis: int) -> Bools:
    return np.asarray(values.any(axis=axis))
