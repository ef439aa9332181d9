"""The stories of the demo project about better prompts, really executed: an optimization that is
refused, one that succeeds, and an experiment with two approved changes.
"""

import asyncio

import pytest
from fastapi import FastAPI
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.app.demo import finished_experiment, monitor, optimizations
from edison.db.session import Database
from edison.jobs.job import Job
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.optimizations.models import Optimization
from tests.app.demo.test_monitor import make_quick_demo
from tests.support.patience import PATIENCE_SECONDS


async def test_a_lucky_candidate_is_refused_and_a_good_one_is_promoted(
    app: FastAPI, working: None
) -> None:
    database = app.state.database
    project_id = await make_quick_demo(database)
    await monitor.advance(database, app.state.vault, project_id)

    async def ended() -> list[Optimization]:
        async with database.read() as session:
            found = (await session.scalars(select(Optimization).order_by(Optimization.id))).all()
        assert not {each.state for each in found} & {"failed", "paused", "cancelled"}, found
        return [each for each in found if each.state == "completed"]

    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(await ended()) < 2 or not await is_improved(database):
            await optimizations.advance(database, app.state.gateway, project_id)
            await finished_experiment.advance(database, project_id)
            await asyncio.sleep(0.1)
    refused, promoted = await ended()
    assert (refused.name, refused.outcome) == (optimizations.REFUSED, "refused")
    assert (refused.verdict or {})["train_gain"] > 0
    assert (promoted.name, promoted.outcome) == (optimizations.PROMOTED, "promoted")
    async with database.write() as session:
        assert not await list_steps(session)
        await check_gain(session)
        await session.execute(delete(Optimization))
        await session.execute(delete(Experiment))
        # What a user deletes stays deleted.
        assert not await list_steps(session)


async def is_improved(database: Database) -> bool:
    async with database.read() as session:
        state = await session.scalar(
            select(Experiment.state).where(Experiment.name == finished_experiment.NAME)
        )
    return state == "completed"


async def list_steps(session: AsyncSession) -> list[Job]:
    return [
        *await optimizations.list_missing_jobs(session),
        *await finished_experiment.list_missing_jobs(session),
    ]


async def check_gain(session: AsyncSession) -> None:
    """Two changes were approved, and the last version is better on held-out cases."""
    found = await session.scalars(
        select(Iteration)
        .join(Experiment, Experiment.id == Iteration.experiment_id)
        .where(Experiment.name == finished_experiment.NAME)
        .order_by(Iteration.number)
    )
    first, second, last = (each.metrics or {} for each in found)
    values = [each["holdout"]["value"] for each in (first, second, last)]
    assert values == pytest.approx([0.496, 0.775, 0.854])
    assert [each["against_first"]["verdict"] for each in (second, last)] == ["better", "better"]
    assert last["holdout_test"]["look"] == 2
