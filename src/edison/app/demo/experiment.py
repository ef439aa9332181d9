"""The demo project's experiment. The engine executes its first iteration, whose suggestion then
awaits review.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.library.scorers.models import ScorerVersion
from edison.loops.experiments import service as experiments
from edison.loops.experiments.iterations import control
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.experiments import DraftSave, ExperimentRequest

NAME = "Better support replies"
BUDGET_USD = "3.00"
# Few enough that the suggestion awaits review within the first minute.
TRAIN_CASES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoExperiment:
    """`answering` are the models to test; `judging` also refines. `limits` replaces defaults."""

    goal: str
    prompt_id: UUID
    dataset_id: UUID
    rubric_version_id: UUID | None
    answering: Sequence[UUID]
    judging: UUID
    train_cases: int = TRAIN_CASES
    is_pairwise: bool = True
    limits: Mapping[str, int] = field(default_factory=dict)


def draft_of(wanted: DemoExperiment) -> ExperimentDraft:
    judging = wanted.judging
    return ExperimentDraft.model_validate(
        {
            "objective": {"goal": wanted.goal},
            "rubric": {"rubric_version_id": wanted.rubric_version_id},
            "prompt": {"prompt_id": wanted.prompt_id},
            "data": {"dataset_id": wanted.dataset_id, "max_train_cases": wanted.train_cases},
            "models": {"models": [{"model_id": each} for each in wanted.answering]},
            "judges": {
                "judges": [judging],
                "is_pairwise": wanted.is_pairwise,
                "pairwise_judge": judging if wanted.is_pairwise else None,
            },
            "limits": {"budget_usd": BUDGET_USD, "refiner_model_id": judging, **wanted.limits},
        }
    )


async def add_experiment(
    session: AsyncSession, project_id: UUID, name: str, draft: ExperimentDraft, *, owner_id: UUID
) -> None:
    """Only stores the experiment; the engine executes it once the server is up."""
    made = await experiments.create_experiment(
        session,
        project_id=project_id,
        wanted=ExperimentRequest(name=name),
        author_id=owner_id,
    )
    await experiments.save_draft(
        session,
        project_id=project_id,
        experiment_id=made.id,
        wanted=DraftSave(draft_version=made.draft_version, step=Step.LIMITS, draft=draft),
    )
    await experiments.confirm_experiment(
        session, project_id=project_id, experiment_id=made.id, author_id=owner_id
    )
    await control.start(
        session,
        project_id=project_id,
        experiment_id=made.id,
        version_id=None,
        author_id=owner_id,
    )


async def find_rubric(session: AsyncSession, judge_id: UUID) -> UUID | None:
    """The rubric version that a judge version uses."""
    return (await session.get_one(ScorerVersion, judge_id)).rubric_version_id
