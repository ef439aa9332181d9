"""The job that runs a generation."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.db.session import Database
from edison.jobs.job import Task
from edison.library.calls.gateway import Gateway
from edison.library.generation.run import run_generation


def generate_cases(database: Database, gateway: Gateway) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        await run_generation(database, gateway, UUID(payload["generation_id"]))

    return run
