"""What the parts of an export and of an import share."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.loops.bundles.archive import BundleReader, BundleWriter
from edison.loops.bundles.identities import Identities
from edison.loops.bundles.repository import ROWS_AT_ONCE, Rows
from edison.loops.bundles.schemas import OnExisting
from edison.workspace.resources.service import numbered_names

Placed = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    session: AsyncSession
    project_id: UUID
    writer: BundleWriter

    @property
    def rows(self) -> Rows:
        return Rows(self.session)

    async def write_lines(
        self, path: str, batches: AsyncIterator[Sequence[Any]], encode: Callable[[Any], Any]
    ) -> None:
        """A JSON lines part. Compresses in a thread; leaves out a part without rows."""
        first = await anext(batches, None)
        if first is None:
            return
        with self.writer.open(path) as part:
            await asyncio.to_thread(part.write_records, [encode(each) for each in first])
            async for batch in batches:
                await asyncio.to_thread(part.write_records, [encode(each) for each in batch])


@dataclass(slots=True, kw_only=True)
class Import:
    """`taken` are names that exist, if they are to be refused; `created` and `skipped` hold names
    by noun.
    """

    session: AsyncSession
    project_id: UUID
    author_id: UUID | None
    bundle: BundleReader
    existing: OnExisting
    identities: Identities = field(default_factory=Identities)
    taken: list[str] = field(default_factory=list)
    created: dict[str, list[str]] = field(default_factory=dict)
    skipped: dict[str, list[str]] = field(default_factory=dict)
    needs_credential: list[str] = field(default_factory=list)
    run_ids: list[UUID] = field(default_factory=list)
    experiment_ids: list[UUID] = field(default_factory=list)
    monitor_ids: list[UUID] = field(default_factory=list)

    @property
    def rows(self) -> Rows:
        return Rows(self.session)

    async def choose_name(self, table: Any, name: str, *, noun: str, column: str = "name") -> str:
        """The name for a new row: as it is, or a free one. Records that a name is taken."""
        free = name
        for free in numbered_names(name):
            if await self._find(table, free, column) is None:
                break
        if free != name and self.existing == "refuse":
            self.taken.append(f"{noun} “{name}”")
        self.created.setdefault(noun, []).append(free)
        return free

    async def find_kept(self, table: Any, name: str, *, noun: str, column: str = "name") -> Any:
        """The existing row that is used in place of the bundle's; None to create one."""
        if self.existing != "skip":
            return None
        found = await self._find(table, name, column)
        if found is not None:
            self.skipped.setdefault(noun, []).append(name)
        return found

    async def _find(self, table: Any, name: str, column: str) -> Any:
        return await self.rows.find(
            table, table.project_id == self.project_id, getattr(table, column) == name
        )

    async def insert_lines(
        self, table: Any, path: str, decode: Callable[[str, dict[str, Any]], dict[str, Any]]
    ) -> int:
        """Insert the rows of a JSON lines part; returns how many. Parses in a thread."""
        records = self.bundle.records(path)
        count = 0
        while batch := await asyncio.to_thread(_decode_some, records, decode):
            await self.rows.insert(table, batch, part=path)
            count += len(batch)
        return count


def _decode_some(
    records: Iterator[Placed], decode: Callable[[str, dict[str, Any]], dict[str, Any]]
) -> list[dict[str, Any]]:
    return [decode(place, record) for place, record in islice(records, ROWS_AT_ONCE)]
