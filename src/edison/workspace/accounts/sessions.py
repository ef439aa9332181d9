"""Browser sessions: open, extend the expiry."""

from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids, origin
from edison.settings import Settings
from edison.workspace.accounts.models import User, UserSession

REFRESH_BEFORE_EXPIRY = timedelta(days=1)
SEEN_EVERY = timedelta(minutes=5)


def open_session(
    session: AsyncSession,
    user: User,
    *,
    remember_me: bool,
    settings: Settings,
    is_single_sign_on: bool = False,
) -> UserSession:
    now = clock.now()
    source = origin.current()
    opened = UserSession(
        id=ids.new_id(),
        user_id=user.id,
        created_at=now,
        last_seen_at=now,
        expires_at=now + lifetime(settings, remember_me=remember_me),
        remember_me=remember_me,
        user_agent=source.user_agent,
        address=source.address,
        is_single_sign_on=is_single_sign_on,
    )
    session.add(opened)
    return opened


def lifetime(settings: Settings, *, remember_me: bool) -> timedelta:
    return timedelta(
        days=settings.session_days_remembered if remember_me else settings.session_days
    )


def is_due_for_refresh(opened: UserSession, now: datetime) -> bool:
    return opened.expires_at - now < REFRESH_BEFORE_EXPIRY


def is_due_for_sighting(opened: UserSession, now: datetime) -> bool:
    return now - opened.last_seen_at >= SEEN_EVERY
