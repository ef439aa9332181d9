"""The scorers of a run: checked when it is planned, made ready when it is worked on."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import Invalid, NotFound
from edison.library.models import service as models
from edison.pipeline.score.applying import ConfiguredScorer, ScorerConfig, configure
from edison.pipeline.score.registry import load_scorer
from edison.runs.engine.models import RunScorer
from edison.runs.engine.planning import PlannedScorer
from edison.runs.engine.schemas.requests import ScorerRequest


def plan(
    index: int, request: ScorerRequest, *, on_problem: Callable[[str, str, str], None]
) -> PlannedScorer | None:
    """None when it does not fit, which is told to `on_problem`."""
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
        # As the scorer reads them, with its defaults of today.
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
    """Tells of judges' models that are not to be had; `asked` are fields and their models."""
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


def model_ids_of(scorer: PlannedScorer) -> Sequence[UUID]:
    """The models that it asks."""
    return load_scorer(scorer.kind).model_validate(scorer.options).model_ids
