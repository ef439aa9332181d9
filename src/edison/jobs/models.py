"""Tables of running processes and of dead jobs."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, JsonColumn

ProcessKind = Literal["server", "worker", "command"]


class WorkerProcess(Identified, Base):
    """A running process that may spend money; see `heartbeat`.

    Claims reference this row and are released when it is deleted. `seen_at` is for display only.
    """

    __tablename__ = "worker_processes"
    __table_args__ = (CheckConstraint("kind IN ('server', 'worker', 'command')", name="kind"),)

    kind: Mapped[str] = mapped_column(String(20))
    host: Mapped[str] = mapped_column(String(200))
    pid: Mapped[int]
    version: Mapped[str] = mapped_column(String(40))
    beat: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]


class DeadJob(Identified, Base):
    """A job without attempts left. Its key is not queued until a user retries or discards it."""

    __tablename__ = "dead_jobs"
    __table_args__ = (UniqueConstraint("key"), Index(None, "project_id", "failed_at"))

    key: Mapped[str] = mapped_column(String(200))
    task: Mapped[str] = mapped_column(String(60))
    # The project of the job, if any; deleted with it.
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    priority: Mapped[int]
    attempts: Mapped[int]
    # Exception class and trace id, to find it in the logs; never the exception's message.
    reason: Mapped[str] = mapped_column(Text)
    failed_at: Mapped[datetime]
    payload: Mapped[dict[str, Any]] = mapped_column(JsonColumn)
