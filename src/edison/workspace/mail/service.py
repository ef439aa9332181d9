"""Sends plain-text mail over SMTP. Its libraries are imported when a mail is sent: runs, which may
send one when they end, start faster without.
"""

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import Literal

import structlog
from pydantic import BaseModel, ConfigDict, SecretStr

from edison.settings import Settings
from edison.workspace.mail.schemas import Letter

log = structlog.get_logger(__name__)

TIMEOUT_SECONDS = 20


class Email(BaseModel):
    """A mail server, and who it sends as."""

    model_config = ConfigDict(frozen=True)

    host: str
    port: int = 587
    user: str | None = None
    password: SecretStr | None = None
    sender: str
    security: Literal["starttls", "tls", "none"] = "starttls"

    @classmethod
    def of(cls, settings: Settings) -> "Email | None":
        """None when no mail server is configured."""
        if settings.smtp_host is None:
            return None
        return cls(
            host=settings.smtp_host,
            port=settings.smtp_port,
            user=settings.smtp_user,
            password=settings.smtp_password,
            sender=settings.smtp_from,
            security=settings.smtp_security,
        )

    async def send(self, letter: Letter) -> None:
        """Raises OSError, SMTPException or ValueError (an address that mail cannot reach)."""
        import aiosmtplib

        await aiosmtplib.send(
            self._compose(letter),
            hostname=self.host,
            port=self.port,
            username=self.user,
            password=None if self.password is None else self.password.get_secret_value(),
            use_tls=self.security == "tls",
            start_tls=self.security == "starttls",
            timeout=TIMEOUT_SECONDS,
        )

    def _compose(self, letter: Letter) -> EmailMessage:
        # The policy refuses line breaks in headers, so no text can add a header of its own.
        message = EmailMessage(policy=SMTP)
        message["From"] = self.sender
        message["To"] = _deliverable(letter.to)
        message["Subject"] = " ".join(letter.subject.split())
        message["Date"] = formatdate(usegmt=True)
        domain = self._own_domain()
        known = letter.message_id
        message["Message-ID"] = (
            make_msgid(domain=domain) if known is None else f"<{known}@{domain}>"
        )
        # Suppresses out-of-office replies.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.body)
        return message

    def _own_domain(self) -> str:
        return parseaddr(self.sender)[1].rpartition("@")[2] or "localhost"


def _deliverable(address: str) -> str:
    """In ASCII wherever possible: many servers know no other domains."""
    from email_validator import validate_email

    parts = validate_email(address, check_deliverability=False)
    return parts.ascii_email or parts.normalized


async def deliver(channel: Email, letter: Letter) -> bool:
    """Try once. A failure is only logged: what the letter speaks of has happened all the same."""
    from aiosmtplib import SMTPException

    try:
        await channel.send(letter)
    except (SMTPException, OSError, ValueError) as failed:
        log.warning("email not sent", server=channel.host, reason=type(failed).__name__)
        return False
    log.info("email sent", server=channel.host)
    return True
