"""The job that drives an iteration."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.jobs.job import Task
from edison.loops.experiments.iterations.drive import DriveTools, drive


def drive_iteration(tools: DriveTools) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await drive(tools, UUID(payload["iteration_id"]))

    return run
