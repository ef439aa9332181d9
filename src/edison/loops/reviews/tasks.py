"""The job that approves suggestions in projects without required review."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from edison.db.session import Database
from edison.jobs.job import Task
from edison.kit.errors import Conflict
from edison.loops.reviews import service


def review_automatically(database: Database) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        try:
            async with database.write() as session:
                await service.review_automatically(
                    session, iteration_id=UUID(payload["iteration_id"])
                )
        except Conflict:
            # A user decided concurrently.
            return

    return run
