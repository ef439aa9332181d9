"""The run that the demo project's playground opens with: scored by a grader, with several
models.
"""

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
    """Only stores the run. The engine executes it once the server is up, before the other runs,
    because the playground is the first page a user sees.
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
    """`grader` is a grader prompt and the model that runs it."""
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
