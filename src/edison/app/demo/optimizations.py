"""The demo project's optimizations, set up after its monitor and executed in the background.

The first adds examples to a prompt that states all rules already, chosen on six training cases: one
candidate is lucky, and the held-out cases refuse it. The second improves a prompt that states none
of its rules, and succeeds. Both depend on contents and seed alone, so that every demo ends the same
way.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import background, cases, lookup, monitor
from edison.app.demo.cases import DemoCases
from edison.db.session import Database
from edison.jobs.job import Job, Task
from edison.kit.errors import Exhausted
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.library.datasets.models import Dataset
from edison.library.prompts.models import Prompt
from edison.loops.optimizations import control
from edison.loops.optimizations import service as optimizations
from edison.loops.optimizations.errors import WrongOptimizationState
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.schemas.optimizations import OptimizationRequest
from edison.loops.optimizations.states import ACTIVE, OptimizationState
from edison.simulation.data import Split, read_data

TASK = "demo.optimize"
REFUSED = "Examples for support replies"
PROMOTED = "Better ticket sorting"
ANSWERER = "sim-medium"
BUDGET_USD = "3"
SEED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPlan:
    """`cases` of the task are added as `dataset`. The prompt is that of the task unless named;
    `strategist` is the model that writes the edits, if any.
    """

    name: str
    task: str
    kind: str
    generations: int
    options: Mapping[str, int]
    dataset: str
    cases: Mapping[Split, int]
    strategist: str | None = None
    prompt: str | None = None


PLANS = (
    DemoPlan(
        name=REFUSED,
        task="support",
        kind="few_shot",
        generations=1,
        options={"candidates": 5, "examples": 2},
        prompt=monitor.PROMPT,
        dataset="A few support cases",
        cases={"train": 6, "holdout": 10},
    ),
    DemoPlan(
        name=PROMOTED,
        task="classification",
        kind="evolve",
        strategist="sim-large",
        generations=2,
        options={"candidates": 3},
        dataset="Tickets for a search",
        cases={"train": 10, "holdout": 12},
    ),
)


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: demo projects with a step left."""

    async def has_step(project_id: UUID) -> bool:
        draft_id = await _next_draft(session, project_id)
        return draft_id is not None or await _is_ready(session, project_id)

    return await background.list_demo_jobs(session, TASK, has_step)


def advance_demo(database: Database, gateway: Gateway) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await advance(database, gateway, UUID(payload["project_id"]))

    return run


async def advance(database: Database, gateway: Gateway, project_id: UUID) -> None:
    """Takes the next step, unless other work of the project is under way. A draft that the budget
    does not cover is archived.
    """
    async with database.read() as session:
        owner_id = await background.find_owner(session, project_id)
        is_working = await background.is_busy(session, project_id)
        is_searching = await session.scalar(
            select(Optimization.id).where(
                Optimization.project_id == project_id, Optimization.state.in_(ACTIVE)
            )
        )
        draft_id = await _next_draft(session, project_id)
    if owner_id is None or is_working or is_searching is not None:
        return
    if draft_id is None:
        async with database.write() as session:
            if await _is_ready(session, project_id):
                await _set_up(session, project_id, owner_id)
        return
    try:
        await control.start_optimization(
            database,
            project_id=project_id,
            optimization_id=draft_id,
            author_id=owner_id,
            at_once=gateway.calls_per_credential,
        )
    except WrongOptimizationState:
        # Another process started it meanwhile, or a user.
        return
    except Exhausted:
        async with database.write() as session:
            await optimizations.set_archived(
                session, project_id=project_id, optimization_id=draft_id, is_archived=True
            )


async def _is_ready(session: AsyncSession, project_id: UUID) -> bool:
    """Whether the prompt in production exists, and the datasets, which are added first, do not."""
    prompt_id = await lookup.find(session, Prompt, project_id, monitor.PROMPT)
    found = [await lookup.find(session, Dataset, project_id, each.dataset) for each in PLANS]
    return prompt_id is not None and not any(found)


async def _next_draft(session: AsyncSession, project_id: UUID) -> UUID | None:
    return await session.scalar(
        select(Optimization.id)
        .where(
            Optimization.project_id == project_id,
            Optimization.name.in_((REFUSED, PROMOTED)),
            Optimization.state == OptimizationState.DRAFT,
            Optimization.archived_at.is_(None),
        )
        .order_by(Optimization.id)
        .limit(1)
    )


async def _set_up(session: AsyncSession, project_id: UUID, owner_id: UUID) -> None:
    """Both drafts. Leaves one out when a user has deleted what it needs."""
    model_ids = await lookup.list_models(session, project_id)
    for plan in PLANS:
        task = read_data("demo")[plan.task]
        used = {
            "prompt_id": await lookup.find(
                session, Prompt, project_id, plan.prompt or task["name"]
            ),
            "dataset_id": await cases.add_cases(
                session,
                project_id,
                DemoCases(
                    dataset=plan.dataset,
                    description=f"Cases of the search {plan.name}.",
                    task=plan.task,
                    counts=plan.cases,
                ),
                owner_id=owner_id,
            ),
            "scorer_version_id": await lookup.find_scorer(
                session, project_id, f"{task['name']} judge"
            ),
            "answerer": model_ids.get(ANSWERER),
            "strategist": model_ids.get(plan.strategist or ANSWERER),
        }
        if None in used.values():
            continue
        strategist = {"model_id": str(used["strategist"])} if plan.strategist else {}
        await optimizations.create_optimization(
            session,
            project_id=project_id,
            wanted=OptimizationRequest.model_validate(
                {
                    "name": plan.name,
                    "prompt_id": used["prompt_id"],
                    "dataset_id": used["dataset_id"],
                    "goal": task["goal"],
                    "models": [{"model_id": used["answerer"], "parameters": monitor.PARAMETERS}],
                    "scorers": [{"scorer_version_id": used["scorer_version_id"]}],
                    "strategy": {"kind": plan.kind, "options": {**strategist, **plan.options}},
                    "generations": plan.generations,
                    "budget_usd": BUDGET_USD,
                    "seed": SEED,
                }
            ),
            author_id=owner_id,
        )
