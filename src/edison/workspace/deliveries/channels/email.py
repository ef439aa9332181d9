"""Email over the installation's mail server."""

from typing import ClassVar

from edison.workspace.deliveries.channel import Channel, Recipient, SendResult, shorten_answer
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.transport import Transport
from edison.workspace.mail.schemas import Letter

NO_MAIL_SERVER = "No mail server is configured (EDISON_SMTP_HOST)."


class EmailChannel(Channel):
    title: ClassVar[str] = "Email"

    def read_target(self, address: str, transport: Transport) -> str:
        from email_validator import EmailNotValidError, validate_email

        if transport.mail is None:
            raise ValueError(NO_MAIL_SERVER)
        try:
            return validate_email(address, check_deliverability=False).normalized
        except EmailNotValidError as wrong:
            raise ValueError("This is not an email address.") from wrong

    async def send(
        self, message: DeliveryMessage, recipient: Recipient, transport: Transport
    ) -> SendResult:
        from aiosmtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

        if transport.mail is None:
            return SendResult(failure=NO_MAIL_SERVER, is_unavailable=True)
        try:
            await transport.mail.send(_letter(message, recipient.address))
        except SMTPResponseException as refused:
            return SendResult(
                failure=f"The mail server answered {refused.code}.",
                status=refused.code,
                answer=shorten_answer(refused.message.encode()),
            )
        except (SMTPRecipientsRefused, ValueError):
            return SendResult(failure="The mail server does not accept the address.")
        except (SMTPException, OSError):
            return SendResult(failure="The mail server cannot be reached.", is_unavailable=True)
        return SendResult()


def _letter(message: DeliveryMessage, address: str) -> Letter:
    paragraphs = [message.body]
    if message.content is not None:
        paragraphs.append(message.content)
    if message.url is not None:
        paragraphs.append(f"Open in Edison:\n{message.url}")
    paragraphs.append(f"Project: {message.project_name}")
    paragraphs.append(
        "Change which emails you get in your notification preferences, or ask an admin of the "
        "project to change its destinations."
    )
    body = "\n\n".join(paragraphs) + "\n"
    return Letter(to=address, subject=message.title, body=body, message_id=message.id)
