"""Coverage of a dataset. Read-only: computed from the cases and cached until they change."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from edison.db.session import Database
from edison.library.coverage.repository import CoveredCases
from edison.library.coverage.schemas import CoverageRead
from edison.library.coverage.tally import MeasuredCase, Tally

CASES_AT_ONCE = 1_000
REMEMBERED = 64

# Cache of tallies by dataset, with the time of the last change, per process. Never stale: a change
# of the cases changes the time.
_measured: OrderedDict[UUID, tuple[datetime, Tally]] = OrderedDict()


async def get_coverage(
    database: Database, *, project_id: UUID, dataset_id: UUID, languages: Sequence[str] = ()
) -> CoverageRead:
    """`languages` are codes that are expected, even when no case is in one of them yet."""
    tally = await _measure(database, project_id, dataset_id)
    return CoverageRead(
        dataset_id=dataset_id,
        cases=tally.cases,
        dimensions=tally.dimensions(expected_languages=languages),
        gaps=tally.gaps(),
    )


async def list_gaps(database: Database, *, project_id: UUID, dataset_id: UUID) -> list[str]:
    """What the dataset lacks most, in words; empty when no bucket is thin or the dataset is
    empty.
    """
    return (await _measure(database, project_id, dataset_id)).gaps()


async def _measure(database: Database, project_id: UUID, dataset_id: UUID) -> Tally:
    """Takes a database: measuring thousands of texts takes a while, during which no transaction may
    be open.
    """
    async with database.read() as session:
        version = await CoveredCases(session).get_version(project_id, dataset_id)
    known = _measured.get(dataset_id)
    if known is not None and known[0] == version:
        _measured.move_to_end(dataset_id)
        return known[1]
    tally, position = Tally(), 0
    while cases := await _read(database, dataset_id, position):
        await asyncio.to_thread(tally.add, [case for _, case in cases])
        position = cases[-1][0]
    _measured[dataset_id] = (version, tally)
    if len(_measured) > REMEMBERED:
        _measured.popitem(last=False)
    return tally


async def _read(
    database: Database, dataset_id: UUID, position: int
) -> list[tuple[int, MeasuredCase]]:
    async with database.read() as session:
        rows = await CoveredCases(session).list_after(
            dataset_id, position=position, limit=CASES_AT_ONCE
        )
    return [
        (place, MeasuredCase(inputs=inputs, tags=tags, difficulty=difficulty, split=split))
        for place, inputs, tags, difficulty, split in rows
    ]
