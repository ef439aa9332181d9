"""What other slices need of annotation."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.scoring.repository.queues import OpenQueue, Queues


async def list_open_queues(
    session: AsyncSession, *, project_id: UUID, user_id: UUID
) -> Sequence[OpenQueue]:
    """Open queues with outputs left for this person, the newest first."""
    return await Queues(session).list_left(project_id, user_id)
