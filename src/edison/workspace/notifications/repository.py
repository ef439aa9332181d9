"""All SQL about notifications."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.kit import clock
from edison.workspace.notifications.models import Notification, NotificationPreference
from edison.workspace.notifications.schemas import NotificationFilter

_SORTING = Sorting(
    columns={"created_at": Notification.created_at}, default="-created_at", id=Notification.id
)


class Notifications:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page_of(
        self, user_id: UUID, *, wanted: NotificationFilter, page: PageRequest
    ) -> Slice[Notification]:
        statement = select(Notification).where(Notification.user_id == user_id)
        if wanted.project_id is not None:
            statement = statement.where(Notification.project_id == wanted.project_id)
        if wanted.kind is not None:
            statement = statement.where(Notification.kind == wanted.kind)
        if wanted.is_unread is not None:
            is_unread = Notification.read_at.is_(None)
            statement = statement.where(is_unread if wanted.is_unread else ~is_unread)
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def count_unread(self, user_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(
                Notification.user_id == user_id, Notification.read_at.is_(None)
            )
        )
        return found or 0

    async def add(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await self._session.execute(insert(Notification), list(rows))

    async def mark_read(self, user_id: UUID, notification_id: UUID | None = None) -> int:
        """Marks one or all as read; returns how many were unread."""
        statement = update(Notification).where(
            Notification.user_id == user_id, Notification.read_at.is_(None)
        )
        if notification_id is not None:
            statement = statement.where(Notification.id == notification_id)
        found = await self._session.scalars(
            statement.values(read_at=clock.now())
            .returning(Notification.id)
            .execution_options(synchronize_session=False)
        )
        return len(found.all())

    async def find(self, user_id: UUID, notification_id: UUID) -> Notification | None:
        return await self._session.scalar(
            select(Notification).where(
                Notification.user_id == user_id, Notification.id == notification_id
            )
        )

    async def list_preferences(
        self, user_ids: Collection[UUID]
    ) -> Mapping[tuple[UUID, str], NotificationPreference]:
        found = await self._session.scalars(
            select(NotificationPreference).where(NotificationPreference.user_id.in_(user_ids))
        )
        return {(each.user_id, each.kind): each for each in found}

    async def save_preference(
        self, user_id: UUID, kind: str, *, in_app: bool, by_email: bool
    ) -> None:
        values = {"in_app": in_app, "by_email": by_email}
        new = upsert.insert(self._session, NotificationPreference).values(
            user_id=user_id, kind=kind, **values
        )
        await self._session.execute(
            new.on_conflict_do_update(index_elements=["user_id", "kind"], set_=values)
        )
