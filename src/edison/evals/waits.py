"""What the runs of an evaluation wait for, such as a rate limit or a provider that is down."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.repository import Evaluations

_FIGURES = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalWait:
    """Why calls are queued, in the words of the run page. `until` is None if that is not known."""

    reason: str
    sentence: str
    until: datetime | None

    @property
    def subject(self) -> str:
        """The sentence without its figures, which change while the same wait goes on."""
        return _FIGURES.sub("", self.sentence)


async def list_waits(session: AsyncSession, run_ids: Sequence[UUID]) -> list[EvalWait]:
    """Columns that ask the same provider wait for the same; it is listed once."""
    found: dict[str, EvalWait] = {}
    for why in await Evaluations(session).list_waits(run_ids):
        until = None if why["until"] is None else datetime.fromisoformat(why["until"])
        wait = EvalWait(reason=why["reason"], sentence=why["sentence"], until=until)
        found.setdefault(wait.subject, wait)
    return list(found.values())
