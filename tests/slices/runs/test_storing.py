"""Cells that another process stored meanwhile, and runs that are deleted meanwhile."""

from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.fast_frozen import changed
from edison.pipeline.score.scorer import Scored
from edison.runs.store.batch import STORE_SCORES, STORE_WAVE
from edison.runs.store.models import Output, Run, Score
from edison.runs.store.rows import restore_output
from edison.runs.store.types import CellOutput, NewOutput, NewScore
from tests.slices.runs.conftest import Desk


def scored(output: CellOutput) -> NewScore:
    return NewScore(
        id=ids.new_id(),
        output=output,
        scorer_position=0,
        scored=Scored(value=0.5),
        answers={},
        charged_nanos=None,
        created_at=clock.now(),
    )


async def answered(desk: Desk, run_id: UUID) -> list[NewOutput]:
    """The answers of a run as another process would store them, with a score each."""
    async with desk.app.state.database.read() as session:
        statement = select(Output).where(Output.run_id == run_id).order_by(Output.case_position)
        found = [restore_output(row) for row in await session.scalars(statement)]
    outputs = [changed(output, id=ids.new_id()) for output in found]
    return [
        NewOutput(
            output=output,
            project_id=desk.dataset.project.id,
            sent="[]",
            charged_nanos=7,
            is_again=False,
            scores=[scored(output)],
        )
        for output in outputs
    ]


async def store(desk: Desk, new: list[NewOutput]) -> list[UUID | None]:
    return list(await desk.app.state.batch_writer.record(STORE_WAVE, new))


async def count(session: AsyncSession, run_id: UUID, table: type[Output | Score]) -> int:
    counted = select(func.count()).select_from(table).where(table.run_id == run_id)
    return int(await session.scalar(counted) or 0)


async def test_only_the_cells_that_are_new_are_stored_and_counted(desk: Desk) -> None:
    run_id = UUID((await desk.run())["id"])
    new = await answered(desk, run_id)
    async with desk.app.state.database.write() as session:
        await session.execute(
            delete(Output).where(Output.run_id == run_id, Output.case_position.in_([1, 4]))
        )
    stored = await store(desk, new)
    assert stored == [new[at].output.id if at in {1, 4} else None for at in range(len(new))]
    async with desk.app.state.database.read() as session:
        run = await session.get_one(Run, run_id)
        assert (run.done_count, run.score_count) == (6 + 2, 2)
        assert await count(session, run_id, Output) == 6
        assert await count(session, run_id, Score) == 2


async def test_a_score_that_exists_is_kept(desk: Desk) -> None:
    run_id = UUID((await desk.run())["id"])
    async with desk.app.state.database.read() as session:
        rows = await session.scalars(select(Output).where(Output.run_id == run_id))
        outputs = [restore_output(row) for row in rows]
    writer = desk.app.state.batch_writer
    assert await writer.record(STORE_SCORES, [scored(outputs[0])]) == [True]
    again = [scored(output) for output in outputs]
    assert await writer.record(STORE_SCORES, again) == [False, True, True, True, True, True]


async def test_the_numbers_are_not_read_when_all_cells_are_new(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = UUID((await desk.run())["id"])
    new = await answered(desk, run_id)
    async with desk.app.state.database.write() as session:
        await session.execute(delete(Output).where(Output.run_id == run_id))
    monkeypatch.setattr("edison.runs.store.cells._OUTPUT_NUMBERS", None)
    assert await store(desk, new) == [each.output.id for each in new]


async def test_an_answer_of_a_deleted_run_is_dropped_and_the_others_are_stored(desk: Desk) -> None:
    run_id, gone = UUID((await desk.run())["id"]), ids.new_id()
    new = await answered(desk, run_id)
    lost = replace(new[0], output=changed(new[0].output, id=ids.new_id(), run_id=gone))
    async with desk.app.state.database.write() as session:
        await session.execute(delete(Output).where(Output.run_id == run_id))
    assert await store(desk, [lost, *new]) == [None, *(each.output.id for each in new)]
