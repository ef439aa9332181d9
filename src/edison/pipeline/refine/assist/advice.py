"""Wizard recommendations that need no model: which judges to use, and when to stop.

Both are derived from facts about models and cases, with reasons. Price is the proxy for ability, as
in the model recommendations, because it is known before any run.
"""

from collections.abc import Collection, Sequence

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import NANOS_PER_USD, usd_from_nanos
from edison.pipeline.aggregate.power import minimum_detectable_effect
from edison.pipeline.refine.stop import StopRules

_MOST_JUDGES = 3
_USUAL_ITERATIONS = 10
_FEWEST_ITERATIONS = 2
_ALERT_SHARE = 0.8
# Typical difference of a case's composite between two versions.
_USUAL_SPREAD = 0.2
# Costs are estimates: a loop may exceed them by this factor.
_ALLOWANCE = 1.5
_CASES_TO_STOP_EARLY = 60
# (minimum number of cases, smallest relative improvement, convergence window)
_PATIENCE = ((100, 0.02, 3), (30, 0.03, 3), (0, 0.05, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCandidate:
    """`price` is the mean of input and output price in nano-dollars per million tokens."""

    id: str
    name: str
    family: str
    price: int | None
    is_costly: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAdvice:
    model: JudgeCandidate
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`reasons` has a sentence for each choice."""

    rules: StopRules
    alert_share: float
    samples_adaptively: bool
    reasons: tuple[str, ...]


def recommend_judges(
    models: Sequence[JudgeCandidate], *, answering: Collection[str]
) -> tuple[JudgeAdvice, ...]:
    """Recommends up to three judges, best first: able ones by price, each of a different family,
    and preferably of families that are not under test. Costly models only if there are no others.
    `answering` are the ids of the models under test.
    """
    own = {model.family for model in models if model.id in answering}
    affordable = [model for model in models if not model.is_costly] or list(models)
    ranked = sorted(
        affordable,
        key=lambda model: (
            model.family in own,
            model.price is None,
            -(model.price or 0),
            model.name,
        ),
    )
    chosen: dict[str, JudgeCandidate] = {}
    for model in ranked:
        chosen.setdefault(model.family, model)
    strangers = [model for family, model in chosen.items() if family not in own]
    # Judges of a family under test only fill up to two judges.
    relatives = [model for family, model in chosen.items() if family in own]
    advised = (strangers + relatives[: max(0, 2 - len(strangers))])[:_MOST_JUDGES]
    return tuple(
        JudgeAdvice(model=model, reason=_judge_reason(model, is_own=model.family in own))
        for model in advised
    )


def suggest_limits(
    *,
    train_cases: int,
    iteration_cost_nanos: int | None,
    budget_left_nanos: int | None = None,
) -> Limits:
    """`iteration_cost_nanos` is the expected cost of an iteration, None when a price is unknown;
    `budget_left_nanos` is the remaining budget of the project, None without a limit.
    """
    iterations, why_iterations = _iterations(iteration_cost_nanos, budget_left_nanos)
    _, improvement, window = next(row for row in _PATIENCE if train_cases >= row[0])
    cost = None
    if iteration_cost_nanos is not None:
        cost = _rounded_up(int(iterations * iteration_cost_nanos * _ALLOWANCE))
        if budget_left_nanos is not None:
            cost = min(cost, budget_left_nanos)
    is_adaptive = train_cases >= _CASES_TO_STOP_EARLY
    return Limits(
        rules=StopRules(
            max_iterations=iterations,
            min_improvement=improvement,
            convergence_window=window,
            max_cost_nanos=cost,
        ),
        alert_share=_ALERT_SHARE,
        samples_adaptively=is_adaptive,
        reasons=(
            why_iterations,
            _why_improvement(train_cases, improvement, window),
            _why_cost(cost),
            _why_adaptive(train_cases, is_adaptive=is_adaptive),
        ),
    )


def _judge_reason(model: JudgeCandidate, *, is_own: bool) -> str:
    if is_own:
        return (
            "Of the same family as a model that answers, for want of another: judges favour "
            "their own kind at times, so look at its bias in the results."
        )
    able = "" if model.price is None else " and the most able one of its family by its price"
    return f"Of another family than the models that answer{able}."


def _iterations(cost_nanos: int | None, left_nanos: int | None) -> tuple[int, str]:
    if not cost_nanos or left_nanos is None or left_nanos >= _USUAL_ITERATIONS * cost_nanos:
        return (
            _USUAL_ITERATIONS,
            f"{_USUAL_ITERATIONS} iterations: most is gained in the first few.",
        )
    iterations = max(_FEWEST_ITERATIONS, left_nanos // cost_nanos)
    return iterations, (
        f"{iterations} iterations: what is left of the budget does not pay for more."
    )


def _why_improvement(cases: int, improvement: float, window: int) -> str:
    seen = minimum_detectable_effect(_USUAL_SPREAD, cases)
    limit = (
        ""
        if seen is None
        else f", and differences below {10 * seen:.1f} of 10 points are hard to see"
    )
    return (
        f"Stop when {window} iterations bring less than {improvement:.0%}: there are {cases} cases"
        f"{limit}."
    )


def _why_cost(cost: int | None) -> str:
    if cost is None:
        return "No limit of cost is suggested, since a model has no price."
    return f"${usd_from_nanos(cost):,} leaves room for answers that are longer than expected."


def _why_adaptive(cases: int, *, is_adaptive: bool) -> str:
    if is_adaptive:
        return f"With {cases} cases it pays to stop early once a comparison is decided."
    return f"With {cases} cases there is little to save by stopping comparisons early."


def _rounded_up(nanos: int) -> int:
    """To cents up to a dollar, to dollars above."""
    step = NANOS_PER_USD if nanos > NANOS_PER_USD else NANOS_PER_USD // 100
    return -(-nanos // step) * step
