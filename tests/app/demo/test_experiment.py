"""The experiment of the demo project, which waits for a review."""

import asyncio

from fastapi import FastAPI
from sqlalchemy import select

from edison.app.demo.project import make_demo
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from tests.support.patience import PATIENCE_SECONDS

_FIRST = (
    select(Iteration)
    .join(Experiment, Experiment.id == Iteration.experiment_id)
    .where(Experiment.name == "Better support replies")
)


async def test_the_demo_was_measured_by_the_engine_and_waits(app: FastAPI, working: None) -> None:
    database = app.state.database
    async with database.write() as session:
        await make_demo(session)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with database.read() as session:
                iteration = (await session.scalars(_FIRST)).one()
            if iteration.state == "reviewing":
                break
            assert iteration.state not in ("failed", "completed", "paused"), iteration.message
            await asyncio.sleep(0.1)
    async with database.read() as session:
        experiment = await session.get_one(Experiment, iteration.experiment_id)
        found = select(Suggestion).where(Suggestion.iteration_id == iteration.id)
        suggestions = (await session.scalars(found.order_by(Suggestion.number))).all()
    assert experiment.state == "reviewing"
    metrics = iteration.metrics or {}
    assert (metrics["train"]["cases"], metrics["holdout"]["cases"]) == (10, 8)
    assert (metrics["failed"], metrics["is_unjudged"]) == (0, False)
    assert {each.origin for each in suggestions} == {"refiner", "rubric"}
    assert all(each.exemplars and each.diff and each.targets for each in suggestions)
    assert {part for each in suggestions for part in each.parts} > {"text"}
