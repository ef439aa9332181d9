"""The experiment of the demo project: its first iteration is executed by the engine, and what came
of it waits for a review.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.scorers.models import ScorerVersion
from edison.loops.experiments import service as experiments
from edison.loops.experiments.iterations import control
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.experiments import DraftSave, ExperimentRequest
from edison.simulation.material import DemoTask
from edison.workspace.projects.models import Project

NAME = "Better support replies"
BUDGET_USD = "3.00"
# Few enough that it awaits review within the first minute.
TRAIN_CASES = 10


def draft_of(
    task: DemoTask,
    *,
    prompt_id: UUID,
    dataset_id: UUID,
    rubric_version_id: UUID | None,
    models: tuple[Sequence[UUID], UUID],
) -> ExperimentDraft:
    """`models` are those that answer, and the one that judges and refines."""
    answering, judging = models
    return ExperimentDraft.model_validate(
        {
            "objective": {"goal": task.goal},
            "rubric": {"rubric_version_id": rubric_version_id},
            "prompt": {"prompt_id": prompt_id},
            "data": {"dataset_id": dataset_id, "max_train_cases": TRAIN_CASES},
            "models": {"models": [{"model_id": each} for each in answering]},
            "judges": {"judges": [judging], "is_pairwise": True, "pairwise_judge": judging},
            "limits": {"budget_usd": BUDGET_USD, "refiner_model_id": judging},
        }
    )


async def add_experiment(
    session: AsyncSession, project: Project, draft: ExperimentDraft, *, owner_id: UUID
) -> None:
    """Written down only: the engine works on it once the server is up."""
    made = await experiments.create_experiment(
        session,
        project_id=project.id,
        wanted=ExperimentRequest(name=NAME),
        author_id=owner_id,
    )
    await experiments.save_draft(
        session,
        project_id=project.id,
        experiment_id=made.id,
        wanted=DraftSave(draft_version=made.draft_version, step=Step.LIMITS, draft=draft),
    )
    await experiments.confirm_experiment(
        session, project_id=project.id, experiment_id=made.id, author_id=owner_id
    )
    await control.start(
        session,
        project_id=project.id,
        experiment_id=made.id,
        version_id=None,
        author_id=owner_id,
    )


async def find_rubric(session: AsyncSession, judge_id: UUID) -> UUID | None:
    """The version of a rubric that a version of a judge goes by."""
    return (await session.get_one(ScorerVersion, judge_id)).rubric_version_id
