"""The job of one chunk: claim, fill, release."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from enum import Enum, auto
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.db.wakeups import Subscription
from edison.jobs.batch_writer import Batch
from edison.jobs.job import Priority
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.memory import collected_rarely
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.runs.fill.answers import Answerer, LiveAnswerer
from edison.runs.fill.chunk import ChunkFill, FillTools
from edison.runs.fill.judges import Judges, Judging
from edison.runs.fill.replay import StoredAnswers, StoredJudges
from edison.runs.fill.scores import LiveJudges
from edison.runs.fill.turns import ChunkTurn
from edison.runs.fill.work import Work, load
from edison.runs.plan.scorers import open_comparers, open_scorers
from edison.runs.store.chunks import Chunks
from edison.runs.store.repository import Runs
from edison.runs.store.states import WORKING, RunState
from edison.runs.store.transitions import advance, announce, control_topic, move, queue_chunks

# Polling interval in seconds, in addition to wake-ups.
LOOK_EVERY_SECONDS = 2.0
# How often calls that came to wait for a retry are cancelled at shutdown.
DRAIN_EVERY_SECONDS = 0.2
# Maximum passes over a chunk whose cells other processes store concurrently.
MAX_PASSES = 5


async def fill_chunk(tools: FillTools, run_id: UUID, number: int) -> None:
    """Returns when the chunk is complete, claimed by another process, or the run has stopped."""
    if (run_id, number) in tools.being_filled:
        return
    tools.being_filled.add((run_id, number))
    try:
        with collected_rarely():
            for _ in range(MAX_PASSES):
                async with tools.turns.take(run_id) as turn:
                    if await _run_pass(tools, run_id, number, turn) is not Pass.AGAIN:
                        return
    finally:
        tools.being_filled.discard((run_id, number))


class Pass(Enum):
    ENOUGH = auto()
    # Cells are missing although the run is working: another process stored some of them.
    AGAIN = auto()


async def _run_pass(tools: FillTools, run_id: UUID, number: int, turn: ChunkTurn) -> Pass:
    heartbeat = tools.batch_writer.heartbeat
    if heartbeat.beat == 0:
        # The chunk refers to the process's row, which the first heartbeat writes.
        await tools.batch_writer.beat()
    process_id = heartbeat.id
    work = await _claim(tools.database, run_id, number, process_id)
    if work is None:
        return Pass.ENOUGH
    is_full = False
    try:
        is_full = await _fill(tools, work, turn)
    finally:
        await tools.batch_writer.record(
            RELEASE_CHUNK,
            Release(run_id=run_id, number=number, process_id=process_id, is_full=is_full),
        )
    if is_full or tools.is_stopping.is_set():
        return Pass.ENOUGH
    async with tools.database.read() as session:
        run = await Runs(session).find(run_id)
    return Pass.AGAIN if run is not None and run.state in WORKING else Pass.ENOUGH


async def _claim(database: Database, run_id: UUID, number: int, process_id: UUID) -> Work | None:
    async with database.write() as session:
        # Lock order: the run before its chunks.
        run = await Runs(session).lock(run_id)
        chunk = await Chunks(session).claim(run_id, number, process_id=process_id)
        if run is None or chunk is None:
            return None
        if run.state == RunState.PENDING:
            moved = await move(session, run, RunState.EXECUTING)
            if moved is not None:
                run = moved
                await announce(session, run)
    async with database.read() as session:
        return await load(session, run, chunk)


async def _fill(tools: FillTools, work: Work, turn: ChunkTurn) -> bool:
    call_group = CallGroup(
        key=str(work.run.id), is_interactive=work.run.priority >= Priority.INTERACTIVE
    )
    async with AsyncExitStack() as stack:
        answerer, judges = await _sources(tools, work, call_group, stack)
        return await _fill_from(tools, work, turn, answerer, judges)


async def _fill_from(
    tools: FillTools, work: Work, turn: ChunkTurn, answerer: Answerer, judges: Judges
) -> bool:
    fill = ChunkFill(
        tools,
        work,
        answerer=answerer,
        judging=Judging(
            scorers=open_scorers(work.scorers),
            comparers=open_comparers(work.comparers),
            judges=judges,
        ),
        at_once=_width(tools, work),
        turn=turn,
    )
    heartbeat = tools.batch_writer.heartbeat
    heartbeat.on_replaced.append(fill.stop)
    with tools.database.wakeups.subscribe(control_topic(work.run.id)) as control:
        watching = asyncio.create_task(_watch(tools.database, work.run.id, control, fill))
        draining = asyncio.create_task(_drain_on_shutdown(tools, fill))
        try:
            return await fill.run()
        finally:
            heartbeat.on_replaced.remove(fill.stop)
            # Not cancelled: that would cost a connection in use, and the traceback of its statement
            # would keep the cells until the next garbage collection.
            control.close()
            draining.cancel()
            await asyncio.wait([watching, draining])


def _width(tools: FillTools, work: Work) -> int:
    """As many cells at a time as the run's models allow together."""
    models = {each.model.id: each.model for each in work.columns if each.model}
    widths = [tools.gateway.concurrency_of(model) for model in models.values()]
    return max(tools.gateway.calls_per_credential, sum(widths))


async def _sources(
    tools: FillTools, work: Work, call_group: CallGroup, stack: AsyncExitStack
) -> tuple[Answerer, Judges]:
    original = work.run.replay_of_id
    if original is None:
        return (
            # Live text only for interactive runs: streaming costs more than a whole answer.
            LiveAnswerer(
                tools.gateway,
                work,
                call_group,
                live_text_writer=tools.live_text_writer if call_group.is_interactive else None,
            ),
            LiveJudges(tools.database, tools.gateway, tools.batch_writer, work, call_group, stack),
        )
    async with tools.database.read() as session:
        return (
            await StoredAnswers.load(session, original, work),
            await StoredJudges.load(session, original, work.chunk),
        )


async def _watch(database: Database, run_id: UUID, control: Subscription, fill: ChunkFill) -> None:
    """Watches the run's state and stops the fill when the run is paused, cancelled or deleted."""
    while not control.is_closed:
        async with database.read_inline() as session:
            run = await Runs(session).find(run_id)
        if run is None or run.state == RunState.CANCELLED:
            fill.stop()
            return
        if run.state not in WORKING:
            fill.drain()
        await control.wait(LOOK_EVERY_SECONDS)


async def _drain_on_shutdown(tools: FillTools, fill: ChunkFill) -> None:
    """Again and again, since a call in flight may fail and then wait for its retry."""
    await tools.is_stopping.wait()
    while True:
        fill.drain()
        await asyncio.sleep(DRAIN_EVERY_SECONDS)


# After outputs and scores, which decide whether the run is complete.
RELEASES_ORDER = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    run_id: UUID
    number: int
    process_id: UUID
    is_full: bool


class _ReleaseChunks(Batch[Release, None]):
    order = RELEASES_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[Release]) -> Sequence[None]:
        chunks, runs = Chunks(session), Runs(session)
        for item in sorted(items, key=lambda each: (each.run_id, each.number)):
            # Lock order: the run before its chunks.
            run = await runs.lock(item.run_id)
            was_ours = await chunks.release(
                item.run_id, item.number, process_id=item.process_id, is_done=item.is_full
            )
            if run is None or not was_ours:
                continue
            run = await advance(session, run)
            if run.state in WORKING:
                await queue_chunks(session, run)
        return [None] * len(items)


RELEASE_CHUNK = _ReleaseChunks()
