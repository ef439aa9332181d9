"""Claims a chunk, fills it, and releases it."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.db.wakeups import Subscription
from edison.jobs.batch_writer import Batch
from edison.jobs.job import Priority
from edison.kit.lazy_dataclasses import dataclass
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
from edison.runs.store.models import Run, RunChunk
from edison.runs.store.repository import Runs
from edison.runs.store.states import WORKING, RunState
from edison.runs.store.transitions import advance, announce, control_topic, move, queue_chunks

# Polling interval in seconds, in addition to wake-ups.
LOOK_EVERY_SECONDS = 2.0
# How often calls that came to wait for a retry are cancelled at shutdown.
DRAIN_EVERY_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A chunk that this process has claimed."""

    run: Run
    chunk: RunChunk


async def claim(
    tools: FillTools,
    run_id: UUID,
    *,
    number: int | None = None,
    besides: Collection[int] = (),
    is_last: bool = False,
) -> Claim | None:
    """Claims this chunk, or the first one that is free and not among `besides`. None if there is
    none: all are done or claimed by other processes, or the run is not working. If the process
    takes no further one by itself, after this `is_last`, the next ones are queued.
    """
    heartbeat = tools.batch_writer.heartbeat
    if heartbeat.beat == 0:
        # The chunk refers to the process's row, which the first heartbeat writes.
        await tools.batch_writer.beat()
    process_id = heartbeat.id
    async with tools.database.write() as session:
        # Lock order: the run before its chunks.
        run, chunks = await Runs(session).lock(run_id), Chunks(session)
        if number is None:
            number = await chunks.find_free(run_id, besides=besides)
        if run is None or number is None:
            return None
        chunk = await chunks.claim(run_id, number, process_id=process_id)
        if chunk is None:
            return None
        if run.state == RunState.PENDING:
            moved = await move(session, run, RunState.EXECUTING)
            if moved is not None:
                run = moved
                await announce(session, run)
        if is_last:
            await queue_chunks(session, run)
        return Claim(run=run, chunk=chunk)


async def fill(tools: FillTools, claimed: Claim, turn: ChunkTurn) -> bool:
    """Fills the chunk as far as possible. Returns True when nothing is missing any more."""
    async with tools.database.read() as session:
        work = await load(session, claimed.run, claimed.chunk)
    return await _fill(tools, work, turn)


async def release(tools: FillTools, claimed: Claim, *, is_full: bool) -> None:
    released = Release(chunk=claimed.chunk, is_full=is_full)
    await tools.batch_writer.record(RELEASE_CHUNK, released)


async def is_working(tools: FillTools, run_id: UUID) -> bool:
    """Whether to fill what is still missing."""
    if tools.is_stopping.is_set():
        return False
    async with tools.database.read() as session:
        run = await Runs(session).find(run_id)
    return run is not None and run.state in WORKING


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
    """`chunk` as it was claimed."""

    chunk: RunChunk
    is_full: bool


class _ReleaseChunks(Batch[Release, None]):
    order = RELEASES_ORDER

    async def apply(self, session: AsyncSession, items: Sequence[Release]) -> Sequence[None]:
        chunks, runs = Chunks(session), Runs(session)
        for item in sorted(items, key=lambda each: (each.chunk.run_id, each.chunk.number)):
            # Lock order: the run before its chunks.
            run = await runs.lock(item.chunk.run_id)
            was_ours = await chunks.release(item.chunk, is_done=item.is_full)
            if run is None or not was_ours:
                continue
            run = await advance(session, run)
            if run.state in WORKING and not item.is_full:
                await queue_chunks(session, run)
        return [None] * len(items)


RELEASE_CHUNK = _ReleaseChunks()
