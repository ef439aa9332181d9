"""The jobs of runs."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.db.session import Database
from edison.jobs.job import Task
from edison.runs.fill import service as run_control
from edison.runs.fill.aggregate import aggregate_run
from edison.runs.fill.chunk import FillTools
from edison.runs.fill.filler import RunFillers


def fill(tools: FillTools) -> Task:
    fillers = RunFillers(tools)

    async def run(payload: Mapping[str, Any]) -> None:
        await fillers.fill(UUID(payload["run_id"]), int(payload["number"]))

    return run


def resume(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        async with database.write() as session:
            await run_control.resume_after_budget_reset(session, run_id=UUID(payload["run_id"]))

    return run


def park(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        async with database.write() as session:
            await run_control.park(session, run_id=UUID(payload["run_id"]))

    return run


def aggregate(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await aggregate_run(database, UUID(payload["run_id"]))

    return run
