"""The job that sends mails about notifications."""

from collections.abc import Mapping
from typing import Any

from edison.db.session import Database
from edison.jobs.job import Task
from edison.settings import Settings
from edison.workspace.mail.service import Email
from edison.workspace.notifications import service


def send(database: Database, settings: Settings | None) -> Task:
    channel = None if settings is None else Email.of(settings)
    site = None if settings is None else settings.public_url

    async def run(payload: Mapping[str, Any]) -> None:
        await service.send_mails(database, channel, site=site)

    return run
