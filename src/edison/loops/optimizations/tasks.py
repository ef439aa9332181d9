"""The job that drives an optimization."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.jobs.job import Task
from edison.loops.optimizations.drive import OptimizationTools, drive


def drive_optimization(tools: OptimizationTools) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await drive(tools, UUID(payload["optimization_id"]))

    return run
