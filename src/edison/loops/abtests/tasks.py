"""The job that drives an A/B test."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.jobs.job import Task
from edison.loops.abtests.drive import AbTestTools, drive


def drive_ab_test(tools: AbTestTools) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await drive(tools, UUID(payload["test_id"]))

    return run
