"""The project's memory of answers, as the call path wants it."""

import json
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from edison.db.session import Database
from edison.kit import clock
from edison.library.calls.models import CachedAnswer
from edison.library.calls.repository import CachedAnswers
from edison.pipeline.generate.outcome import Completion, FinishReason, ToolCall, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectAnswers:
    """`keep_for` is how long a new answer stays; None is until it is evicted."""

    database: Database
    project_id: UUID
    keep_for: timedelta | None

    async def find(self, key: str) -> Completion | None:
        async with self.database.read() as session:
            kept = await CachedAnswers(session).find(self.project_id, key, now=clock.now())
        return None if kept is None else _unpacked(kept)

    async def save(self, key: str, completion: Completion) -> None:
        now = clock.now()
        answer = CachedAnswer(
            project_id=self.project_id,
            key=key,
            completion=_packed(completion),
            created_at=now,
            expires_at=None if self.keep_for is None else now + self.keep_for,
        )
        async with self.database.write() as session:
            await CachedAnswers(session).save(answer)


def _packed(completion: Completion) -> str:
    return json.dumps(asdict(completion))


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
        }
    )
