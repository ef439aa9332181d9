"""A mail server, for tests that read what was mailed."""

from tests.slices.notifications.conftest import mailbox, smtp_port

__all__ = ["mailbox", "smtp_port"]
