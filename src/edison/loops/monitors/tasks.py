"""The jobs that fire monitors and drive checks."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.db.session import Database
from edison.jobs.job import Task
from edison.loops.monitors.checks.drive import CheckTools, drive
from edison.loops.monitors.checks.fire import fire_due


def drive_check(tools: CheckTools) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await drive(tools, UUID(payload["check_id"]))

    return run


def fire_monitors(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await fire_due(database)

    return run
