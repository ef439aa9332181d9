"""Evaluations through the API: runs with a cost limit of their own, also from configurations."""

import hashlib
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.evals import evaluations, wire
from edison.evals.baseline import read_stored
from edison.evals.errors import ConfigError
from edison.evals.evaluations import EvalTerms
from edison.evals.models import Evaluation
from edison.evals.project_models import ProjectModels
from edison.evals.repository import Evaluations
from edison.evals.schemas import (
    EvaluationBaseline,
    EvaluationCell,
    EvaluationCellPage,
    EvaluationPlan,
    EvaluationRead,
    EvaluationRequest,
    EvaluationRunRead,
    MeasuredRowRead,
)
from edison.evals.start import ORIGIN, Starter
from edison.evals.waits import list_waits
from edison.kit import clock, ids
from edison.kit.errors import Conflict, FieldProblem, Invalid, NotFound
from edison.pipeline.score.assertions.read import InvalidAssertion, read_assertions
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunEstimate
from edison.runs.plan.types import RunContext
from edison.runs.read.schemas import WaitingRead
from edison.runs.store.outputs import Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.states import OVER, RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit

_LONGEST_NAME = 100
_MOST_PROBLEMS = 20
_CASES = 200


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
            earlier=survey.plan,
        )
        await Evaluations(session).add_runs(evaluation.id, [run_id])
        return await get_evaluation(session, project_id=project_id, evaluation_id=evaluation.id)


def _check_prices(wanted: EvaluationRequest, estimate: RunEstimate) -> None:
    if wanted.max_cost_usd is not None and estimate.unpriced_models:
        names = ", ".join(estimate.unpriced_models)
        message = f"A limit needs prices, and those of {names} are not known."
        raise Invalid(FieldProblem(field="max_cost_usd", message=message, code="unpriced"))


async def start_plan(
    database: Database, *, project_id: UUID, wanted: EvaluationPlan, author_id: UUID
) -> EvaluationRead:
    """Starts or resumes an evaluation that was read from a configuration elsewhere. Raises Invalid,
    Conflict, or BudgetExhausted.
    """
    _check_assertions(wanted)
    terms = EvalTerms(
        max_cost_usd=wanted.max_cost_usd,
        resumes=wanted.resumes,
        retries_errors=wanted.retries_errors,
        evaluation=None if wanted.evaluation_id is None else str(wanted.evaluation_id),
        author_id=author_id,
    )
    try:
        plan, groups, graders = wire.read_document(wanted)
        if terms.is_continued:
            evaluation_id, _ = await evaluations.go_on(
                database, groups, plan=plan, terms=terms, project_id=project_id, is_alone=False
            )
        else:
            async with database.write() as session:
                registry = ProjectModels(session, project_id=project_id)
                starter = Starter(session, plan, registry=registry, graders=graders, env={})
                evaluation_id, _ = await evaluations.begin(
                    session, starter, groups, plan=plan, terms=terms, project_id=project_id
                )
    except ConfigError as wrong:
        raise Conflict(wrong.message) from wrong
    async with database.read() as session:
        return await get_evaluation(session, project_id=project_id, evaluation_id=evaluation_id)


def _check_assertions(wanted: EvaluationPlan) -> None:
    problems = []
    for at, group in enumerate(wanted.groups):
        for number, test in enumerate(group.tests):
            field = f"groups.{at}.tests.{number}.checks.assertions"
            try:
                read_assertions(test.checks.assertions)
            except InvalidAssertion as invalid:
                problems.append(FieldProblem(field=field, message=str(invalid), code="invalid"))
    if problems:
        raise Invalid(*problems[:_MOST_PROBLEMS])


async def list_cells(
    session: AsyncSession, *, project_id: UUID, evaluation_id: UUID, position: int, after: int
) -> EvaluationCellPage:
    """Answers and verdicts of the next cases of a run; empty after the last run. Raises
    NotFound.
    """
    found = await get_evaluation(session, project_id=project_id, evaluation_id=evaluation_id)
    if position >= len(found.runs):
        return EvaluationCellPage(items=[], next=None)
    run_id = found.runs[position].id
    run = await Runs(session).get(project_id, run_id)
    first, end = after, min(after + _CASES, run.case_count)
    reading = Outputs(session)
    outputs = await reading.list_outputs(run_id, first, end)
    scores = {each.output_id: each for each in await reading.list_scores([o.id for o in outputs])}
    names = [name for name in EvaluationCell.model_fields if name != "score"]
    return EvaluationCellPage(
        items=[
            EvaluationCell.model_validate(
                {name: getattr(each, name) for name in names} | {"score": scores.get(each.id)}
            )
            for each in outputs
        ],
        next=end if end < run.case_count else None,
    )


async def get_baseline(
    session: AsyncSession, *, project_id: UUID, evaluation_id: UUID
) -> EvaluationBaseline:
    """Raises NotFound."""
    found = await get_evaluation(session, project_id=project_id, evaluation_id=evaluation_id)
    stored = await read_stored(session, str(found.id))
    return EvaluationBaseline(rows=[MeasuredRowRead.model_validate(each) for each in stored.rows])


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
        waits=[
            WaitingRead.model_validate(each)
            for each in await list_waits(session, [run.id for run in runs])
        ],
        runs=[EvaluationRunRead.model_validate(each) for each in runs],
    )
