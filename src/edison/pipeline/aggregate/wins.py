"""Win matrix of variants, from comparisons made in one or both orders by several judges."""

from collections.abc import Sequence

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.groups import mean_by, sum_by
from edison.pipeline.aggregate.results import WinMatrix
from edison.pipeline.aggregate.table import Floats, Ints, PairTable


def win_matrix(table: PairTable) -> WinMatrix:
    """A comparison is one judge's result for two variants on one case, in one or both orders. The
    win rate of a variant is the mean over cases of its share of comparisons won, ties as half.
    """
    count = len(table.variants)
    low = np.minimum(table.first, table.second)
    high = np.maximum(table.first, table.second)
    shape = (len(table.cases), len(table.judges), max(count, 1), max(count, 1))
    key = np.ravel_multi_index((table.case, table.judge, low, high), shape)
    keys, place = np.unique(key, return_inverse=True)
    case, _, left, right = np.unravel_index(keys, shape)
    # From the perspective of the variant that comes first in the table.
    balance = np.sign(sum_by(place, _for_lower(table).astype(np.float64), len(keys)))
    wins = np.zeros((count, count), dtype=np.int64)
    ties = np.zeros((count, count), dtype=np.int64)
    np.add.at(wins, (left[balance > 0], right[balance > 0]), 1)
    np.add.at(wins, (right[balance < 0], left[balance < 0]), 1)
    np.add.at(ties, (left[balance == 0], right[balance == 0]), 1)
    shares = np.column_stack([(1 + balance) / 2, (1 - balance) / 2])
    rates = _rates(np.column_stack([left, right]), shares, case, (len(table.cases), count))
    return WinMatrix(
        variants=tuple(variant.key for variant in table.variants),
        wins=_nested(wins),
        ties=_nested(ties + ties.T),
        win_rates=tuple(estimate_means(rates)),
        consistency=_consistency(table, place, len(keys)),
    )


def _for_lower(table: PairTable) -> Ints:
    """The outcome from the perspective of the variant that comes first in the table."""
    return np.where(table.first < table.second, table.outcome, -table.outcome)


def _rates(sides: Ints, shares: Floats, case: Ints, shape: tuple[int, int]) -> Floats:
    """Win rates per case and variant; NaN where a case has no comparison of the variant."""
    key = (case[:, None] * shape[1] + sides).ravel()
    size = shape[0] * shape[1]
    return mean_by(key, shares.ravel(), size).reshape(shape)


def _consistency(table: PairTable, place: Ints, count: int) -> float | None:
    """Of comparisons made in both orders, the share with the same answer in both. A choice in one
    order and a tie in the other are different answers.
    """
    forward = table.first < table.second
    chosen = _for_lower(table)
    orders = [np.bincount(place[side], minlength=count) > 0 for side in (forward, ~forward)]
    in_both = orders[0] & orders[1]
    if not in_both.any():
        return None
    given = [np.bincount(place[chosen == answer], minlength=count) > 0 for answer in (1, 0, -1)]
    return float((np.sum(given, axis=0) == 1)[in_both].mean())


def _nested(matrix: Ints) -> Sequence[Sequence[int]]:
    return tuple(tuple(row) for row in matrix.tolist())
