"""Telling people things: in the notification centre and by mail, after the transaction that gave
the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.jobs import job as jobs
from edison.jobs.job import Job, Priority
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events
from edison.workspace.mail.schemas import Letter
from edison.workspace.mail.service import Email, deliver
from edison.workspace.notifications.models import EmailState, Notification, NotificationKind
from edison.workspace.notifications.repository import Notifications
from edison.workspace.notifications.schemas import (
    News,
    NotificationFilter,
    PreferenceRead,
    PreferencesChange,
)
from edison.workspace.projects import service as projects
from edison.workspace.projects.models import Role

SEND = "send_notifications"
SENT_AT_ONCE = 50


class _Wish(NamedTuple):
    in_app: bool
    by_email: bool


# Defaults: mails only about what waits for a person.
_USUAL: Mapping[NotificationKind, _Wish] = {
    NotificationKind.RUN_FINISHED: _Wish(in_app=True, by_email=False),
    NotificationKind.PARTIAL_FAILURE: _Wish(in_app=True, by_email=True),
    NotificationKind.REVIEW_WAITING: _Wish(in_app=True, by_email=True),
    NotificationKind.EXPERIMENT_ENDED: _Wish(in_app=True, by_email=False),
    NotificationKind.BUDGET_ALERT: _Wish(in_app=True, by_email=True),
    NotificationKind.ALERT_OPENED: _Wish(in_app=True, by_email=True),
    NotificationKind.ALERT_RECOVERED: _Wish(in_app=True, by_email=True),
    NotificationKind.MONITOR_PAUSED: _Wish(in_app=True, by_email=True),
}


async def notify_members(session: AsyncSession, news: News, *, least: Role = Role.EDITOR) -> None:
    """Notify everyone in the project with at least this role; see `notify`."""
    user_ids = await projects.list_user_ids(session, project_id=news.project_id, least=least)
    await notify(session, news, user_ids=user_ids)


async def notify(session: AsyncSession, news: News, *, user_ids: Collection[UUID]) -> None:
    """Notify these users by the channels that each has chosen. Call it near the end: the project's
    stream of events is locked until the transaction ends.
    """
    notifications = Notifications(session)
    wishes = await _list_wishes(session, user_ids)
    now = clock.now()
    rows = []
    for user_id in dict.fromkeys(user_ids):
        wish = wishes[user_id][news.kind]
        if not (wish.in_app or wish.by_email):
            continue
        rows.append(
            {
                "id": ids.new_id(),
                "user_id": user_id,
                "project_id": news.project_id,
                "kind": news.kind,
                "entity_type": news.entity[0],
                "entity_id": news.entity[1],
                "part_type": None if news.part is None else news.part[0],
                "part_id": None if news.part is None else news.part[1],
                "title": news.title[:200],
                "body": news.body,
                "email_state": EmailState.WANTED if wish.by_email else None,
                "created_at": now,
                # Who only wants mails finds nothing unread in the centre.
                "read_at": None if wish.in_app else now,
            }
        )
    await notifications.add(rows)
    if any(row["email_state"] for row in rows):
        jobs.request(session, _send_job())
    if rows:
        await events.publish(
            session,
            stream=events.project_stream(news.project_id),
            kind="notification.added",
            data={"entity_id": str(news.entity[1])},
        )


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
    wishes = (await _list_wishes(session, [user_id]))[user_id]
    return [
        PreferenceRead(kind=kind, in_app=wish.in_app, by_email=wish.by_email)
        for kind, wish in wishes.items()
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
        before={each.kind.value: each.model_dump(exclude={"kind"}) for each in before},
        after={each.kind.value: each.model_dump(exclude={"kind"}) for each in after},
    )
    return after


async def _list_wishes(
    session: AsyncSession, user_ids: Collection[UUID]
) -> Mapping[UUID, Mapping[NotificationKind, _Wish]]:
    said = await Notifications(session).list_preferences(user_ids)
    return {
        user_id: {
            kind: usual
            if (own := said.get((user_id, kind))) is None
            else _Wish(in_app=own.in_app, by_email=own.by_email)
            for kind, usual in _USUAL.items()
        }
        for user_id in user_ids
    }


def _send_job() -> Job:
    return Job(task=SEND, key=SEND, priority=Priority.BACKGROUND)


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """For the sweep: unsent mails."""
    return [_send_job()] if await Notifications(session).has_wanted_mail() else []


async def send_mails(database: Database, channel: Email | None, *, site: str | None) -> None:
    """For the job: send what is wanted, each at most once. Without a mail server it is forgotten:
    they would be outdated when a mail server is configured weeks later.
    """
    state = None if channel is None else EmailState.SENT
    while True:
        async with database.write() as session:
            taken = await Notifications(session).take_wanted_mail(state, limit=SENT_AT_ONCE)
        if not taken:
            return
        if channel is None:
            continue
        for notification, address in taken:
            link = None if site is None else f"{site}{_path(notification)}"
            if not await deliver(channel, _letter(notification, address, link)):
                async with database.write() as session:
                    await Notifications(session).set_mail_failed(notification.id)


def _path(notification: Notification) -> str:
    """Of the page on which something can be done about it. The project goes by its id, which stays
    when it is renamed.
    """
    project = f"/p/{notification.project_id}"
    match notification.entity_type, notification.part_type:
        case "experiment", "suggestion":
            return f"{project}/reviews/{notification.part_id}"
        case "experiment", "iteration":
            place = f"{notification.entity_id}/iterations/{notification.part_id}"
            return f"{project}/experiments/{place}"
        case "experiment", _:
            return f"{project}/experiments/{notification.entity_id}"
        case "monitor", _:
            return f"{project}/monitors/{notification.entity_id}"
        case "budget", _:
            return f"{project}/budgets"
        case _:
            return "/notifications"


def _letter(notification: Notification, address: str, link: str | None) -> Letter:
    paragraphs = [notification.body]
    if link is not None:
        paragraphs.append(f"Open in Edison:\n{link}")
    paragraphs.append("Change which emails you get in your notification preferences.")
    body = "\n\n".join(paragraphs) + "\n"
    return Letter(to=address, subject=notification.title, body=body)
