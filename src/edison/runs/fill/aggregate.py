"""Completes a run whose cells are all finished."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.runs.store.chunks import Chunks
from edison.runs.store.effective_scores import (
    NO_SCORE,
    Effective,
    group_latencies,
    overall,
    summarise,
)
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.runs.store.states import WORKING, RunState
from edison.runs.store.totals import Totals
from edison.runs.store.transitions import advance, announce, move, queue_chunks


async def aggregate_run(database: Database, run_id: UUID) -> None:
    """Computes the summaries and completes the run. If the run is still working but has no open
    chunk, recounts it first and reopens chunks with missing cells. Idempotent.
    """
    async with database.write() as session:
        run = await Runs(session).lock(run_id)
        if run is None:
            return
        if run.state in WORKING:
            run = await _recount(session, run)
        if run.state != RunState.AGGREGATING:
            return
        runs, sums = Runs(session), Totals(session)
        scorers = await runs.list_scorers(run_id)
        scored = await sums.list_scores(run_id)
        latencies = group_latencies(await sums.list_latencies(run_id))
        effective = await Effective(session).by_variant(run_id)
        summaries = []
        for variant in await runs.list_variants(run_id):
            summary = summarise(
                variant.position,
                scorers,
                scored,
                effective=effective.get(variant.position, NO_SCORE),
                latencies=latencies.get(variant.position, []),
            )
            summaries.append(summary)
            await runs.set_variant(run_id, variant.position, {"summary": summary, "waiting": None})
        await runs.change(run_id, {"summary": overall(summaries)})
        moved = await move(session, run, RunState.COMPLETED)
        if moved is not None:
            await announce(session, moved)


async def _recount(session: AsyncSession, run: Run) -> Run:
    """Recomputes the tallies; advances the run, or reopens its chunks if cells are missing."""
    if await Chunks(session).count_open(run.id):
        return run
    run = await advance(session, await Totals(session).recount(run.id))
    if run.state in WORKING:
        await Chunks(session).reopen_all(run.id)
        await queue_chunks(session, run)
    return run
