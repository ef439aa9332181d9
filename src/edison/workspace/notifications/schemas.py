"""What Edison has to say to one person, however it reaches them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Plain text to one email address."""

    to: str
    subject: str
    body: str
