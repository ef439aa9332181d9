"""The optimizations of the demo project: one is refused, one succeeds, both really executed."""

import asyncio

from fastapi import FastAPI
from sqlalchemy import delete, select

from edison.app import demo_monitor, demo_optimizations
from edison.loops.optimizations.models import Optimization
from tests.slices.monitors.test_demo import make_quick_demo
from tests.support.patience import PATIENCE_SECONDS


async def test_a_lucky_candidate_is_refused_and_a_good_one_is_promoted(
    app: FastAPI, working: None
) -> None:
    database = app.state.database
    project_id = await make_quick_demo(database)
    await demo_monitor.advance(database, app.state.vault, project_id)

    async def ended() -> list[Optimization]:
        async with database.read() as session:
            found = (await session.scalars(select(Optimization).order_by(Optimization.id))).all()
        assert not {each.state for each in found} & {"failed", "paused", "cancelled"}, found
        return [each for each in found if each.state == "completed"]

    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(await ended()) < 2:
            await demo_optimizations.advance(database, app.state.gateway, project_id)
            await asyncio.sleep(0.1)
    refused, promoted = await ended()
    assert (refused.name, refused.outcome) == (demo_optimizations.REFUSED, "refused")
    assert (refused.verdict or {})["train_gain"] > 0
    assert (promoted.name, promoted.outcome) == (demo_optimizations.PROMOTED, "promoted")
    async with database.write() as session:
        assert not await demo_optimizations.list_missing_jobs(session)
        await session.execute(delete(Optimization))
        # What a user deletes stays deleted.
        assert not await demo_optimizations.list_missing_jobs(session)
