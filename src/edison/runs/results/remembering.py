"""Keeps what was worked out about runs until they change, and works each out once at a time."""

import asyncio
from collections import OrderedDict
from uuid import UUID
from weakref import WeakValueDictionary

from edison.db.session import Database
from edison.runs.engine.schemas.reads import RunDetail
from edison.runs.results.digesting import Digest, digest_run
from edison.runs.results.repository import Mark, ResultRows

REMEMBERED = 32

# Each process has its own. Nothing here can be stale: whatever changes a run changes its mark.
_known: OrderedDict[UUID, tuple[Mark, Digest]] = OrderedDict()
_working: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()


async def get_digest(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    """Who asks while somebody else's question about the same run is worked on gets that answer."""
    lock = _working.setdefault(run.id, asyncio.Lock())
    async with lock:
        async with database.read() as session:
            mark = await ResultRows(session).get_mark(run.id)
        known = _known.get(run.id)
        if known is not None and known[0] == mark:
            _known.move_to_end(run.id)
            return known[1]
        digest = await digest_run(database, project_id=project_id, run=run, mark=mark)
        _known[run.id] = (mark, digest)
        _known.move_to_end(run.id)
        if len(_known) > REMEMBERED:
            _known.popitem(last=False)
        return digest
