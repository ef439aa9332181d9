"""What is mailed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Plain text to one email address."""

    to: str
    subject: str
    body: str
