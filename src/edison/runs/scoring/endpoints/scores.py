"""Endpoints of human scores."""

from uuid import UUID

from edison.api.routing import api_router
from edison.api.session import Session
from edison.runs.scoring import scores
from edison.runs.scoring.schemas.scores import HumanScoreRequest, OutputScores
from edison.workspace.projects.access import Reviewer, Viewer

router = api_router("/projects/{project}/outputs/{output_id}/scores", tag="scores")


@router.get("")
async def list_human_scores(output_id: UUID, member: Viewer, session: Session) -> OutputScores:
    """Returns the human scores of an output, with people and times."""
    return await scores.list_scores(
        session, project_id=member.project_id, output_id=output_id, user_id=member.user_id
    )


@router.put("")
async def give_human_score(
    output_id: UUID, body: HumanScoreRequest, member: Reviewer, session: Session
) -> OutputScores:
    """Saves your score of an output; replaces an earlier one."""
    return await scores.give_score(
        session,
        project_id=member.project_id,
        output_id=output_id,
        user_id=member.user_id,
        wanted=body,
    )


@router.delete("")
async def remove_human_score(output_id: UUID, member: Reviewer, session: Session) -> OutputScores:
    """Deletes your score of an output."""
    return await scores.remove_score(
        session, project_id=member.project_id, output_id=output_id, user_id=member.user_id
    )
