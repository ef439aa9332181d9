"""A mail server, for tests that read mails."""

from tests.slices.notifications.conftest import mailbox, smtp_port

__all__ = ["mailbox", "smtp_port"]
