"""Evaluations in the database: begun once, then resumed or retried until every row is answered."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.evals.cells import CellGroup
from edison.evals.errors import ConfigError
from edison.evals.models import Evaluation
from edison.evals.plan import EvalPlan
from edison.evals.repository import Evaluations
from edison.evals.start import ORIGIN, EvalRun, Starter, run_context
from edison.jobs import heartbeat
from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.fill import service as control
from edison.runs.store.chunks import Chunks
from edison.runs.store.errors import NothingFailed, RunNeedsCommand
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.runs.store.states import COMMAND_LINE, OVER, RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Scope
from edison.workspace.budgets.types import ScopeLimit

_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalTerms:
    """How an evaluation is started. `evaluation` is the id of the one to resume or retry; without
    it that is the latest of the same configuration. `is_bound`: it needs code or keys of the
    machine where the command runs.
    """

    project: str | None = None
    max_cost_usd: Decimal | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    resumes: bool = False
    retries_errors: bool = False
    evaluation: str | None = None
    author_id: UUID | None = None
    is_bound: bool = False

    @property
    def is_continued(self) -> bool:
        return self.resumes or self.retries_errors


def fingerprint_of(plan: EvalPlan, groups: Sequence[CellGroup]) -> str:
    """Of everything that decides about questions and verdicts."""
    described = [
        {
            "columns": [
                [each.provider.id, each.provider.label, each.provider.config, each.prompt.label]
                for each in group.columns
            ],
            "templates": group.templates,
            "transform": group.transform,
            "cases": [
                [values, test.assertions, test.threshold, test.options, test.output]
                for test, values in group.cases
            ],
        }
        for group in groups
    ]
    document = orjson.dumps([plan.repeats, described], default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(document).hexdigest()


async def begin(
    session: AsyncSession,
    starter: Starter,
    groups: Sequence[CellGroup],
    *,
    plan: EvalPlan,
    terms: EvalTerms,
    project_id: UUID,
) -> tuple[UUID, list[EvalRun]]:
    """Stores the evaluation and starts its runs. Raises ConfigError, or BudgetExhausted when not
    even the first calls can be paid.
    """
    evaluation = Evaluation(
        id=ids.new_id(),
        project_id=project_id,
        name=(plan.description or "Evaluation")[:_LONGEST_NAME],
        fingerprint=fingerprint_of(plan, groups),
        tags={**plan.tags, **terms.tags},
        created_at=clock.now(),
    )
    await Evaluations(session).add(evaluation)
    await _limit(session, evaluation, plan, terms)
    context = run_context(
        project_id,
        author_id=terms.author_id,
        origin=COMMAND_LINE if terms.is_bound else ORIGIN,
        scope_ids=(evaluation.id,),
    )
    runs = await starter.start(groups, context)
    await Evaluations(session).add_runs(evaluation.id, [run.run_id for run in runs])
    return evaluation.id, runs


async def _limit(
    session: AsyncSession, evaluation: Evaluation, plan: EvalPlan, terms: EvalTerms
) -> None:
    if terms.max_cost_usd is None:
        return
    is_simulated = all(each.provider.id.startswith("sim:") for each in plan.columns)
    await budgets.set_scope_limit(
        session,
        project_id=evaluation.project_id,
        scope=(Scope.EVALUATION, evaluation.id),
        limit=ScopeLimit(limit_usd=terms.max_cost_usd, counts_simulated=is_simulated),
    )


async def go_on(
    database: Database,
    groups: Sequence[CellGroup],
    *,
    plan: EvalPlan,
    terms: EvalTerms,
    project_id: UUID,
    is_alone: bool,
) -> tuple[UUID, list[EvalRun]]:
    """Resumes the evaluation: asks what has no answer yet, and with `retries_errors` what failed.
    `is_alone`: the caller holds the lock of the data directory, so a process with claims is lost.
    Raises ConfigError, or BudgetExhausted.
    """
    async with database.read() as session:
        evaluation = await _find(session, groups, plan=plan, terms=terms, project_id=project_id)
        run_ids = [each.id for each in await Evaluations(session).list_runs(evaluation.id)]
        lost = await Chunks(session).list_claimants(run_ids)
    for process_id in lost if is_alone else ():
        await heartbeat.remove(database, process_id)
    async with database.write() as session:
        await _limit(session, evaluation, plan, terms)
        for run_id in run_ids:
            await _continue(session, project_id, run_id, retries_errors=terms.retries_errors)
    return evaluation.id, [
        EvalRun(run_id=run_id, group=group) for run_id, group in zip(run_ids, groups, strict=True)
    ]


async def _find(
    session: AsyncSession,
    groups: Sequence[CellGroup],
    *,
    plan: EvalPlan,
    terms: EvalTerms,
    project_id: UUID,
) -> Evaluation:
    fingerprint = fingerprint_of(plan, groups)
    stored = Evaluations(session)
    advice = "Start a new one without --resume: cached answers are not asked again."
    if terms.evaluation is None:
        found = await stored.find_latest(project_id=project_id, fingerprint=fingerprint)
        if found is None:
            message = "The project has no evaluation of this configuration as it is now."
            raise ConfigError(f"{message} {advice}")
        return found
    found = await stored.find(read_id(terms.evaluation))
    if found is None or found.project_id != project_id:
        raise ConfigError(f"The project has no evaluation {terms.evaluation}.")
    if found.fingerprint != fingerprint:
        message = f"The configuration is not that of evaluation {found.id} any more."
        raise ConfigError(f"{message} {advice}")
    return found


def read_id(text: str) -> UUID:
    """The id of an evaluation, also as promptfoo writes it. Raises ConfigError."""
    try:
        return UUID(text.removeprefix("eval-"))
    except ValueError as wrong:
        raise ConfigError(f"{text} is not the id of an evaluation.") from wrong


async def _continue(
    session: AsyncSession, project_id: UUID, run_id: UUID, *, retries_errors: bool
) -> None:
    run = await Runs(session).get(project_id, run_id)
    if retries_errors and run.state in (RunState.COMPLETED, RunState.FAILED, RunState.PAUSED):
        with suppress(NothingFailed):
            run = await control.retry_failed(session, project_id=project_id, run_id=run_id)
            return
        run = await Runs(session).get(project_id, run_id)
    if run.state in (RunState.PAUSED, RunState.FAILED):
        await control.resume_run(session, project_id=project_id, run_id=run_id)
    elif run.state not in OVER:
        await control.take_over(session, run)


async def find_names(
    session: AsyncSession, project_id: UUID, evaluation_ids: Collection[UUID]
) -> Mapping[UUID, str]:
    """Hook of `workspace/budgets`: names of evaluations as budget scopes."""
    return await Evaluations(session).find_names(project_id, evaluation_ids)


async def find_resume_objection(session: AsyncSession, run: Run) -> str | None:
    """Hook of `runs/fill`: an evaluation may need code or keys that only its command has."""
    return RunNeedsCommand().message if run.origin == COMMAND_LINE else None


async def count_done(session: AsyncSession, run_ids: Collection[UUID]) -> tuple[int, int]:
    """Rows with an answer, and rows in all."""
    found: list[Any] = [await Runs(session).find(each) for each in run_ids]
    runs = [each for each in found if each is not None]
    return sum(each.done_count for each in runs), sum(each.cell_count for each in runs)
