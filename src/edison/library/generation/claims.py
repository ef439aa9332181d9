"""Lease on a generation: held by one process, which has to renew it.

Ends when the generation is cancelled, or when another process takes over after it expired.
"""

from datetime import timedelta
from uuid import UUID

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.library.generation.events import publish
from edison.library.generation.models import Generation, GenerationState
from edison.library.generation.repository.generations import Generations

LEASE = timedelta(seconds=12)


class LeaseLost(Exception):
    """The generation was cancelled, or another process took it over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationFailure:
    """Why the generation cannot continue; `reason` as in ledger entries and outputs."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A lease on a generation."""

    database: Database
    generation_id: UUID
    worker: UUID

    async def take(self) -> Generation | None:
        """Returns the generation; None when it has ended or another process holds the lease."""
        async with self.database.write() as session:
            taken = await Generations(session).claim(
                self.generation_id, worker=self.worker, lease=LEASE
            )
            if taken is not None:
                await publish(session, taken)
            return taken

    async def renew(self) -> bool:
        async with self.database.write() as session:
            return await Generations(session).renew(
                self.generation_id, worker=self.worker, lease=LEASE
            )

    async def renew_or_raise(self) -> None:
        """Renew before spending money. Raises LeaseLost."""
        if not await self.renew():
            raise LeaseLost

    async def release(self) -> None:
        """Release the lease early, so that another process can continue immediately. No effect
        unless this process holds it.
        """
        async with self.database.write() as session:
            await Generations(session).release(self.generation_id, worker=self.worker)

    async def end(self, *, failure: GenerationFailure | None, note: str | None) -> None:
        state = GenerationState.DONE if failure is None else GenerationState.FAILED
        async with self.database.write() as session:
            ended = await Generations(session).end(
                self.generation_id,
                state,
                worker=self.worker,
                note=note if failure is None else failure.message,
                failure=None if failure is None else failure.reason,
            )
            if ended is not None:
                await publish(session, ended)
