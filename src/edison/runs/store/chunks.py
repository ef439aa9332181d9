"""All SQL about chunks: claims, open chunks, and cells marked for retry."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Table,
    Uuid,
    bindparam,
    delete,
    exists,
    false,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.prepared import Prepared, PreparedEntities
from edison.pipeline.score.scorer import UNREADABLE
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.models import Output, Run, RunChunk, Score
from edison.runs.store.states import WORKING, RunCache, RunState

_CHUNKS = cast(Table, RunChunk.__table__)
_OF_RUN = _CHUNKS.c.run_id == bindparam("of_run")
_ONE = update(_CHUNKS).where(_OF_RUN, _CHUNKS.c.number == bindparam("of_number"))
_PROCESS = bindparam("by_process", type_=Uuid())
_CLAIM = PreparedEntities(
    RunChunk,
    lambda _: (
        _ONE.where(
            _CHUNKS.c.is_done == false(),
            or_(_CHUNKS.c.process_id.is_(None), _CHUNKS.c.process_id == _PROCESS),
            exists().where(
                Run.id == bindparam("of_run"),
                or_(*(Run.state == each for each in (RunState.PENDING, *WORKING))),
            ),
        )
        .values(process_id=_PROCESS)
        .returning(*_CHUNKS.columns)
    ),
)
_RELEASE = Prepared(
    lambda _: (
        _ONE.where(_CHUNKS.c.process_id == _PROCESS)
        .values(process_id=null(), is_done=bindparam("now_done", type_=Boolean()))
        .returning(_CHUNKS.c.number)
    )
)
_COUNT_CLAIMED = Prepared(
    lambda _: select(func.count()).where(_OF_RUN, _CHUNKS.c.process_id.is_not(None))
)
_FREE = Prepared(
    lambda _: (
        select(_CHUNKS.c.number)
        .where(_OF_RUN, _CHUNKS.c.is_done == false(), _CHUNKS.c.process_id.is_(None))
        .order_by(_CHUNKS.c.number)
        .limit(bindparam("most"))
    )
)


class Chunks:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def claim(self, run_id: UUID, number: int, *, process_id: UUID) -> RunChunk | None:
        """Claims the chunk for this process. None if it is done, claimed by another process, or its
        run is not working. Succeeds again for a chunk this process already holds; the caller must
        track whether it is already working on it.
        """
        return await _CLAIM.find(
            self._session, of_run=run_id, of_number=number, by_process=process_id
        )

    async def release(self, claimed: RunChunk, *, is_done: bool) -> bool:
        """Releases the chunk. False if the process that claimed it no longer held it."""
        released = await _RELEASE.fetch(
            self._session,
            of_run=claimed.run_id,
            of_number=claimed.number,
            by_process=claimed.process_id,
            now_done=is_done,
        )
        return bool(released)

    async def find_free(self, run_id: UUID, *, besides: Collection[int] = ()) -> int | None:
        """The first chunk that is neither done nor claimed."""
        for number in await self._list_free(run_id, most=1 + len(besides)):
            if number not in besides:
                return number
        return None

    async def list_next(self, run_id: UUID, *, at_once: int) -> Sequence[int]:
        """The free chunks to queue, so that `at_once` are queued or claimed: at least one, since a
        process may have claimed several.
        """
        ((claimed,),) = await _COUNT_CLAIMED.fetch(self._session, of_run=run_id)
        return await self._list_free(run_id, most=max(1, at_once - claimed))

    async def _list_free(self, run_id: UUID, *, most: int) -> Sequence[int]:
        free = await _FREE.fetch(self._session, of_run=run_id, most=most)
        return [number for (number,) in free]

    async def reopen(self, run_id: UUID, positions: Collection[int]) -> None:
        """Marks the chunks that hold these cases as not done."""
        for position in positions:
            await self._session.execute(
                update(RunChunk)
                .where(
                    RunChunk.run_id == run_id,
                    RunChunk.first_position <= position,
                    RunChunk.end_position > position,
                    RunChunk.is_done,
                )
                .values(is_done=False)
                .execution_options(synchronize_session=False)
            )

    async def reopen_all(self, run_id: UUID) -> None:
        await self._session.execute(
            update(RunChunk)
            .where(RunChunk.run_id == run_id)
            .values(is_done=False)
            .execution_options(synchronize_session=False)
        )

    async def list_open(self, run_id: UUID) -> Sequence[int]:
        found = await self._session.scalars(
            select(RunChunk.number).where(RunChunk.run_id == run_id, RunChunk.is_done.is_(False))
        )
        return found.all()

    async def count_open(self, run_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(RunChunk.run_id == run_id, RunChunk.is_done.is_(False))
        )
        return int(found or 0)

    async def list_claimants(self, run_ids: Collection[UUID]) -> Sequence[UUID]:
        """The processes that hold chunks of these runs."""
        found = await self._session.scalars(
            select(RunChunk.process_id)
            .where(RunChunk.run_id.in_(run_ids), RunChunk.process_id.is_not(None))
            .distinct()
        )
        return [each for each in found if each is not None]

    async def count_claimed(self) -> Mapping[UUID, int]:
        """Claimed chunks of all runs, by process."""
        found = await self._session.execute(
            select(RunChunk.process_id, func.count())
            .where(RunChunk.process_id.is_not(None))
            .group_by(RunChunk.process_id)
        )
        return {process_id: number for process_id, number in found if process_id is not None}


class Retries:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def mark_failed(self, run_id: UUID) -> Sequence[int]:
        """Marks all failed cells for retry. Returns the positions of their cases."""
        return await self._mark(Output.run_id == run_id, Output.status == "error")

    async def forget_unreadable(self, run_id: UUID) -> Sequence[int]:
        """Deletes unreadable scores so that they are requested again, bypassing the cache. Returns
        the positions of their cases.
        """
        found = (
            await self._session.execute(
                select(Score.id, Output.case_position)
                .join(Output, Output.id == Score.output_id)
                .where(
                    Score.run_id == run_id,
                    Score.flag.in_(sorted(UNREADABLE)),
                    Output.is_wanted_again.is_(False),
                )
            )
        ).all()
        ids = [score_id for score_id, _ in found]
        for start in range(0, len(ids), 500):
            await self._session.execute(
                delete(Score)
                .where(Score.id.in_(ids[start : start + 500]))
                .execution_options(synchronize_session=False)
            )
        if ids:
            await self._session.execute(
                update(Run)
                .where(Run.id == run_id)
                .values(cache_mode=RunCache.BYPASS)
                .execution_options(synchronize_session=False)
            )
        return sorted({position for _, position in found})

    async def mark(self, output_id: UUID) -> Sequence[int]:
        """Marks one cell for retry. Deletes its scores and comparisons; the answer stays until it
        is replaced.
        """
        return await self._mark(Output.id == output_id)

    async def _mark(self, *conditions: Any) -> Sequence[int]:
        marked = (
            await self._session.execute(
                update(Output)
                .where(*conditions, Output.is_wanted_again.is_(False))
                .values(is_wanted_again=True)
                .returning(Output.id, Output.case_position)
                .execution_options(synchronize_session=False)
            )
        ).all()
        ids = [output_id for output_id, _ in marked]
        for start in range(0, len(ids), 500):
            some = ids[start : start + 500]
            await self._session.execute(
                delete(Score)
                .where(Score.output_id.in_(some))
                .execution_options(synchronize_session=False)
            )
            await Comparisons(self._session).remove_of(some)
        return sorted({position for _, position in marked})

    async def count_wanted(self, run_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(Output.run_id == run_id, Output.is_wanted_again)
        )
        return int(found or 0)
