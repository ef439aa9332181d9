"""The demo project's finished experiment: two approved changes, a gain proven on held-out cases.

Set up after the monitor and executed in the background. The simulated reviewer approves what did
best on the training cases; the third iteration is the last. Contents alone decide the
scores, so that every demo ends the same way.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import background, cases, experiment, lookup, monitor
from edison.app.demo.cases import DemoCases
from edison.app.demo.experiment import DemoExperiment
from edison.db.session import Database
from edison.jobs.job import Job, Task
from edison.kit import origin
from edison.library.datasets.models import Dataset
from edison.library.prompts.models import Prompt
from edison.loops.experiments.iterations.decide import Decision
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.loops.reviews import service as reviews
from edison.simulation.data import Split

TASK = "demo.improve"
NAME = "Better meeting summaries"
DEMO_TASK = "summary"
DATASET = "Minutes for summaries"
CASES: Mapping[Split, int] = {"train": 12, "holdout": 20}
ANSWERER = "sim-medium"
JUDGE = "sim-large"
ITERATIONS = 3
CANDIDATES = 3
REASON = "It did best on the training cases."


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: demo projects with a step left."""

    async def has_step(project_id: UUID) -> bool:
        suggestion_id = await _next_suggestion(session, project_id)
        return suggestion_id is not None or await _is_ready(session, project_id)

    return await background.list_demo_jobs(session, TASK, has_step)


def advance_demo(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await advance(database, UUID(payload["project_id"]))

    return run


async def advance(database: Database, project_id: UUID) -> None:
    """Takes the next step, unless runs or checks of the project are under way."""
    async with database.write() as session:
        owner_id = await background.find_owner(session, project_id)
        if owner_id is None or await background.is_busy(session, project_id):
            return
        suggestion_id = await _next_suggestion(session, project_id)
        if suggestion_id is not None:
            reviewer = await lookup.find_or_add_reviewer(session)
            origin.name_user(user_id=reviewer.id, email=reviewer.email)
            await reviews.approve(
                session,
                project_id=project_id,
                suggestion_id=suggestion_id,
                verdict=Decision(reviewer_id=reviewer.id, reason=REASON, may_branch=True),
            )
        elif await _is_ready(session, project_id):
            await _set_up(session, project_id, owner_id)


async def _is_ready(session: AsyncSession, project_id: UUID) -> bool:
    """Whether the prompt in production exists, and the dataset, which is added first, does not."""
    prompt_id = await lookup.find(session, Prompt, project_id, monitor.PROMPT)
    dataset_id = await lookup.find(session, Dataset, project_id, DATASET)
    return prompt_id is not None and dataset_id is None


async def _next_suggestion(session: AsyncSession, project_id: UUID) -> UUID | None:
    """What did best on the training cases, unless a user has decided or continued."""
    return await session.scalar(
        select(Suggestion.id)
        .join(Iteration, Iteration.id == Suggestion.iteration_id)
        .join(Experiment, Experiment.id == Iteration.experiment_id)
        .where(
            Experiment.project_id == project_id,
            Experiment.name == NAME,
            Experiment.archived_at.is_(None),
            Iteration.number < ITERATIONS,
            Iteration.state == IterationState.REVIEWING,
            Suggestion.state == SuggestionState.PENDING,
        )
        .order_by(Suggestion.number)
        .limit(1)
    )


async def _set_up(session: AsyncSession, project_id: UUID, owner_id: UUID) -> None:
    """Adds the dataset, and the experiment unless a user has deleted what it needs."""
    from edison.simulation.material import demo_tasks

    task = demo_tasks()[DEMO_TASK]
    dataset_id = await cases.add_cases(
        session,
        project_id,
        DemoCases(
            dataset=DATASET,
            description=f"Cases of the experiment {NAME}.",
            task=DEMO_TASK,
            counts=CASES,
        ),
        owner_id=owner_id,
    )
    prompt_id = await lookup.find(session, Prompt, project_id, task.name)
    judge_id = await lookup.find_scorer(session, project_id, f"{task.name} judge")
    model_ids = await lookup.list_models(session, project_id)
    if prompt_id is None or judge_id is None or {ANSWERER, JUDGE} - model_ids.keys():
        return
    draft = experiment.draft_of(
        DemoExperiment(
            goal=task.goal,
            prompt_id=prompt_id,
            dataset_id=dataset_id,
            rubric_version_id=await experiment.find_rubric(session, judge_id),
            answering=[model_ids[ANSWERER]],
            judging=model_ids[JUDGE],
            train_cases=CASES["train"],
            is_pairwise=False,
            limits={"max_iterations": ITERATIONS, "candidates": CANDIDATES},
        )
    )
    await experiment.add_experiment(session, project_id, NAME, draft, owner_id=owner_id)
