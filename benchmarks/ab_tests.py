"""A/B tests in simulated worlds, looked at after every pair of answers until they stop."""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.figures import Figure
from edison.pipeline.aggregate.ab_test import AbPlan, AbRecommendation, AbStop, decide
from edison.pipeline.aggregate.table import Floats

TESTS = 1_000
PLAN = AbPlan(pairs=300)
_CLAIMS = (AbRecommendation.TAKE_SECOND, AbRecommendation.KEEP_FIRST)

Sides = Callable[[np.random.Generator, float], tuple[Floats, Floats]]


def measure_ab_tests() -> Iterator[Figure]:
    for at, (name, sides) in enumerate(_WORLDS.items()):
        ends = [_run(sides(np.random.default_rng((3, at, number)), 0.0)) for number in range(TESTS)]
        wrong = float(np.mean([claim in _CLAIMS for claim, _ in ends]))
        used = float(np.mean([pairs for _, pairs in ends]))
        yield Figure(
            name=f"A/B test of equals, {name}, a look at every pair: wrong decisions",
            value=f"{wrong:.1%}",
            ratio=f"{used:.0f} of {PLAN.pairs} pairs used",
            target="<= 5 %",
            is_met=wrong <= 0.05,
        )
    for effect in (0.05, 0.1, 0.2):
        ends = [
            _run(_graded(np.random.default_rng((4, round(100 * effect), number)), effect))
            for number in range(TESTS // 4)
        ]
        found = np.mean([claim is AbRecommendation.TAKE_SECOND for claim, _ in ends])
        used = float(np.mean([pairs for _, pairs in ends]))
        yield Figure(
            name=f"A/B test, graded, second better by {effect:.2f}: recommended",
            value=f"{found:.0%}",
            ratio=f"{used:.0f} of {PLAN.pairs} pairs used",
        )


def _run(sides: tuple[Floats, Floats]) -> tuple[AbRecommendation, int]:
    first, second = sides
    for count in range(1, PLAN.pairs + 1):
        result = decide(first[:count], second[:count], PLAN)
        if result.stop is not None:
            break
    assert result.stop in (AbStop.DECIDED, AbStop.FUTILE, AbStop.COMPLETE)
    return result.recommendation, result.pairs


def _graded(random: np.random.Generator, effect: float) -> tuple[Floats, Floats]:
    quality = random.beta(4, 2, PLAN.pairs)
    first, second = (quality + random.normal(0, 0.15, PLAN.pairs) for _ in range(2))
    return first, second + effect


def _pass_or_fail(random: np.random.Generator, effect: float) -> tuple[Floats, Floats]:
    """Recorded traffic: both sides answer different inputs."""
    first = random.random(PLAN.pairs) < 0.8
    second = random.random(PLAN.pairs) < 0.8 + effect
    return first.astype(np.float64), second.astype(np.float64)


def _disasters(random: np.random.Generator, effect: float) -> tuple[Floats, Floats]:
    """A tenth of the second's answers fail badly, the others gain as much in total."""
    first = random.normal(0.7, 0.05, PLAN.pairs)
    is_broken = random.random(PLAN.pairs) < 0.1
    change = np.where(is_broken, -0.45, 0.05) + random.normal(effect, 0.05, PLAN.pairs)
    return first, first + change


_WORLDS: dict[str, Sides] = {
    "graded": _graded,
    "pass/fail traffic": _pass_or_fail,
    "10 % disasters": _disasters,
}
