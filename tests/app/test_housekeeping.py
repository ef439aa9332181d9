"""Housekeeping deletes expired rows and nothing else."""

import asyncio
import contextlib
from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.app import housekeeping
from edison.db.wakeups import Topic
from edison.kit import clock
from edison.workspace.accounts.models import UserSession
from edison.workspace.events import service as events
from edison.workspace.events.models import Event
from tests.conftest import TurnableClock
from tests.factories.accounts import make_user, sign_in


async def count(app: FastAPI, table: type) -> int:
    async with app.state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def test_ended_sessions_and_old_events_are_deleted(
    app: FastAPI, turnable_clock: TurnableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await make_user(app)
    await sign_in(app, user)
    async with app.state.database.write() as session:
        await events.publish(session, stream=Topic("test"), kind="old", data={})
    turnable_clock.advance(days=8)
    await sign_in(app, user)
    async with app.state.database.write() as session:
        await events.publish(session, stream=Topic("test"), kind="new", data={})
    monkeypatch.setattr(housekeeping, "FIRST_AFTER", timedelta())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(1):
            await housekeeping.clean_up_regularly(app.state.database)
    assert (await count(app, UserSession), await count(app, Event)) == (1, 1)
    async with app.state.database.read() as session:
        assert await session.scalar(select(Event.kind)) == "new"
        assert await session.scalar(select(UserSession.expires_at)) > clock.now()
