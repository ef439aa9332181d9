"""What the playground of the demo project shows first: a run that was graded, beside others."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Priority
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptKind
from edison.library.prompts.schemas import PromptRequest
from edison.runs.playground import service as playground
from edison.runs.playground.schemas import PlaygroundRequest
from edison.simulation.material import DemoTask
from edison.workspace.projects.models import Project

ROWS = 12
GRADER = """You are a strict grader of answers.

Goal:
{goal}

Input:
{{{{{variable}}}}}

Answer to grade:
{{{{output}}}}

Rate the answer on a scale from 0 to 1 by how far it reaches the goal.
Reply with JSON, your reason first:
{{"rationale": "...", "score": 0.0}}
"""


async def add_grader(session: AsyncSession, project: Project, task: DemoTask) -> UUID:
    prompt = await prompts.create_prompt(
        session,
        project_id=project.id,
        wanted=PromptRequest(
            name=f"{task.name} grader",
            kind=PromptKind.GRADER,
            description="Grades answers from 0 to 1 by how far they reach the goal.",
            text=GRADER.format(goal=task.goal, variable=task.variable),
        ),
    )
    return prompt.id


async def add_run(
    session: AsyncSession, project: Project, *, wanted: PlaygroundRequest, owner_id: UUID
) -> None:
    """Written down only: the engine works on it once the server is up, and before the other runs,
    since it is the first page to be seen.
    """
    await playground.add_run(
        session,
        project_id=project.id,
        user_id=owner_id,
        wanted=wanted,
        priority=Priority.INTERACTIVE,
    )


def request_of(
    *, prompt_id: UUID, dataset_id: UUID, model_ids: Sequence[UUID], grader: tuple[UUID, UUID]
) -> PlaygroundRequest:
    """`grader` is a prompt and the model that answers it."""
    return PlaygroundRequest.model_validate(
        {
            "prompt_id": prompt_id,
            "columns": [{"model_id": model_id} for model_id in model_ids],
            "dataset_id": dataset_id,
            "cases": {"filter": {"split": "train"}, "limit": ROWS},
            "grader_prompt_id": grader[0],
            "grader_model_id": grader[1],
        }
    )
