"""Who will score and compare the answers of a run, as far as the request can be met."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from edison.runs.engine import comparers, graders, scorers
from edison.runs.engine.planning import PlannedCase, PlannedComparer, PlannedScorer, pairs_of
from edison.runs.engine.schemas.requests import MOST_COMPARISONS, RunRequest, ScorerRequest
from edison.runs.engine.versions import ChosenVersion

Problem = Callable[[str, str, str], None]


def plan_scorers(
    requests: Sequence[ScorerRequest | None],
    of_graders: Mapping[int, ChosenVersion | None],
    cases: Sequence[PlannedCase],
    *,
    on_problem: Problem,
) -> dict[int, PlannedScorer]:
    """Those that fit, by their places in the request; of the others `on_problem` is told.
    `of_graders` are the grader prompts' versions by the places of their scorers.
    """
    frozen = graders.freeze(requests, of_graders, cases, on_problem=on_problem)
    planned = {
        index: scorers.plan(index, request, on_problem=on_problem)
        for index, request in enumerate(frozen)
        if request is not None
    }
    return {index: scorer for index, scorer in planned.items() if scorer is not None}


def plan_comparers(
    wanted: RunRequest, case_count: int, *, on_problem: Problem
) -> dict[int, PlannedComparer]:
    """Those that fit, by their places in the request; of the others `on_problem` is told."""
    count = len(wanted.variants)
    planned = {
        index: comparers.plan(index, request, variant_count=count, on_problem=on_problem)
        for index, request in enumerate(wanted.comparers)
    }
    chosen = {index: comparer for index, comparer in planned.items() if comparer is not None}
    pairs = sum(len(pairs_of(count, each.baseline)) for each in chosen.values())
    if pairs * case_count * wanted.repeats > MOST_COMPARISONS:
        message = (
            f"A run may have at most {MOST_COMPARISONS:,} comparisons. Compare with a baseline, "
            "or fewer cases."
        )
        on_problem("comparers", message, "too_many_comparisons")
    return chosen


def list_models(
    chosen: Mapping[int, PlannedScorer], compared_by: Mapping[int, PlannedComparer]
) -> Iterator[tuple[str, Sequence[UUID]]]:
    """The models that are asked, by the field of the request that names them."""
    for index, scorer in chosen.items():
        yield f"scorers.{index}.options", scorers.model_ids_of(scorer)
    for index, comparer in compared_by.items():
        yield f"comparers.{index}.options", comparers.model_ids_of(comparer)
