"""Routes for one's own notifications."""

from typing import Annotated
from uuid import UUID

from fastapi import Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentSettings, Session
from edison.workspace.accounts.access import SignedIn
from edison.workspace.notifications import service
from edison.workspace.notifications.models import Notification
from edison.workspace.notifications.schemas import (
    NotificationFilter,
    NotificationKindRead,
    NotificationRead,
    PreferencesChange,
    PreferencesRead,
    UnreadCount,
)

router = api_router("/notifications", tag="notifications")


@router.get("", response_model=Page[NotificationRead])
async def list_notifications(
    caller: SignedIn,
    wanted: Annotated[NotificationFilter, read_into(NotificationFilter)],
    page: PageParams,
    session: Session,
) -> Slice[Notification]:
    """List your notifications from all projects, newest first."""
    return await service.list_notifications(
        session, user_id=caller.user_id, wanted=wanted, page=page
    )


@router.get("/kinds")
async def list_notification_kinds(caller: SignedIn) -> Page[NotificationKindRead]:
    """List the kinds of notifications, with labels and defaults."""
    items = service.list_kinds()
    return Page(items=items, next=None, total=len(items))


@router.get("/unread-count")
async def count_unread_notifications(caller: SignedIn, session: Session) -> UnreadCount:
    """Count your unread notifications."""
    return UnreadCount(count=await service.count_unread(session, user_id=caller.user_id))


@router.post("/read-all")
async def mark_all_notifications_read(caller: SignedIn, session: Session) -> UnreadCount:
    """Mark all notifications as read."""
    await service.mark_all_read(session, user_id=caller.user_id)
    return UnreadCount(count=0)


@router.get("/preferences")
async def list_notification_preferences(
    caller: SignedIn, session: Session, settings: CurrentSettings
) -> PreferencesRead:
    """Read your notification preferences, in the app and by email."""
    return PreferencesRead(
        is_email_available=settings.smtp_host is not None,
        preferences=await service.list_preferences(session, user_id=caller.user_id),
    )


@router.put("/preferences")
async def change_notification_preferences(
    body: PreferencesChange, caller: SignedIn, session: Session, settings: CurrentSettings
) -> PreferencesRead:
    """Change your notification preferences."""
    return PreferencesRead(
        is_email_available=settings.smtp_host is not None,
        preferences=await service.change_preferences(session, user_id=caller.user_id, change=body),
    )


@router.post("/{notification_id}/read", status_code=status.HTTP_204_NO_CONTENT)
async def mark_notification_read(
    notification_id: UUID, caller: SignedIn, session: Session
) -> Response:
    """Mark a notification as read."""
    await service.mark_read(session, user_id=caller.user_id, notification_id=notification_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)
