"""Telling people things outside the browser, after the transaction that gave the reason."""

from typing import Annotated

import aiosmtplib
import structlog
from fastapi import BackgroundTasks, Depends

from edison.api.session import CurrentSettings
from edison.workspace.notifications.channels.email import Email
from edison.workspace.notifications.schemas import Letter

log = structlog.get_logger(__name__)


class _Outbox:
    """Takes letters while a request is handled and sends them once its response has left."""

    def __init__(self, tasks: BackgroundTasks, settings: CurrentSettings) -> None:
        self._tasks = tasks
        self._channel = Email.of(settings)

    def post(self, letter: Letter | None) -> bool:
        """False when there is nothing to send, or no mail server to send it with."""
        if self._channel is None or letter is None:
            return False
        self._tasks.add_task(deliver, self._channel, letter)
        return True


Outbox = Annotated[_Outbox, Depends()]


async def deliver(channel: Email, letter: Letter) -> bool:
    """Try once. A failure is only logged: what the letter speaks of has happened all the same."""
    try:
        await channel.send(letter)
    except (aiosmtplib.SMTPException, OSError, ValueError) as failed:
        log.warning("email not sent", server=channel.host, reason=type(failed).__name__)
        return False
    log.info("email sent", server=channel.host)
    return True
