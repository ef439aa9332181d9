"""Tables of event streams. A wake-up only signals that there are new rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base


class EventStream(Base):
    """Sequence numbers of a stream.

    Taking a number locks this row until the transaction ends, so the events of a stream become
    visible in the order of their numbers and a reader that saw n never misses n - 1.
    """

    __tablename__ = "event_streams"

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    last_number: Mapped[int] = mapped_column(BigInteger)


class Event(Base):
    __tablename__ = "events"
    __table_args__ = (Index(None, "created_at"),)

    stream: Mapped[str] = mapped_column(String(80), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(60))
    data: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
