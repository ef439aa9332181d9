"""Email over SMTP."""

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import Literal

import aiosmtplib
from email_validator import validate_email
from pydantic import BaseModel, ConfigDict, SecretStr

from edison.settings import Settings
from edison.workspace.notifications.schemas import Letter

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
        message["Message-ID"] = make_msgid(domain=self._own_domain())
        # Out-of-office replies to a program help nobody.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.body)
        return message

    def _own_domain(self) -> str:
        return parseaddr(self.sender)[1].rpartition("@")[2] or "localhost"


def _deliverable(address: str) -> str:
    """In ASCII wherever possible: many servers know no other domains."""
    parts = validate_email(address, check_deliverability=False)
    return parts.ascii_email or parts.normalized
