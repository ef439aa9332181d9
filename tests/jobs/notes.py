"""A kind of write for tests: each item is a row in the table `notes`."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import Batch
from edison.kit.errors import Conflict

REFUSED = "refused"


class Notes(Batch[str, int]):
    """The result is the number of items in the transaction. The item `refused` gets an error of its
    own; a duplicate fails the whole transaction.
    """

    def __init__(self, order: int = 0, *, needs_heartbeat: bool = False) -> None:
        self.order = order
        self.groups: list[list[str]] = []
        self._needs_heartbeat = needs_heartbeat

    def needs_heartbeat(self, item: str) -> bool:
        return self._needs_heartbeat

    async def apply(self, session: AsyncSession, items: Sequence[str]) -> Sequence[int | Exception]:
        self.groups.append(list(items))
        written = [item for item in items if item != REFUSED]
        if written:
            await session.execute(
                text("INSERT INTO notes (text) VALUES (:text)"),
                [{"text": item} for item in written],
            )
        return [Conflict("No.") if item == REFUSED else len(items) for item in items]


async def read_notes(database: Database) -> set[str]:
    async with database.read() as session:
        return set((await session.scalars(text("SELECT text FROM notes"))).all())


async def remove_rows(database: Database) -> None:
    """Removes the rows of a process, as peers do when its heartbeat expires."""
    async with database.write() as session:
        await session.execute(text("DELETE FROM worker_processes"))
