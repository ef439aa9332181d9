"""Rate limits on guessing, stored in the database so that they hold across processes and restarts.

An attempt is counted BEFORE the password is checked, by one conditional statement, so parallel
guesses cannot exceed the limit. A successful attempt is uncounted.
"""

from datetime import timedelta

from sqlalchemy import case, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.kit import clock
from edison.workspace.accounts.models import AttemptWindow

WINDOW = timedelta(minutes=15)


async def count(session: AsyncSession, key: str, *, limit: int) -> int | None:
    """Count an attempt. Returns the seconds to wait when `limit` is used up, else None.

    The wait runs from the last counted attempt; refused attempts do not prolong it.
    """
    now = clock.now()
    has_ended = AttemptWindow.ends_at <= now
    statement = (
        upsert.insert(session, AttemptWindow)
        .values(key=key, count=1, ends_at=now + WINDOW)
        .on_conflict_do_update(
            index_elements=["key"],
            set_={
                "count": case((has_ended, 1), else_=AttemptWindow.count + 1),
                "ends_at": now + WINDOW,
            },
            where=or_(has_ended, AttemptWindow.count < limit),
        )
        .returning(AttemptWindow.count)
    )
    if await session.scalar(statement) is not None:
        return None
    ends_at = await session.scalar(select(AttemptWindow.ends_at).where(AttemptWindow.key == key))
    return 1 if ends_at is None else max(1, round((ends_at - now).total_seconds()))


async def take_back(session: AsyncSession, key: str) -> None:
    """Uncount one successful attempt."""
    await session.execute(
        update(AttemptWindow)
        .where(AttemptWindow.key == key, AttemptWindow.count > 0)
        .values(count=AttemptWindow.count - 1)
    )


async def forget(session: AsyncSession, key: str) -> None:
    await session.execute(delete(AttemptWindow).where(AttemptWindow.key == key))


async def forget_ended(session: AsyncSession) -> None:
    await session.execute(delete(AttemptWindow).where(AttemptWindow.ends_at <= clock.now()))
