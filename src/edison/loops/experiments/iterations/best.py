"""The best version of an experiment, and the sentence that justifies it."""

from collections.abc import Sequence
from uuid import UUID

from edison.loops.experiments.iterations.measure import comparison_of, estimate_of, metrics_of
from edison.loops.experiments.models import Iteration
from edison.loops.experiments.schemas.experiments import BestRead, GateRead
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.pipeline.refine.choose import (
    BestVersion,
    GateState,
    HoldoutTest,
    Measured,
    choose_best,
    find_leader,
    is_worn_out,
)

Row = tuple[Iteration, IterationMetrics]
TRAINING_ONLY = (
    "Chosen by the training cases, since no held-out case has a score: the gain on new cases is "
    "unknown. Add held-out cases to test it."
)


def find_best(iterations: Sequence[Iteration]) -> BestRead | None:
    """None before the first measurement."""
    rows = measured_rows(iterations)
    choice = choose_best(measure_versions(rows))
    if choice is None:
        return None
    by_number = {str(each.number): each for each, _ in rows}
    best, leader = by_number[choice.version], by_number[choice.leader]
    return BestRead(
        iteration=best.number,
        version_id=best.version_id,
        version_label=best.version_label,
        score=choice.score,
        basis=choice.basis.value,
        warnings=_warnings(choice),
        gate=_gate(choice, best, leader, has_others=len({each.version_id for each, _ in rows}) > 1),
    )


def find_base(rows: Sequence[Row]) -> Row | None:
    """The iteration whose version leads on the training cases: refiners continue from it. Of equal
    ones the latest, which was approved.
    """
    found = find_leader(measure_versions(rows), prefers_latest=True)
    if found is None:
        return None
    return next(row for row in rows if str(row[0].number) == found[0].version)


def measured_rows(iterations: Sequence[Iteration]) -> list[Row]:
    return [(each, metrics) for each in iterations if (metrics := metrics_of(each)) is not None]


def measure_versions(rows: Sequence[Row]) -> list[Measured]:
    """Iterations that measured the same version share its test."""
    scored = [row for row in rows if row[1].train.value is not None]
    tests: dict[UUID | None, HoldoutTest] = {}
    for iteration, metrics in scored:
        test = _test(metrics)
        if test is not None:
            tests.setdefault(iteration.version_id, test)
    first_id = scored[0][0].version_id if scored else None
    return [
        Measured(
            version=str(iteration.number),
            train=estimate_of(metrics.train),
            gain=0.0 if _is(iteration, first_id) else metrics.train_gain,
            holdout=None if metrics.holdout is None else estimate_of(metrics.holdout),
            test=_test(metrics)
            if iteration.version_id is None
            else tests.get(iteration.version_id),
        )
        for iteration, metrics in scored
    ]


def _is(iteration: Iteration, version_id: UUID | None) -> bool:
    return version_id is not None and iteration.version_id == version_id


def _test(metrics: IterationMetrics) -> HoldoutTest | None:
    test, comparison = metrics.holdout_test, metrics.against_first
    if test is None:
        return None
    return HoldoutTest(
        looks=test.looks,
        cases=test.cases,
        look=test.look,
        alpha=test.alpha,
        comparison=None if comparison is None else comparison_of(comparison),
    )


def _gate(choice: BestVersion, best: Iteration, leader: Iteration, *, has_others: bool) -> GateRead:
    test = choice.test
    return GateRead(
        state=choice.state,
        iteration=leader.number,
        version_label=leader.version_label,
        training_gain=choice.leader_gain,
        look=None if test is None else test.look,
        alpha=None if test is None else test.alpha,
        looks=0 if test is None else test.looks,
        sentence=_sentence(choice, best, leader) if has_others else None,
    )


def _sentence(choice: BestVersion, best: Iteration, leader: Iteration) -> str:
    looked = (
        f"{leader.version_label} looked better by {_points(choice.leader_gain, sign='')} on the "
        "training cases"
    )
    stays = f"{best.version_label} stays the best."
    test = choice.test
    match choice.state:
        case GateState.FIRST:
            return f"No version did better than {best.version_label} on the training cases."
        case GateState.NO_CASES:
            return f"{looked}. It was not tested: there are no held-out cases."
        case GateState.WORN_OUT if test is not None:
            return (
                f"{looked}. It was not tested: {test.cases} held-out cases cannot show a gain at "
                f"look {test.looks + 1} at them. Add fresh held-out cases. {stays}"
            )
        case GateState.PASSED | GateState.FAILED if test is not None:
            tested = f"On held-out cases {_tested(test)}."
            if choice.state is GateState.PASSED:
                return f"{looked}. {tested} It is better than the first version."
            return f"{looked}. {tested} This is not enough evidence: {stays}"
        case _:
            return (
                f"{looked}, and was not tested on held-out cases yet. The next iteration tests the "
                f"version that leads then. {stays}"
            )


def _tested(test: HoldoutTest) -> str:
    budget = f"look {test.look} at them, alpha {test.alpha:.2g}"
    comparison = test.comparison
    if comparison is None or comparison.difference.value is None:
        return f"no score can be compared ({budget})"
    difference = comparison.difference
    interval = difference.interval
    reach = "" if interval is None else f" ({_points(interval.low)} to {_points(interval.high)})"
    said = f"the difference is {_points(comparison.difference.value)}{reach}"
    return f"{said} on {difference.cases} cases ({budget})"


def _points(value: float, *, sign: str = "+") -> str:
    """Points out of 10."""
    shown = f"{10 * value:{sign}.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown


def _warnings(choice: BestVersion) -> list[str]:
    test = choice.test
    if choice.state is GateState.NO_CASES:
        return [TRAINING_ONLY]
    if (
        test is not None
        and test.look is not None
        and is_worn_out(cases=test.cases, looks=test.looks)
    ):
        times = "once" if test.looks == 1 else f"{test.looks} times"
        return [
            f"These {test.cases} held-out cases were looked at {times}, which leaves too little of "
            "their error budget. Replace them with fresh cases before the next test."
        ]
    return []
