"""Fills chunks of a run, one after another, as long as the process has use for them.

The job of a chunk starts a filler, unless the process has one for the run. When few cells wait (see
`turns`), the filler claims the next chunk that is free, so that no chunk waits in a busy process
while another process is idle.
"""

import asyncio
from uuid import UUID

import structlog

from edison.kit.memory import collected_rarely
from edison.runs.fill.chunk import FillTools
from edison.runs.fill.claimed_chunk import Claim, claim, fill, is_working, release
from edison.runs.fill.turns import ChunkTurn

log = structlog.get_logger(__name__)

# Maximum passes over a chunk whose cells other processes store concurrently.
MAX_PASSES = 5
# After so many chunks the run waits in the queue again, so that a process with as many runs as it
# works on at a time begins with others.
CHUNKS_IN_A_ROW = 32


class RunFillers:
    """One per process."""

    def __init__(self, tools: FillTools) -> None:
        self._tools = tools
        self._by_run: dict[UUID, _RunFiller] = {}

    async def fill(self, run_id: UUID, number: int) -> None:
        """The job of a chunk. Returns when that chunk and those taken after it are complete or
        claimed by other processes, or the run has stopped; at once if the run is being filled here.
        """
        filler = self._by_run.get(run_id)
        if filler is None or filler.is_over:
            filler = self._by_run[run_id] = _RunFiller(self._tools, run_id)
        elif not filler.leaves_to_its_job(number):
            filler.take_next()
            return
        filler.jobs.add(number)
        try:
            with collected_rarely():
                await filler.run(number)
        finally:
            filler.jobs.discard(number)
            if not filler.jobs and self._by_run.get(run_id) is filler:
                del self._by_run[run_id]


class _RunFiller:
    def __init__(self, tools: FillTools, run_id: UUID) -> None:
        self._tools = tools
        self._run_id = run_id
        # The chunks whose jobs wait for it.
        self.jobs: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        # Whether a task waits for its turn to take the next chunk.
        self._is_taking = False
        self._chunks_left = CHUNKS_IN_A_ROW
        # Chunks under way, and those that failed.
        self._own: set[int] = set()
        self._failed: set[int] = set()

    @property
    def is_over(self) -> bool:
        """Whether the next job of the run starts another filler."""
        return self._chunks_left <= 0

    def leaves_to_its_job(self, number: int) -> bool:
        """Whether the chunk has failed: its job is repeated after a pause, and not for ever."""
        return number in self._failed and number not in self.jobs

    async def run(self, number: int) -> None:
        """Fills this chunk and others. Raises what goes wrong with this one, after all have ended:
        their answers are paid for.
        """
        first = asyncio.create_task(self._fill(number))
        self._tasks.add(first)
        try:
            while self._tasks:
                ended, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
                self._tasks -= ended
        except asyncio.CancelledError:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            raise
        first.result()

    def take_next(self) -> None:
        """Takes the next free chunk when few cells wait, and then further ones."""
        if not self._is_taking:
            self._is_taking = True
            self._tasks.add(asyncio.create_task(self._fill_next()))

    async def _fill_next(self) -> None:
        try:
            await self._fill(None)
        except Exception:
            log.exception("chunk not filled", run_id=str(self._run_id))

    async def _fill(self, number: int | None) -> None:
        """This chunk, or the next free one."""
        try:
            for _ in range(MAX_PASSES):
                async with self._tools.turns.take(self._run_id) as turn:
                    claimed = await self._claim(number)
                    if claimed is None:
                        return
                    number = claimed.chunk.number
                    if await self._fill_claimed(claimed, turn):
                        return
                # Another process stored some of its cells, or it was stopped.
                if not await is_working(self._tools, self._run_id):
                    return
        finally:
            if number is not None:
                self._own.discard(number)

    async def _claim(self, number: int | None) -> Claim | None:
        if number is None:
            self._is_taking = False
        if self._tools.is_stopping.is_set():
            return None
        claimed = await claim(
            self._tools,
            self._run_id,
            number=number,
            besides=self._own | self._failed | self.jobs,
            is_last=self._chunks_left == 1,
        )
        if claimed is not None:
            self._own.add(claimed.chunk.number)
            self._chunks_left -= 1
        if (claimed is not None or number is not None) and not self.is_over:
            self.take_next()
        return claimed

    async def _fill_claimed(self, claimed: Claim, turn: ChunkTurn) -> bool:
        """Fills the chunk and releases it. Returns True when nothing is missing any more."""
        is_full = False
        try:
            is_full = await fill(self._tools, claimed, turn)
        except Exception:
            # Before it is released, since its job may come at once.
            self._failed.add(claimed.chunk.number)
            raise
        finally:
            await release(self._tools, claimed, is_full=is_full)
        return is_full
