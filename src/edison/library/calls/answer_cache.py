"""Answer cache of a project, as the call path needs it.

Lookups and writes are batched: each call does one lookup before it and one write after it.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import Batch, BatchWriter
from edison.kit import clock
from edison.kit.batched_lookup import BatchedLookup
from edison.library.calls.repository import CachedAnswers
from edison.pipeline.generate.outcome import Completion, FinishReason, ToolCall, Usage

# Project id and cache key. The cached value is a completion as text.
AnswerKey = tuple[UUID, str]
Lookups = BatchedLookup[AnswerKey, str]
# Lookups that arrive within this time share one query.
LOOK_UP_SECONDS = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectAnswers:
    """`keep_for` is the lifetime of a new answer; None keeps it until it is evicted."""

    lookups: Lookups
    batch_writer: BatchWriter
    project_id: UUID
    keep_for: timedelta | None

    async def find(self, key: str) -> Completion | None:
        kept = await self.lookups.find((self.project_id, key))
        return None if kept is None else _unpacked(kept)

    def save(self, key: str, completion: Completion) -> None:
        now = clock.now()
        answer = KeptAnswer(
            project_id=self.project_id,
            key=key,
            completion=_packed(completion),
            created_at=now,
            expires_at=None if self.keep_for is None else now + self.keep_for,
        )
        self.batch_writer.submit(KEEP_ANSWER, answer)


def open_lookups(database: Database) -> Lookups:
    async def look_up(wanted: Collection[AnswerKey]) -> Mapping[AnswerKey, str]:
        async with database.read() as session:
            return await CachedAnswers(session).find(wanted, now=clock.now())

    return BatchedLookup(look_up, pause_seconds=LOOK_UP_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    project_id: UUID
    key: str
    completion: str
    created_at: datetime
    expires_at: datetime | None


class _KeepAnswers(Batch[KeptAnswer, None]):
    order = 10

    async def apply(self, session: AsyncSession, items: Sequence[KeptAnswer]) -> Sequence[None]:
        latest = {(item.project_id, item.key): item for item in items}
        # Sorted, so that concurrent writers lock rows in the same order and cannot deadlock.
        rows = [
            {
                "project_id": item.project_id,
                "key": item.key,
                "completion": item.completion,
                "created_at": item.created_at,
                "expires_at": item.expires_at,
            }
            for _, item in sorted(latest.items())
        ]
        await CachedAnswers(session).save(rows)
        return [None] * len(items)


KEEP_ANSWER = _KeepAnswers()


def _packed(completion: Completion) -> str:
    try:
        return orjson.dumps(completion).decode()
    except TypeError:  # orjson refuses lone surrogates, `json` escapes them
        return _encoder.encode(completion)


_FIELDS = {kind: [each.name for each in fields(kind)] for kind in (Completion, Usage, ToolCall)}


def _plain(value: Any) -> dict[str, Any]:
    """Like `dataclasses.asdict`, without deep copies."""
    return {name: getattr(value, name) for name in _FIELDS[type(value)]}


# Created once: `json.dumps` would create an encoder per answer.
_encoder = json.JSONEncoder(default=_plain)


def _unpacked(text: str) -> Completion:
    kept: dict[str, Any] = json.loads(text)
    usage = kept["usage"]
    return Completion(
        **{
            **kept,
            "finish_reason": FinishReason(kept["finish_reason"]),
            "usage": None if usage is None else Usage(**usage),
            "tool_calls": tuple(ToolCall(**call) for call in kept["tool_calls"]),
            "ignored_parameters": tuple(kept["ignored_parameters"]),
            "redacted": tuple(kept.get("redacted", ())),
        }
    )
