"""A test of paired differences that stays valid however often and whenever it is looked at, from
the first case on.

Testing by betting (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by
betting", JRSS B 86): a bettor starts with a capital of 1 and bets on every case that the mean
difference is below zero. If it is not, no strategy multiplies the capital by 1 / alpha with a
probability above alpha, at any time (Ville's inequality). Differences must lie in -1..1, and the
cases must come in an order that does not depend on their scores. Other than the confidence sequence
of `sequence`, this needs no minimum number of cases.
"""

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import Floats

# Part of the capital at stake. 1 would lose everything to a single case.
_MOST_STAKED = 0.75
# What is assumed before the first case, counted as one case: no difference, and this variance.
_PRIOR_VARIANCE = 0.25


def capital_against(differences: Floats) -> Floats:
    """The bettor's capital after each case, given differences in chronological order; NaN is a
    case without a score and changes nothing. Grows while differences are below zero.
    """
    capital, mean_sum, square_sum, known = 1.0, 0.0, _PRIOR_VARIANCE, 1
    path = np.empty(len(differences))
    for at, difference in enumerate(differences):
        if not np.isnan(difference):
            loss = mean_sum / known
            stake = loss / (square_sum / known + loss**2)
            capital *= 1 - min(max(stake, 0.0), _MOST_STAKED) * float(difference)
            mean_sum -= float(difference)
            known += 1
            square_sum += (float(difference) + mean_sum / known) ** 2
        path[at] = capital
    return path


def p_value_below(differences: Floats) -> float:
    """Of "the mean difference is not below zero", valid at every look."""
    if not len(differences):
        return 1.0
    return min(1.0, 1 / max(1.0, float(capital_against(differences).max())))
