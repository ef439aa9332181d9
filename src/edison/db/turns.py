"""Turns: transactions that must not run at the same time, where there is no row to lock."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession


async def wait_for_turn(session: AsyncSession, what: str) -> None:
    """Waits until no other transaction does this. On SQLite a writing transaction is alone."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(select(func.pg_advisory_xact_lock(func.hashtext(what))))
