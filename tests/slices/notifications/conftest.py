"""A local mail server that stores received mails."""

from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Mailbox:
    """Received mails, and the server's reply to the next one."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.answer = "250 kept"

    async def handle_DATA(  # noqa: N802 - the name aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            self.messages.append(BytesParser(policy=default).parsebytes(content))  # type: ignore[arg-type]  # the default policy makes EmailMessages
            self.recipients += envelope.rcpt_tos
        return self.answer


class _AnyPort(Controller):
    """Connects to itself on a free port, so that tests do not compete for one."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def smtp_port(mailbox: Mailbox) -> Iterator[int]:
    controller = _AnyPort(mailbox, hostname="127.0.0.1", port=0)
    controller.start()
    yield controller.port
    controller.stop()
