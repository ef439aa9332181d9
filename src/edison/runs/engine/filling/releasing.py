"""Hands a chunk back, full or not. Through the recorder, which does not give up while the database
is away: a chunk that nobody hands back is nobody else's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.recorder import Batch
from edison.runs.engine.control import advance, queue_chunks
from edison.runs.engine.repository.chunks import Chunks
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.states import WORKING

# After outputs and scores, which decide whether the run has come to its end.
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
            # The run first, as everywhere: two who lock both never wait for each other.
            run = await runs.lock(item.run_id)
            was_ours = await chunks.release(
                item.run_id, item.number, process_id=item.process_id, is_done=item.is_full
            )
            if run is None or not was_ours:
                continue
            await advance(session, run)
            if run.state in WORKING:
                await queue_chunks(session, run)
        return [None] * len(items)


RELEASE_CHUNK = _ReleaseChunks()
