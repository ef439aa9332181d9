"""The job that a generation waits for."""

from uuid import UUID

from edison.jobs.job import Job, Priority

TASK = "generate_cases"


def job_of(generation_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=TASK,
        key=f"{TASK}:{generation_id}",
        payload={"generation_id": str(generation_id)},
        priority=Priority.INTERACTIVE,
        project_id=project_id,
    )
