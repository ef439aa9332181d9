"""Caches the digests of runs until they change; computes each digest once at a time.

A working run changes several times a second, and digesting a large run takes seconds. Digests of
working runs are therefore renewed at intervals in the background; until then the old one is served.
"""

import asyncio
from collections import OrderedDict
from functools import partial
from time import monotonic
from uuid import UUID
from weakref import WeakValueDictionary

import structlog

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lru_cache import LruCache
from edison.runs.read.schemas import RunDetail
from edison.runs.results.digest import Digest, digest_run, read_arrays
from edison.runs.results.repository import ResultRows
from edison.runs.results.types import RunArrays
from edison.runs.store import states

log = structlog.get_logger(__name__)

CACHE_SIZE = 32
# Minimum age before the digest of a working run is renewed: this many seconds, or this multiple of
# the time it took to compute, which leaves most of the CPU to the run.
RENEW_AFTER_SECONDS = 2.0
RENEW_AFTER_TIMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptResult:
    digest: Digest
    made_at: float
    took_seconds: float

    def is_due(self) -> bool:
        pause = max(RENEW_AFTER_SECONDS, RENEW_AFTER_TIMES * self.took_seconds)
        return monotonic() - self.made_at >= pause


# Per process. Entries of runs that are not working are never stale: every change of a run
# increments its number.
_digests: OrderedDict[UUID, _KeptResult] = OrderedDict()
_digesting: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
_renewing: dict[UUID, asyncio.Task[Digest]] = {}
# Of runs whose statistics were not needed. A board has up to 100 runs.
_arrays: LruCache[RunArrays] = LruCache(128)


async def get_digest(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    """The digest at the run's current number or later; for a working run possibly older."""
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


async def get_arrays(database: Database, *, project_id: UUID, run: RunDetail) -> RunArrays:
    """The figures of a run without statistics, at the number that `get_digest` would have."""
    kept = _digests.get(run.id)
    if run.state in states.WORKING or (kept is not None and kept.digest.number >= run.last_number):
        return await get_digest(database, project_id=project_id, run=run)
    return await _arrays.get_or_compute(
        (run.id, run.last_number),
        lambda: read_arrays(database, project_id=project_id, run=run, number=run.last_number),
    )


async def _make(database: Database, *, project_id: UUID, run: RunDetail) -> Digest:
    async with _digesting.setdefault(run.id, asyncio.Lock()):
        async with database.read_inline() as session:
            number = await ResultRows(session).get_number(run.id)
        kept = _digests.get(run.id)
        if kept is None or kept.digest.number < number:
            began = monotonic()
            digest = await digest_run(database, project_id=project_id, run=run, number=number)
            now = monotonic()
            kept = _digests[run.id] = _KeptResult(
                digest=digest, made_at=now, took_seconds=now - began
            )
            _digests.move_to_end(run.id)
            if len(_digests) > CACHE_SIZE:
                _digests.popitem(last=False)
        return kept.digest


def _renewed(run_id: UUID, task: "asyncio.Task[Digest]") -> None:
    _renewing.pop(run_id, None)
    if not task.cancelled() and (failure := task.exception()) is not None:
        # The next request retries.
        log.warning(
            "digest not renewed",
            reason=type(failure).__name__,
            exc_info=None if is_outage(failure) else failure,
        )


async def wait_for_renewals() -> None:
    """Waits for renewals in progress; call it before the database closes."""
    if _renewing:
        await asyncio.wait(_renewing.values())
