"""The monitor and the A/B test of the demo project: really executed, to an alert and a decision."""

import asyncio
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import select, update

from edison.app.demo import arena, background, votes
from edison.app.demo import monitor as demo_monitor
from edison.app.demo.project import make_demo
from edison.db.session import Database
from edison.insights.boards import service as boards
from edison.insights.boards.schemas import BoardFilter
from edison.loops.abtests.models import AbTest
from edison.loops.monitors.models import Alert, Monitor, MonitorCheck
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.runs.voting import rounds
from edison.runs.voting import service as voting
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Project
from tests.support.patience import PATIENCE_SECONDS


async def has_step_left(database: Database) -> bool:
    async with database.read() as session:
        return bool(await demo_monitor.list_missing_jobs(session))


async def make_quick_demo(database: Database) -> UUID:
    """Its models answer at once, and its other runs are cancelled."""
    async with database.write() as session:
        await make_demo(session)
        await session.execute(update(Run).values(state=RunState.CANCELLED))
        for credential in await session.scalars(select(Credential)):
            credential.settings = {**credential.settings, "latency_scale": 0}
        return (await session.scalars(select(Project.id))).one()


async def advance(app: FastAPI, project_id: UUID) -> None:
    await demo_monitor.advance(app.state.database, app.state.vault, project_id)


async def test_the_release_moves_and_a_real_drop_opens_an_alert(
    app: FastAPI, working: None
) -> None:
    database = app.state.database
    project_id = await make_quick_demo(database)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await has_step_left(database):
            await advance(app, project_id)
            await asyncio.sleep(0.05)
        while True:
            async with database.read() as session:
                alert = await session.scalar(select(Alert))
                test = (await session.scalars(select(AbTest))).one()
            if alert is not None and test.state != "running":
                break
            await asyncio.sleep(0.05)
    async with database.read() as session:
        monitor = (await session.scalars(select(Monitor))).one()
        found = await session.scalars(select(MonitorCheck).order_by(MonitorCheck.number))
        checks = found.all()
        made = (await session.scalars(select(Run.created_at))).all()
    assert (monitor.state, monitor.check_count) == ("active", demo_monitor.BASELINE_CHECKS + 1)
    *before, last = checks
    assert {each.verdict for each in before} == {"good"}
    assert (last.verdict, last.confirm_run_id is not None) == ("lower", True)
    assert alert.rule == "drop"
    assert all(each.created_at >= min(made) for each in checks)
    assert test.state in ("decided", "complete"), test.message
    assert (test.result or {})["recommendation"] == "keep_first"
    await _check_arena(database, project_id)


async def _check_arena(database: Database, project_id: UUID) -> None:
    """The board of the demo has three models with scores and votes of a judge, and a round waits
    for the votes of its owner.
    """
    async with database.read() as session:
        dataset_id = await session.scalar(select(Run.dataset_id).where(Run.name == arena.NAME))
    assert dataset_id is not None
    wanted = BoardFilter(dataset_id=[dataset_id])
    board = await boards.get_board(database, project_id=project_id, wanted=wanted)
    rated = {row.name for row in board.rows if row.judges is not None and row.score is not None}
    assert len(rated) == len(arena.MODELS)
    async with database.read() as session:
        owner_id = await background.find_owner(session, project_id)
        assert owner_id is not None
        (left,) = await voting.list_open_rounds(session, project_id=project_id, user_id=owner_id)
        shown = await rounds.get_round(
            session, project_id=project_id, round_id=left.id, user_id=owner_id
        )
    assert (left.name, left.left_for_me) == (votes.NAME, shown.match_count)
    assert (shown.vote_count, shown.my_votes) == (votes.VOTES, 0)


async def test_a_deleted_demo_monitor_is_not_made_again(app: FastAPI, working: None) -> None:
    database = app.state.database
    project_id = await make_quick_demo(database)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            await advance(app, project_id)
            async with database.read() as session:
                monitor = await session.scalar(select(Monitor))
            if monitor is not None:
                break
            await asyncio.sleep(0.05)
    async with database.write() as session:
        await session.delete(await session.get_one(Monitor, monitor.id))
    assert not await has_step_left(database)
