"""Audit entries and events about prompts."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts.models import Prompt
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events


async def note(
    session: AsyncSession,
    prompt: Prompt,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Call it last: locks the project's event stream until the transaction ends."""
    audit.record(
        session,
        action,
        entity=("prompt", prompt.id),
        project_id=prompt.project_id,
        before=before,
        after=after,
    )
    await events.publish(
        session,
        stream=events.project_stream(prompt.project_id),
        kind="prompt.changed",
        data={"entity_id": str(prompt.id)},
    )
