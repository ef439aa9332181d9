"""Keeps what was worked out about runs until they change, and works each out once at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from edison.db.session import Database
from edison.runs.engine.schemas.reads import RunDetail
from edison.runs.results.digesting import Digest, digest_run
from edison.runs.results.repository import ResultRows

REMEMBERED = 32

Answer = TypeVar("Answer")


class Memory(Generic[Answer]):
    """Answers to the questions that were asked last. Each process has its own.

    Nothing here can be stale: a question holds the `last_number` of each run that it is about, and
    whatever changes the outputs, scores or human scores of a run gives it another one.
    """

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._known: OrderedDict[Hashable, Answer] = OrderedDict()
        self._working: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def recall(self, question: Hashable, work_out: Callable[[], Awaitable[Answer]]) -> Answer:
        """Who asks while the same question is worked on gets that answer."""
        if question not in self._known:
            async with self._working.setdefault(question, asyncio.Lock()):
                if question not in self._known:
                    self._known[question] = await work_out()
                    if len(self._known) > self._size:
                        self._known.popitem(last=False)
        self._known.move_to_end(question)
        return self._known[question]


# By run: unlike answers to other questions, older digests of it are of no use.
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
