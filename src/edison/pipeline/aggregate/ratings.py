"""Ratings from pairwise comparisons: Bradley-Terry with ties and with an advantage of the first
position (Davidson 1970; Davidson and Beaver 1977).

With strengths s, an advantage a of the first and a tie parameter t, the probabilities of "first",
"second" and "tie" are proportional to exp(x), exp(-x) and exp(t), where x = (s[first] - s[second] +
a) / 2. Comparisons of one case share its difficulty, so errors are clustered by case (sandwich
estimator), and never smaller than the model's own errors, which they would be where one variant
always wins. A weak penalty towards "all equal" keeps strengths finite there and where no
comparisons link two variants.
"""

import math

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import sum_by
from edison.pipeline.aggregate.quantiles import normal_quantile
from edison.pipeline.aggregate.results import EloRating, Interval, Ratings
from edison.pipeline.aggregate.table import Floats, Ints, PairTable

AVERAGE = 1000.0
# A strength of log(10) means ten wins per loss.
_POINTS = 400 / math.log(10)
_PULL = 0.01
_MOST_STEPS = 100
_LONGEST_STEP = 5.0


def rate(table: PairTable, *, level: float = 0.95) -> Ratings:
    """Rates every variant. A variant without comparisons gets the average, with a wide interval."""
    fit = _fit(table)
    variants = len(table.variants)
    # Strengths are identified up to a constant: report them relative to their mean.
    centring = np.eye(variants + 2)
    centring[:variants, :variants] -= 1 / variants if variants else 0
    shown = centring @ fit.parameters
    errors = _errors(table, fit, centring)
    reach = normal_quantile((1 + level) / 2)
    played = np.bincount(np.append(table.first, table.second), minlength=variants)
    return Ratings(
        ratings=tuple(
            EloRating(
                variant=variant.key,
                points=AVERAGE + _POINTS * float(shown[at]),
                interval=_around(AVERAGE, float(shown[at]), reach, errors, at),
                comparisons=int(played[at]),
            )
            for at, variant in enumerate(table.variants)
        ),
        first_advantage=_POINTS * float(shown[variants]),
        first_advantage_interval=_around(0.0, float(shown[variants]), reach, errors, variants),
        tie_share=1 / (1 + 2 * math.exp(-float(shown[variants + 1]))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    """Parameters are the strengths, the advantage of the first and the tie parameter."""

    parameters: Floats
    information: Floats
    gradients: Floats


def _fit(table: PairTable) -> _Fit:
    """Newton's method on the penalised likelihood, which is concave."""
    design = _design(table)
    parameters = np.zeros(len(table.variants) + 2)
    pull = _PULL * np.eye(len(parameters))
    for _ in range(_MOST_STEPS):
        gradients, information = _derivatives(design, table.outcome, parameters)
        step = np.linalg.solve(information + pull, gradients.sum(axis=0) - _PULL * parameters)
        parameters = parameters + step * min(1, _LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    gradients, information = _derivatives(design, table.outcome, parameters)
    return _Fit(parameters=parameters, information=information + pull, gradients=gradients)


def _design(table: PairTable) -> Floats:
    """Derivative of x by each parameter, for every comparison."""
    rows = np.arange(len(table.outcome))
    design = np.zeros((len(rows), len(table.variants) + 2))
    design[rows, table.first] = 0.5
    design[rows, table.second] = -0.5
    design[:, -2] = 0.5
    return design


def _derivatives(design: Floats, outcome: Ints, parameters: Floats) -> tuple[Floats, Floats]:
    """Derivatives of the log-likelihood: the gradient per comparison, and minus the second
    derivative.
    """
    x, tie = design @ parameters, parameters[-1]
    top = np.maximum(np.abs(x), tie)
    weights = np.exp(np.column_stack([x, -x, np.full_like(x, tie)]) - top[:, None])
    first, second, tied = (weights / weights.sum(axis=1, keepdims=True)).T
    lead = first - second
    ties = np.zeros_like(design)
    ties[:, -1] = 1
    gradients = design * (outcome - lead)[:, None] + ties * ((outcome == 0) - tied)[:, None]
    across = design.T @ (ties * (-lead * tied)[:, None])
    information = (
        design.T @ (design * (first + second - lead**2)[:, None])
        + across
        + across.T
        + ties.T @ (ties * (tied * (1 - tied))[:, None])
    )
    return gradients, information


def _errors(table: PairTable, fit: _Fit, centring: Floats) -> Floats | None:
    """Standard errors of the centred parameters; None when all comparisons are of one case."""
    cases = np.unique(table.case)
    if len(cases) < 2:
        return None
    by_case = np.column_stack([sum_by(table.case, column)[cases] for column in fit.gradients.T])
    bread = np.linalg.inv(fit.information)
    clustered = bread @ (by_case.T @ by_case) @ bread * len(cases) / (len(cases) - 1)
    variances = (np.diag(centring @ covariance @ centring.T) for covariance in (clustered, bread))
    return np.sqrt(np.maximum(*variances))


def _around(
    origin: float, shown: float, reach: float, errors: Floats | None, at: int
) -> Interval | None:
    if errors is None:
        return None
    half = reach * float(errors[at])
    return Interval(low=origin + _POINTS * (shown - half), high=origin + _POINTS * (shown + half))
