"""All SQL about kept answers."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.library.calls.models import CachedAnswer


class CachedAnswers:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find(self, project_id: UUID, key: str, *, now: datetime) -> str | None:
        """The kept completion, unless it has expired."""
        return await self._session.scalar(
            select(CachedAnswer.completion).where(
                CachedAnswer.project_id == project_id,
                CachedAnswer.key == key,
                or_(CachedAnswer.expires_at.is_(None), CachedAnswer.expires_at > now),
            )
        )

    async def save(self, answer: CachedAnswer) -> None:
        """The later of two answers to one question stays."""
        new = {
            "completion": answer.completion,
            "created_at": answer.created_at,
            "expires_at": answer.expires_at,
        }
        statement = upsert.insert(self._session, CachedAnswer).values(
            project_id=answer.project_id, key=answer.key, **new
        )
        await self._session.execute(
            statement.on_conflict_do_update(index_elements=["project_id", "key"], set_=new)
        )

    async def forget_expired(self, now: datetime) -> None:
        await self._session.execute(delete(CachedAnswer).where(CachedAnswer.expires_at <= now))
