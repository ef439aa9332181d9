"""The playground of the demo project, which is never empty."""

import asyncio
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import select

from edison.app.demo.project import make_demo
from edison.runs.store.models import Output, Run, RunScorer, RunVariant, Score
from edison.runs.store.states import OVER
from edison.runs.store.transitions import progress_topic
from tests.support.patience import PATIENCE_SECONDS


async def finish(app: FastAPI, run_id: UUID) -> Run:
    database = app.state.database
    with database.wakeups.subscribe(progress_topic(run_id)) as news:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                async with database.read() as session:
                    run: Run = await session.get_one(Run, run_id)
                if run.state in OVER:
                    return run
                await news.wait(0.5)


async def test_the_demo_was_played_by_its_owner_and_graded(app: FastAPI, working: None) -> None:
    database = app.state.database
    async with database.write() as session:
        await make_demo(session)
    async with database.read() as session:
        played = (await session.scalars(select(Run).where(Run.origin == "playground"))).one()
    run = await finish(app, played.id)

    assert (run.state, run.cell_count, run.error_count) == ("completed", 36, 0)
    assert run.author_id is not None
    async with database.read() as session:
        names = select(RunVariant.model_name).where(RunVariant.run_id == run.id)
        assert len(set(await session.scalars(names))) == 3
        grader = (await session.scalars(select(RunScorer).where(RunScorer.run_id == run.id))).one()
        outputs = (await session.scalars(select(Output).where(Output.run_id == run.id))).all()
        scores = (await session.scalars(select(Score).where(Score.run_id == run.id))).all()
    assert (grader.kind, grader.label) == ("grader_prompt", "Support replies grader")
    assert {output.status for output in outputs} == {"ok"}
    # Every verdict of the grader was readable, and they differ.
    assert [score.flag for score in scores] == [None] * 36
    assert all(score.rationale for score in scores)
    assert len({score.value for score in scores}) > 5
