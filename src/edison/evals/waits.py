"""What the runs of an evaluation wait for, such as a rate limit or a provider that is down."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.repository import Evaluations
from edison.kit.lazy_dataclasses import dataclass

_FIGURES = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalWait:
    """Why calls are queued, in the words of the run page. `until` is None if that is not known."""

    reason: str
    sentence: str
    until: datetime | None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From a variant's `waiting`, or from the API."""
        until = stored["until"]
        return cls(
            reason=stored["reason"],
            sentence=stored["sentence"],
            until=None if until is None else datetime.fromisoformat(until),
        )

    @property
    def subject(self) -> str:
        """The sentence without its figures, which change while the same wait goes on."""
        return _FIGURES.sub("", self.sentence)


async def list_waits(session: AsyncSession, run_ids: Sequence[UUID]) -> list[EvalWait]:
    """Columns that ask the same provider wait for the same; it is listed once."""
    found: dict[str, EvalWait] = {}
    for wait in map(EvalWait.of, await Evaluations(session).list_waits(run_ids)):
        found.setdefault(wait.subject, wait)
    return list(found.values())
