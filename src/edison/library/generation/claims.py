"""The right to work on a generation: one process has it, and has to renew it.

Whoever cancels a generation, or finds that its process is silent, takes the right away.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from edison.db.session import Database
from edison.library.generation.events import publish
from edison.library.generation.models import Generation, GenerationState
from edison.library.generation.repository.generations import Generations

LEASE = timedelta(seconds=12)


class ClaimLost(Exception):
    """Somebody cancelled the generation, or another process took it over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why the generation cannot go on; `reason` as the ledger and outputs name it."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to work on a generation, while it lasts."""

    database: Database
    generation_id: UUID
    worker: UUID

    async def take(self) -> Generation | None:
        """The generation; None when it is over, or another's."""
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

    async def insist(self) -> None:
        """Before money is spent. Raises ClaimLost."""
        if not await self.renew():
            raise ClaimLost

    async def release(self) -> None:
        """Let another process go on at once, unless the generation is over or another's."""
        async with self.database.write() as session:
            await Generations(session).release(self.generation_id, worker=self.worker)

    async def end(self, *, failure: Failure | None, note: str | None) -> None:
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
