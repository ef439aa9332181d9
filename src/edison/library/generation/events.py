"""Events about the progress of a generation."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Job, Priority
from edison.library.generation.models import Generation
from edison.library.generation.repository.generations import Generations
from edison.workspace.events import service as events


async def publish(session: AsyncSession, generation: Generation) -> None:
    """Call it last in the transaction."""
    project_id = await Generations(session).find_project(generation.id)
    if project_id is not None:
        await events.publish(
            session,
            stream=events.project_stream(project_id),
            kind="generation.changed",
            data={
                "entity_id": str(generation.id),
                "dataset_id": str(generation.dataset_id),
                "state": generation.state,
                "draft_count": generation.draft_count,
                "wanted_count": generation.wanted_count,
            },
        )


TASK = "generate_cases"


def job_of(generation_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=TASK,
        key=f"{TASK}:{generation_id}",
        payload={"generation_id": str(generation_id)},
        priority=Priority.INTERACTIVE,
        project_id=project_id,
    )
