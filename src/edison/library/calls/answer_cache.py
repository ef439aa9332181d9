"""Answer cache of a project, as the call path needs it.

Lookups and writes are batched: each call does one lookup before it and one write after it.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import Batch, BatchWriter, Results
from edison.kit import clock
from edison.kit.batched_lookup import BatchedLookup
from edison.kit.grouped import grouped
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.repository import AnswerKey, CachedAnswers, NewCachedAnswer
from edison.pipeline.generate.outcome import Completion

Lookups = BatchedLookup[AnswerKey, Completion]
# Lookups that arrive within this time share one query.
LOOK_UP_SECONDS = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectAnswerCache:
    """`keep_for` is the lifetime of a new answer; None keeps it until it is evicted."""

    lookups: Lookups
    batch_writer: BatchWriter
    project_id: UUID
    keep_for: timedelta | None

    async def find(self, key: str) -> Completion | None:
        return await self.lookups.find((self.project_id, key))

    def save(self, key: str, completion: Completion) -> None:
        now = clock.now()
        answer = self.new_answer(key, completion, now=now, expires_at=self.expiry(now))
        self.batch_writer.submit(KEEP_ANSWER, answer)

    def expiry(self, now: datetime) -> datetime | None:
        return None if self.keep_for is None else now + self.keep_for

    def new_answer(
        self, key: str, completion: Completion, *, now: datetime, expires_at: datetime | None
    ) -> NewCachedAnswer:
        return NewCachedAnswer(
            project_id=self.project_id,
            key=key,
            completion=completion,
            created_at=now,
            expires_at=expires_at,
        )


def open_lookups(database: Database) -> Lookups:
    return BatchedLookup(partial(find_answers, database), pause_seconds=LOOK_UP_SECONDS)


async def find_answers(
    database: Database, wanted: Collection[AnswerKey]
) -> Mapping[AnswerKey, Completion]:
    async with database.read() as session:
        return await CachedAnswers(session).find(wanted, now=clock.now())


class _KeepAnswers(Batch[NewCachedAnswer | Sequence[NewCachedAnswer], None]):
    order = 10

    async def begin(
        self,
        session: AsyncSession,
        items: Sequence[NewCachedAnswer | Sequence[NewCachedAnswer]],
    ) -> Callable[[], Awaitable[Results[None]]]:
        answers: list[NewCachedAnswer] = []
        for item in items:
            answers += item if isinstance(item, Sequence) else (item,)
        # Sorted, so that concurrent writers lock rows in the same order and cannot deadlock.
        latest = [
            answer
            for _, of_project in sorted(grouped(answers, attrgetter("project_id")).items())
            for _, answer in sorted({answer.key: answer for answer in of_project}.items())
        ]
        await CachedAnswers(session).save(latest)

        async def end() -> Results[None]:
            return [None] * len(items)

        return end


KEEP_ANSWER = _KeepAnswers()
