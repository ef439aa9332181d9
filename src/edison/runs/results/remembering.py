"""Keeps the digests of runs until they change, and makes each once at a time."""

import asyncio
from collections import OrderedDict
from uuid import UUID
from weakref import WeakValueDictionary

from edison.db.session import Database
from edison.runs.engine.schemas.reads import RunDetail
from edison.runs.results.digesting import Digest, digest_run
from edison.runs.results.repository import ResultRows

REMEMBERED = 32

# Each process has its own. Nothing here can be stale: whatever changes a run changes its number.
_digests: OrderedDict[UUID, Digest] = OrderedDict()
_digesting: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()


async def get_digest(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    """Of the run as it is, or as it has become meanwhile."""
    digest = _digests.get(run.id)
    if digest is None or digest.number < run.last_number:
        async with _digesting.setdefault(run.id, asyncio.Lock()):
            async with database.read_briefly() as session:
                number = await ResultRows(session).get_number(run.id)
            digest = _digests.get(run.id)
            if digest is None or digest.number < number:
                digest = await digest_run(database, project_id=project_id, run=run, number=number)
                _digests[run.id] = digest
                if len(_digests) > REMEMBERED:
                    _digests.popitem(last=False)
    _digests.move_to_end(run.id)
    return digest
