"""Flags outputs for attention."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.scoring.repository.flags import OutputFlags
from edison.runs.scoring.schemas.scores import OutputScores
from edison.runs.scoring.scores import announce, describe
from edison.runs.store import service as run_scores
from edison.workspace.audit import service as audit


async def flag_output(
    session: AsyncSession, *, project_id: UUID, output_id: UUID, user_id: UUID
) -> OutputScores:
    """Idempotent."""
    output = await run_scores.lock_output(session, project_id=project_id, output_id=output_id)
    if await OutputFlags(session).add(output_id, user_id):
        audit.record(session, "output.flagged", entity=("output", output_id), project_id=project_id)
        await announce(session, project_id, output)
    return await describe(session, output_id, user_id)


async def unflag_output(
    session: AsyncSession, *, project_id: UUID, output_id: UUID, user_id: UUID
) -> OutputScores:
    """Removes the flag of any user. Idempotent."""
    output = await run_scores.lock_output(session, project_id=project_id, output_id=output_id)
    if await OutputFlags(session).remove([output_id]):
        audit.record(
            session, "output.unflagged", entity=("output", output_id), project_id=project_id
        )
        await announce(session, project_id, output)
    return await describe(session, output_id, user_id)
