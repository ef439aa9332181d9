"""Scores a completed run with further scorers and comparers. Its answers are reused."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import Conflict
from edison.runs.fill.service import continue_run
from edison.runs.plan.estimate import need_of
from edison.runs.plan.rescore import (
    RescorePlan,
    add_to_estimate,
    check_rescorable,
    estimate_rescore,
    plan_rescore,
)
from edison.runs.plan.schemas import RescoreRequest, RunEstimate
from edison.runs.plan.snapshot import comparer_row, scorer_row
from edison.runs.store.chunks import Chunks
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.runs.store.totals import Totals
from edison.workspace.budgets import service as budgets


async def rescore_run(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: RescoreRequest,
    author_id: UUID | None,
    at_once: int,
) -> None:
    """Adds the scorers and comparers, and continues the run with the missing scores. Raises the
    errors of `check_rescorable`, Invalid with all problems, RunAlreadyActive, or BudgetExhausted.
    """
    estimate = await estimate_rescore(
        database,
        project_id=project_id,
        run_id=run_id,
        wanted=wanted,
        author_id=author_id,
        at_once=at_once,
    )
    async with database.write() as session:
        run = await Runs(session).get(project_id, run_id)
        plan = await plan_rescore(session, run, wanted, author_id=author_id)
        # Lock order: budgets before runs.
        await budgets.check_open(
            session,
            project_id=project_id,
            scope_ids=(),
            need=need_of((), plan.judges, estimate),
        )
        planned = (run.scorer_count, run.comparison_total)
        await Runs(session).lock(run_id)
        check_rescorable(run)
        if (run.scorer_count, run.comparison_total) != planned:
            raise Conflict("The run was scored by another request meanwhile. Try again.")
        await _extend(session, run, plan, estimate)


async def _extend(
    session: AsyncSession, run: Run, plan: RescorePlan, estimate: RunEstimate
) -> None:
    runs, comparisons = Runs(session), Comparisons(session)
    await runs.add_scorers(
        [scorer_row(run.id, run.scorer_count + at, each) for at, each in enumerate(plan.scorers)]
    )
    first = len(await comparisons.list_comparers(run.id))
    await comparisons.add_comparers(
        [comparer_row(run.id, first + at, each) for at, each in enumerate(plan.comparers)]
    )
    await runs.change(
        run.id,
        {
            "scorer_count": run.scorer_count + len(plan.scorers),
            "comparison_total": run.comparison_total + plan.comparison_count,
            "estimate": add_to_estimate(run.estimate, estimate),
        },
    )
    await Chunks(session).reopen_all(run.id)
    await continue_run(session, await Totals(session).recount(run.id), "rescored")
