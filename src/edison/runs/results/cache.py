"""Keeps the digests of runs until they change, and makes each once at a time.

A run that is at work changes several times a second, and a digest of a large one takes seconds. Its
digest is therefore renewed now and then, in the background, and served as it is meanwhile.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from time import monotonic
from uuid import UUID
from weakref import WeakValueDictionary

import structlog

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.runs.read.schemas import RunDetail
from edison.runs.results.digest import Digest, digest_run
from edison.runs.results.repository import ResultRows
from edison.runs.store import states

log = structlog.get_logger(__name__)

REMEMBERED = 32
# How old the digest of a run at work gets before it is renewed: so many seconds, or so many times
# as long as it took, so that renewing leaves most of the processor to the run.
RENEW_AFTER_SECONDS = 2.0
RENEW_AFTER_TIMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    digest: Digest
    made_at: float
    took_seconds: float

    def is_due(self) -> bool:
        pause = max(RENEW_AFTER_SECONDS, RENEW_AFTER_TIMES * self.took_seconds)
        return monotonic() - self.made_at >= pause


# Each process has its own. Of runs that are not at work nothing here can be stale: whatever changes
# a run changes its number.
_digests: OrderedDict[UUID, _Kept] = OrderedDict()
_digesting: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
_renewing: dict[UUID, asyncio.Task[Digest]] = {}


async def get_digest(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    """Of the run as it is, or as it has become meanwhile; of one at work, as it was lately."""
    kept = _digests.get(run.id)
    if kept is not None and kept.digest.number >= run.last_number:
        _digests.move_to_end(run.id)
        return kept.digest
    if kept is None or run.state not in states.WORKING:
        return await _make(database, project_id=project_id, run=run)
    if kept.is_due() and run.id not in _renewing:
        task = asyncio.create_task(_make(database, project_id=project_id, run=run))
        _renewing[run.id] = task
        task.add_done_callback(partial(_renewed, run.id))
    return kept.digest


async def _make(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    async with _digesting.setdefault(run.id, asyncio.Lock()):
        async with database.read_briefly() as session:
            number = await ResultRows(session).get_number(run.id)
        kept = _digests.get(run.id)
        if kept is None or kept.digest.number < number:
            began = monotonic()
            digest = await digest_run(database, project_id=project_id, run=run, number=number)
            now = monotonic()
            kept = _digests[run.id] = _Kept(digest=digest, made_at=now, took_seconds=now - began)
            _digests.move_to_end(run.id)
            if len(_digests) > REMEMBERED:
                _digests.popitem(last=False)
        return kept.digest


def _renewed(run_id: UUID, task: "asyncio.Task[Digest]") -> None:
    _renewing.pop(run_id, None)
    if not task.cancelled() and (failure := task.exception()) is not None:
        # The next who asks tries again.
        log.warning(
            "digest not renewed",
            reason=type(failure).__name__,
            exc_info=None if is_outage(failure) else failure,
        )


async def settle_renewals() -> None:
    """Wait for digests that are being renewed, before their database is closed."""
    if _renewing:
        await asyncio.wait(_renewing.values())
