"""Notifications: one row per user in the notification centre. Other channels listen to
`on_notified`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.kit.hook import Hook
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events
from edison.workspace.notifications import kinds
from edison.workspace.notifications.models import Notification
from edison.workspace.notifications.repository import Notifications
from edison.workspace.notifications.schemas import (
    News,
    NotificationFilter,
    NotificationKindRead,
    PreferenceRead,
    PreferencesChange,
)
from edison.workspace.notifications.types import NotificationKind
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Role

# The ids are those of the users who want an email.
on_notified: Hook[[AsyncSession, News, Sequence[UUID]], None] = Hook(
    "After users were notified, in that transaction. Sends by other channels."
)


class _Channels(NamedTuple):
    in_app: bool
    by_email: bool


async def notify_members(session: AsyncSession, news: News, *, least: Role = Role.EDITOR) -> None:
    """Notify everyone in the project with at least this role; see `notify`."""
    user_ids = await projects.list_user_ids(session, project_id=news.project_id, least=least)
    await notify(session, news, user_ids=user_ids)


async def notify(session: AsyncSession, news: News, *, user_ids: Collection[UUID]) -> None:
    """Notify these users by the channels that each has chosen, and the project's destinations. Call
    it near the end: the project's stream of events is locked until the transaction ends.
    """
    recipients = list(dict.fromkeys(user_ids))
    chosen = await _list_channels(session, recipients, [news.kind])
    wanted = {user_id: chosen[user_id][news.kind.key] for user_id in recipients}
    rows = [
        _row(news, user_id, is_unread=channels.in_app)
        for user_id, channels in wanted.items()
        if channels.in_app or channels.by_email
    ]
    await Notifications(session).add(rows)
    by_email = [user_id for user_id, channels in wanted.items() if channels.by_email]
    await on_notified.fire(session, news, by_email)
    if rows:
        await events.publish(
            session,
            stream=events.project_stream(news.project_id),
            kind="notification.added",
            data={"entity_id": str(news.entity[1])},
        )


def _row(news: News, user_id: UUID, *, is_unread: bool) -> dict[str, object]:
    """Users who want only emails find nothing unread in the notification centre."""
    now = clock.now()
    part_type, part_id = news.part or (None, None)
    return {
        "id": ids.new_id(),
        "user_id": user_id,
        "project_id": news.project_id,
        "kind": news.kind.key,
        "entity_type": news.entity[0],
        "entity_id": news.entity[1],
        "part_type": part_type,
        "part_id": part_id,
        "title": news.title[:200],
        "body": news.body,
        "created_at": now,
        "read_at": None if is_unread else now,
    }


def list_kinds() -> list[NotificationKindRead]:
    """Every kind, those that need an action first."""
    return [
        NotificationKindRead(
            kind=kind.key,
            label=kind.label,
            hint=kind.hint,
            tone=kind.tone,
            icon=kind.icon,
            in_app=kind.in_app,
            by_email=kind.by_email,
            facts=None if kind.facts is None else kind.facts.model_json_schema(),
        )
        for kind in kinds.list_kinds()
    ]


async def list_notifications(
    session: AsyncSession, *, user_id: UUID, wanted: NotificationFilter, page: PageRequest
) -> Slice[Notification]:
    return await Notifications(session).page_of(user_id, wanted=wanted, page=page)


async def count_unread(session: AsyncSession, *, user_id: UUID) -> int:
    return await Notifications(session).count_unread(user_id)


async def mark_read(session: AsyncSession, *, user_id: UUID, notification_id: UUID) -> None:
    """Marking twice changes nothing."""
    notifications = Notifications(session)
    if await notifications.find(user_id, notification_id) is None:
        raise NotFound("Notification not found.")
    count = await notifications.mark_read(user_id, notification_id)
    _note_read(session, user_id, count)


async def mark_all_read(session: AsyncSession, *, user_id: UUID) -> int:
    """How many were not read before."""
    count = await Notifications(session).mark_read(user_id)
    _note_read(session, user_id, count)
    return count


def _note_read(session: AsyncSession, user_id: UUID, count: int) -> None:
    audit.record(session, "notifications.read", entity=("user", user_id), after={"count": count})


async def list_preferences(session: AsyncSession, *, user_id: UUID) -> list[PreferenceRead]:
    chosen = (await _list_channels(session, [user_id], kinds.list_kinds()))[user_id]
    return [
        PreferenceRead(kind=key, in_app=channels.in_app, by_email=channels.by_email)
        for key, channels in chosen.items()
    ]


async def change_preferences(
    session: AsyncSession, *, user_id: UUID, change: PreferencesChange
) -> list[PreferenceRead]:
    before = await list_preferences(session, user_id=user_id)
    for each in change.preferences:
        await Notifications(session).save_preference(
            user_id, each.kind, in_app=each.in_app, by_email=each.by_email
        )
    after = await list_preferences(session, user_id=user_id)
    audit.record(
        session,
        "notification_preferences.changed",
        entity=("user", user_id),
        before={each.kind: each.model_dump(exclude={"kind"}) for each in before},
        after={each.kind: each.model_dump(exclude={"kind"}) for each in after},
    )
    return after


async def _list_channels(
    session: AsyncSession, user_ids: Collection[UUID], wanted: Sequence[NotificationKind]
) -> Mapping[UUID, Mapping[str, _Channels]]:
    """The channels of each user for each of these kinds."""
    saved = await Notifications(session).list_preferences(user_ids)
    return {
        user_id: {
            kind.key: _Channels(in_app=kind.in_app, by_email=kind.by_email)
            if (own := saved.get((user_id, kind.key))) is None
            else _Channels(in_app=own.in_app, by_email=own.by_email)
            for kind in wanted
        }
        for user_id in user_ids
    }
