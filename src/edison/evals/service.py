"""Evaluations through the API: a run with a cost limit of its own."""

import hashlib
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.evals.models import Evaluation
from edison.evals.repository import Evaluations
from edison.evals.schemas import EvaluationRead, EvaluationRequest, EvaluationRunRead
from edison.evals.start import ORIGIN
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunEstimate
from edison.runs.plan.types import RunContext
from edison.runs.store.states import OVER, RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit

_LONGEST_NAME = 100


async def start_evaluation(
    database: Database,
    *,
    project_id: UUID,
    wanted: EvaluationRequest,
    author_id: UUID,
    at_once: int,
) -> EvaluationRead:
    """Stores the evaluation and starts its run. Raises Invalid, or BudgetExhausted when the low
    estimate does not fit the limit.
    """
    async with database.read() as session:
        survey = await run_plans.read_estimate_input(
            session, project_id=project_id, wanted=wanted.run, author_id=author_id
        )
    estimate = await run_plans.compute_estimate(survey, at_once=at_once)
    _check_prices(wanted, estimate)
    evaluation = Evaluation(
        id=ids.new_id(),
        project_id=project_id,
        name=(wanted.run.name or "Evaluation")[:_LONGEST_NAME],
        fingerprint=hashlib.sha256(wanted.run.model_dump_json().encode()).hexdigest(),
        tags=wanted.tags,
        created_at=clock.now(),
    )
    is_simulated = all(each.model.is_simulated for each in survey.plan.variants)
    async with database.write() as session:
        await Evaluations(session).add(evaluation)
        await budgets.set_scope_limit(
            session,
            project_id=project_id,
            scope=(Scope.EVALUATION, evaluation.id),
            limit=ScopeLimit(limit_usd=wanted.max_cost_usd, counts_simulated=is_simulated),
        )
        run_id = await run_plans.add_run(
            session,
            context=RunContext(
                project_id=project_id,
                origin=ORIGIN,
                author_id=author_id,
                scope_ids=(evaluation.id,),
            ),
            wanted=wanted.run,
            estimate=estimate,
        )
        await Evaluations(session).add_runs(evaluation.id, [run_id])
        return await get_evaluation(session, project_id=project_id, evaluation_id=evaluation.id)


def _check_prices(wanted: EvaluationRequest, estimate: RunEstimate) -> None:
    if wanted.max_cost_usd is not None and estimate.unpriced_models:
        names = ", ".join(estimate.unpriced_models)
        message = f"A limit needs prices, and those of {names} are not known."
        raise Invalid(FieldProblem(field="max_cost_usd", message=message, code="unpriced"))


async def get_evaluation(
    session: AsyncSession, *, project_id: UUID, evaluation_id: UUID
) -> EvaluationRead:
    """Raises NotFound."""
    stored = Evaluations(session)
    found = await stored.find(evaluation_id)
    if found is None or found.project_id != project_id:
        raise NotFound("There is no such evaluation in this project.")
    runs = await stored.list_runs(found.id)
    return EvaluationRead(
        id=found.id,
        name=found.name,
        project_slug=await stored.find_slug(project_id) or "",
        tags=found.tags,
        created_at=found.created_at,
        is_waiting=all(each.state in (*OVER, RunState.PAUSED) for each in runs),
        done_count=sum(each.done_count for each in runs),
        cell_count=sum(each.cell_count for each in runs),
        runs=[EvaluationRunRead.model_validate(each) for each in runs],
    )
