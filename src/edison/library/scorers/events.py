"""Audit entries and events about scorers and rubrics."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.scorers.models import Rubric, SavedScorer
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events


def word_for(named: SavedScorer | Rubric | type[SavedScorer] | type[Rubric]) -> str:
    kind = named if isinstance(named, type) else type(named)
    return "scorer" if kind is SavedScorer else "rubric"


async def note(
    session: AsyncSession,
    named: SavedScorer | Rubric,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Call it last: locks the project's event stream until the transaction ends."""
    word = word_for(named)
    audit.record(
        session,
        f"{word}.{action}",
        entity=(word, named.id),
        project_id=named.project_id,
        before=before,
        after=after,
    )
    await events.publish(
        session,
        stream=events.project_stream(named.project_id),
        kind=f"{word}.changed",
        data={"entity_id": str(named.id)},
    )
