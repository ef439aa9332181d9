"""Endpoints of output flags."""

from uuid import UUID

from edison.api.routing import api_router
from edison.api.session import Session
from edison.runs.scoring import flags
from edison.runs.scoring.schemas.scores import OutputScores
from edison.workspace.projects.access import Reviewer

router = api_router("/projects/{project}/outputs/{output_id}/flag", tag="scores")


@router.put("")
async def flag_output(output_id: UUID, member: Reviewer, session: Session) -> OutputScores:
    """Flags an output for attention."""
    return await flags.flag_output(
        session, project_id=member.project_id, output_id=output_id, user_id=member.user_id
    )


@router.delete("")
async def unflag_output(output_id: UUID, member: Reviewer, session: Session) -> OutputScores:
    """Removes the flag, even if another user set it."""
    return await flags.unflag_output(
        session, project_id=member.project_id, output_id=output_id, user_id=member.user_id
    )
