"""The demo project's experiment. The engine executes its first iteration, whose suggestion then
awaits review.
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
# Few enough that the suggestion awaits review within the first minute.
TRAIN_CASES = 10


def draft_of(
    task: DemoTask,
    *,
    prompt_id: UUID,
    dataset_id: UUID,
    rubric_version_id: UUID | None,
    models: tuple[Sequence[UUID], UUID],
) -> ExperimentDraft:
    """`models` are the answering models, and the model that judges and refines."""
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
    """Only stores the experiment; the engine executes it once the server is up."""
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
    """The rubric version that a judge version uses."""
    return (await session.get_one(ScorerVersion, judge_id)).rubric_version_id
