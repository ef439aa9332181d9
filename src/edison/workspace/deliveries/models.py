"""Tables of destinations and of deliveries by all channels."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, JsonColumn, Timestamped
from edison.db.sealed import SEALED
from edison.workspace.deliveries.states import DeliveryState, DisabledReason


class Destination(Identified, Timestamped, Base):
    """Where a project sends messages of the kinds it lists. `target` is the part of `address` that
    may be shown: a host, or an email address. `secrets` has the signing secrets of a webhook:
    `{"current": {"sealed"}, "previous": {"sealed", "until"}}`.
    """

    __tablename__ = "destinations"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        CheckConstraint(
            "disabled_reason IN ({})".format(", ".join(f"'{each}'" for each in DisabledReason)),
            name="disabled_reason",
        ),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    channel: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(100))
    target: Mapped[str] = mapped_column(String(320))
    address: Mapped[str] = mapped_column(Text, info=SEALED)
    secrets: Mapped[dict[str, Any]] = mapped_column(info=SEALED)
    kinds: Mapped[list[str]] = mapped_column(JsonColumn)
    includes_content: Mapped[bool]
    # None: enabled.
    disabled_reason: Mapped[str | None] = mapped_column(String(20))
    disabled_at: Mapped[datetime | None]
    # Since when no delivery has succeeded; None after a success.
    failing_since: Mapped[datetime | None]
    last_attempt_at: Mapped[datetime | None]
    last_failure: Mapped[str | None] = mapped_column(String(500))

    @property
    def is_enabled(self) -> bool:
        return self.disabled_reason is None


class Delivery(Identified, Base):
    """One message to one receiver: a destination, or a user by email. The id is sent with every
    attempt, so that receivers recognise repetitions. A process that attempts it holds it until
    `leased_until`.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        Index(None, "state", "next_attempt_at"),
        Index(None, "destination_id", "id"),
        Index(None, "created_at"),
        CheckConstraint(
            "state IN ({})".format(", ".join(f"'{each}'" for each in DeliveryState)), name="state"
        ),
        CheckConstraint("destination_id IS NULL OR user_id IS NULL", name="one_receiver"),
    )

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    destination_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("destinations.id", ondelete="CASCADE")
    )
    user_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), index=True
    )
    channel: Mapped[str] = mapped_column(String(20))
    kind: Mapped[str] = mapped_column(String(40))
    payload: Mapped[dict[str, Any]]
    is_test: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(String(10), default=DeliveryState.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
    next_attempt_at: Mapped[datetime | None]
    leased_until: Mapped[datetime | None]
    last_attempt_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    # Of the last attempt: the status of the response, its first characters, and why it failed.
    status: Mapped[int | None]
    answer: Mapped[str | None] = mapped_column(String(500))
    failure: Mapped[str | None] = mapped_column(String(500))

    @property
    def message_id(self) -> str:
        """Equal in all attempts."""
        return f"msg_{self.id.hex}"

    @property
    def title(self) -> str:
        return str(self.payload["title"])
