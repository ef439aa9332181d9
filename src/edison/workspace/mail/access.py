"""Mail that requests ask for: it is sent once their response has left."""

from typing import Annotated

from fastapi import BackgroundTasks

from edison.api.parameters import read_into
from edison.api.session import CurrentSettings
from edison.workspace.mail.schemas import Letter
from edison.workspace.mail.service import Email, deliver


class _Outbox:
    """Takes letters while a request is handled and sends them once its response has left."""

    def __init__(self, tasks: BackgroundTasks, settings: CurrentSettings) -> None:
        self._tasks = tasks
        self._channel = Email.of(settings)

    @property
    def is_open(self) -> bool:
        """Whether there is a mail server to send with."""
        return self._channel is not None

    def post(self, letter: Letter | None) -> bool:
        """False when there is nothing to send, or no mail server to send it with."""
        if self._channel is None or letter is None:
            return False
        self._tasks.add_task(deliver, self._channel, letter)
        return True


Outbox = Annotated[_Outbox, read_into(_Outbox)]
