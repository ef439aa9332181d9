"""Scorers and comparers of a run: validated when it is planned, instantiated when it is filled."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import Invalid, NotFound
from edison.library.models import service as models
from edison.pipeline.score.apply import ConfiguredScorer, ScorerConfig, configure
from edison.pipeline.score.comparer import Comparer
from edison.pipeline.score.registry import comparer_kinds, load_comparer, load_scorer, open_comparer
from edison.runs.plan import saved_scorers
from edison.runs.plan.schemas import (
    MOST_COMPARISONS,
    ComparerKindRead,
    ComparerRequest,
    ScorerRequest,
)
from edison.runs.plan.types import PlannedCase, PlannedComparer, PlannedScorer, pairs_of
from edison.runs.plan.versions import ChosenVersion
from edison.runs.store.models import RunComparer, RunScorer


def plan_scorer(
    index: int, request: ScorerRequest, *, on_problem: Callable[[str, str, str], None]
) -> PlannedScorer | None:
    """None if the request is invalid; problems are reported to `on_problem`."""
    try:
        configured = _configure(request)
    except Invalid as invalid:
        for problem in invalid.problems:
            on_problem(f"scorers.{index}.{problem.field}", problem.message, problem.code)
        return None
    if (obstacle := configured.scorer.find_obstacle()) is not None:
        on_problem(f"scorers.{index}.kind", obstacle, "scorer_unavailable")
        return None
    return PlannedScorer(
        kind=configured.config.kind,
        label=request.label or configured.scorer.title,
        # As parsed, with the current defaults.
        options=configured.scorer.model_dump(mode="json"),
        weight=request.weight,
        threshold=request.threshold,
        is_negated=request.is_negated,
        scorer_version_id=request.scorer_version_id,
    )


def _configure(stored: ScorerRequest | RunScorer) -> ConfiguredScorer:
    return configure(
        ScorerConfig(
            kind=stored.kind or "",
            options=stored.options,
            threshold=stored.threshold,
            weight=stored.weight,
            is_negated=stored.is_negated,
        )
    )


def open_scorers(stored: Sequence[RunScorer]) -> list[ConfiguredScorer]:
    return [_configure(each) for each in stored]


async def check_models(
    session: AsyncSession,
    *,
    project_id: UUID,
    asked: Iterable[tuple[str, Sequence[UUID]]],
    on_problem: Callable[[str, str, str], None],
) -> None:
    """Reports missing or disabled judge models; `asked` pairs request fields with model ids."""
    for field, model_ids in asked:
        for model_id in model_ids:
            try:
                model = await models.get_callable(session, project_id=project_id, model_id=model_id)
            except NotFound:
                message, code = "There is no such model in this project.", "unknown_model"
            else:
                if model.is_enabled:
                    continue
                message, code = f"{model.display_name} is switched off.", "model_disabled"
            on_problem(field, message, code)


def scorer_model_ids(scorer: PlannedScorer) -> Sequence[UUID]:
    """The models that the scorer calls."""
    return load_scorer(scorer.kind).model_validate(scorer.options).model_ids


def list_comparer_kinds() -> list[ComparerKindRead]:
    return [
        ComparerKindRead(
            kind=kind,
            title=comparer.title,
            description=comparer.description,
            cost_class=comparer.cost_class,
            options_schema=comparer.model_json_schema(),
        )
        for kind in comparer_kinds()
        for comparer in (load_comparer(kind),)
    ]


def plan_comparer(
    index: int,
    request: ComparerRequest,
    *,
    variant_count: int,
    on_problem: Callable[[str, str, str], None],
) -> PlannedComparer | None:
    """None if the options are invalid; problems are reported to `on_problem`."""
    place = f"comparers.{index}"
    if variant_count < 2:
        on_problem(place, "Comparing takes at least two variants.", "too_few_variants")
    if request.baseline is not None and request.baseline >= variant_count:
        on_problem(f"{place}.baseline", "There is no such variant.", "unknown_variant")
    try:
        comparer = open_comparer(request.kind, request.options)
    except Invalid as invalid:
        for problem in invalid.problems:
            on_problem(f"{place}.{problem.field}", problem.message, problem.code)
        return None
    return PlannedComparer(
        kind=request.kind,
        label=request.label or comparer.title,
        # As parsed, with the current defaults.
        options=comparer.model_dump(mode="json"),
        baseline=request.baseline,
    )


def open_comparers(stored: Sequence[RunComparer]) -> list[Comparer]:
    return [open_comparer(each.kind, each.options) for each in stored]


def comparer_model_ids(planned: PlannedComparer) -> Sequence[UUID]:
    """The models that the comparer calls."""
    return open_comparer(planned.kind, planned.options).model_ids


Problem = Callable[[str, str, str], None]


def plan_scorers(
    requests: Sequence[ScorerRequest | None],
    of_graders: Mapping[int, ChosenVersion | None],
    cases: Sequence[PlannedCase],
    *,
    on_problem: Problem,
) -> dict[int, PlannedScorer]:
    """The valid scorers by position in the request; problems are reported to `on_problem`.
    `of_graders` are the grader prompts' versions by scorer position.
    """
    frozen = saved_scorers.embed_grader_prompts(requests, of_graders, cases, on_problem=on_problem)
    planned = {
        index: plan_scorer(index, request, on_problem=on_problem)
        for index, request in enumerate(frozen)
        if request is not None
    }
    return {index: scorer for index, scorer in planned.items() if scorer is not None}


def plan_comparers(
    requests: Sequence[ComparerRequest],
    *,
    variant_count: int,
    answers_each: int,
    on_problem: Problem,
) -> dict[int, PlannedComparer]:
    """The valid comparers by position in the request; problems are reported to `on_problem`. Each
    variant has `answers_each` answers.
    """
    planned = {
        index: plan_comparer(index, request, variant_count=variant_count, on_problem=on_problem)
        for index, request in enumerate(requests)
    }
    chosen = {index: comparer for index, comparer in planned.items() if comparer is not None}
    pairs = sum(len(pairs_of(variant_count, each.baseline)) for each in chosen.values())
    if pairs * answers_each > MOST_COMPARISONS:
        message = (
            f"A run may have at most {MOST_COMPARISONS:,} comparisons. Compare with a baseline, "
            "or fewer cases."
        )
        on_problem("comparers", message, "too_many_comparisons")
    return chosen


def list_models(
    chosen: Mapping[int, PlannedScorer], compared_by: Mapping[int, PlannedComparer]
) -> Iterator[tuple[str, Sequence[UUID]]]:
    """The models called by scorers and comparers, by the request field that names them."""
    for index, scorer in chosen.items():
        yield f"scorers.{index}.options", scorer_model_ids(scorer)
    for index, comparer in compared_by.items():
        yield f"comparers.{index}.options", comparer_model_ids(comparer)
