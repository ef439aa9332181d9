"""The wizard's advice that needs no model call."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest
from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.library.calls.gateway import Gateway
from edison.library.models import service as models
from edison.library.models.schemas import ModelFilter, ModelRead
from edison.loops.experiments.drafts.estimate import estimate
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.assist import (
    AssistRead,
    AssistRequest,
    LimitsOption,
    ModelOption,
)
from edison.pipeline.refine.assist import advice
from edison.pipeline.refine.assist.advice import JudgeCandidate

# Only the first models of the registry are considered.
MOST_MODELS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistContext:
    """Context of an assistant request."""

    database: Database
    gateway: Gateway
    project_id: UUID
    author_id: UUID


async def list_models(session: AsyncSession, project_id: UUID) -> Sequence[ModelRead]:
    found = await models.list_models(
        session,
        project_id=project_id,
        page=PageRequest(limit=MOST_MODELS),
        wanted=ModelFilter(is_enabled=True),
    )
    return found.items


async def recommend_models(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    """Recommends a fast, a balanced and a smart model."""
    async with context.database.read() as session:
        found = await models.get_advice(session, project_id=context.project_id)
    return AssistRead.model_validate(
        {"models": [_option(each.model, each.reason) for each in found.balanced_set]}
    )


async def prune_models(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    """The expensive ones among the chosen models."""
    chosen = {each.model_id for each in wanted.draft.models.models}
    async with context.database.read() as session:
        found = await models.get_advice(session, project_id=context.project_id)
    costly = [each for each in found.costly if each.model.id in chosen]
    return AssistRead.model_validate(
        {"models": [_option(each.model, each.reason) for each in costly]}
    )


async def recommend_judges(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    """Capable models of other families than the answering ones."""
    async with context.database.read() as session:
        registry = await list_models(session, context.project_id)
        costly = {
            each.model.id
            for each in (await models.get_advice(session, project_id=context.project_id)).costly
        }
    known = {str(each.id): each for each in registry}
    advised = advice.recommend_judges(
        [_facts(each, is_costly=each.id in costly) for each in registry],
        answering=[str(each.model_id) for each in wanted.draft.models.models],
    )
    return AssistRead.model_validate(
        {"models": [_option(known[each.model.id], each.reason) for each in advised]}
    )


async def suggest_limits(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    """Limits based on the estimated cost of an iteration, so the other steps must be complete.
    Raises Invalid with their problems.
    """
    if wanted.experiment_id is None:
        message = "Name the experiment."
        raise Invalid(FieldProblem(field="experiment_id", message=message, code="missing"))
    async with context.database.read() as session:
        experiment = await Experiments(session).get(context.project_id, wanted.experiment_id)
    found = await estimate(
        context.database,
        experiment=experiment,
        draft=wanted.draft,
        author_id=context.author_id,
        at_once=context.gateway.calls_per_credential,
    )
    if found.iteration is None:
        raise Invalid(
            *(
                FieldProblem(field=f"draft.{each.field}", message=each.message, code=each.code)
                for each in found.problems
            )
        )
    cost = found.iteration.cost.high_usd
    limits = advice.suggest_limits(
        train_cases=found.train_cases or 0,
        iteration_cost_nanos=None if cost is None else nanos_from_usd(cost),
    )
    rules = limits.rules
    nanos = rules.max_cost_nanos
    return AssistRead.model_validate(
        {
            "limits": LimitsOption(
                max_iterations=rules.max_iterations,
                min_improvement=rules.min_improvement,
                convergence_window=rules.convergence_window,
                budget_usd=None if nanos is None else usd_from_nanos(nanos),
                alert_threshold=limits.alert_share,
                is_adaptive=limits.samples_adaptively,
            ),
            "reasons": list(limits.reasons),
        }
    )


def _option(model: ModelRead, reason: str) -> ModelOption:
    return ModelOption(model_id=model.id, name=model.display_name, reason=reason)


def _facts(model: ModelRead, *, is_costly: bool) -> JudgeCandidate:
    prices = model.prices
    price = None
    if prices.input_usd_per_million is not None and prices.output_usd_per_million is not None:
        total = prices.input_usd_per_million + prices.output_usd_per_million
        price = nanos_from_usd(total) // 2
    return JudgeCandidate(
        id=str(model.id),
        name=model.display_name,
        family=model.provider,
        price=price,
        is_costly=is_costly,
    )
