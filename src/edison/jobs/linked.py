"""Job queue of the server on SQLite while its engine process runs the jobs."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from edison.jobs.job import Depth, Job, Overview, Priority, Queue
from edison.jobs.link import Handler, Link
from edison.jobs.models import ProcessKind

PUT = "put jobs"
OVERVIEW = "overview"


class LinkedQueue:
    worked_by: ClassVar[ProcessKind] = "worker"

    def __init__(self, link: Link) -> None:
        self._link = link

    async def put(self, jobs: Sequence[Job]) -> None:
        """Jobs put while the engine is starting are found by its first sweep."""
        self._link.tell(PUT, jobs)

    async def overview(self) -> Overview:
        found: Mapping[str, Any] | None = await self._link.ask(OVERVIEW)
        if found is None:
            return Overview(depths=[], oldest_waiting_seconds=None)
        return Overview(
            depths=[Depth(**each) for each in found["depths"]],
            oldest_waiting_seconds=found["oldest_waiting_seconds"],
        )


def queue_handlers(queue: Queue) -> Mapping[str, Handler]:
    """The engine's side: serves the requests of `LinkedQueue` with the queue that runs jobs."""

    async def put(jobs: Sequence[Mapping[str, Any]]) -> None:
        await queue.put([_read_job(job) for job in jobs])

    async def overview(_content: None) -> Overview:
        return await queue.overview()

    return {PUT: put, OVERVIEW: overview}


def _read_job(job: Mapping[str, Any]) -> Job:
    project_id = job["project_id"]
    return Job(
        task=job["task"],
        key=job["key"],
        payload=job["payload"],
        priority=Priority(job["priority"]),
        project_id=None if project_id is None else UUID(project_id),
    )
