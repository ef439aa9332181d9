"""The job that sends messages."""

from collections.abc import Mapping
from typing import Any

from edison.db.session import Database
from edison.jobs.job import Task
from edison.kit import ids
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries.transport import Transport


def deliver_messages(database: Database, transport: Transport) -> Task:
    async def run(payload: Mapping[str, Any]) -> None:
        receiver = ids.parse_id(payload["destination_id"])
        await dispatch.deliver_due(database, transport, destination_id=receiver)

    return run
