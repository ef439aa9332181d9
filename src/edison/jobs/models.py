"""Processes that are at work, and jobs that nobody can do."""

from datetime import datetime
from typing import Any
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


class WorkerProcess(Identified, Base):
    """A running process of Edison that may spend money.

    `beat` rises with everything the process writes, and every few seconds in between. Whoever sees
    it stand still for too long removes the row, and with it whatever the process had claimed; a
    process that finds its row gone knows that it was replaced. Clocks play no part in this:
    `seen_at` is for people.
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
    """A job that failed as often as it may. It waits for a person, who tries it again or drops it;
    until then nobody queues it anew.
    """

    __tablename__ = "dead_jobs"
    __table_args__ = (UniqueConstraint("key"), Index(None, "project_id", "failed_at"))

    key: Mapped[str] = mapped_column(String(200))
    task: Mapped[str] = mapped_column(String(60))
    # Whose it is, if it is one project's; it goes with the project.
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    priority: Mapped[int]
    attempts: Mapped[int]
    # The kind of failure and a trace id to find it in the logs; never the failure's own words.
    reason: Mapped[str] = mapped_column(Text)
    failed_at: Mapped[datetime]
    payload: Mapped[dict[str, Any]] = mapped_column(JsonColumn)
