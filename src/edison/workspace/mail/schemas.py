"""What is mailed."""

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """Plain text to one email address. `message_id` makes repetitions recognisable."""

    to: str
    subject: str
    body: str
    message_id: str | None = None
