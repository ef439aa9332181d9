"""Endpoints of blind voting."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import Session
from edison.kit.errors import Conflict
from edison.runs.voting import results, rounds, vote
from edison.runs.voting.schemas import (
    VoteRequest,
    VotingResults,
    VotingRoundChange,
    VotingRoundRead,
    VotingRoundRequest,
    VotingStep,
)
from edison.runs.voting.vote import Voter
from edison.workspace.projects.access import Editor, Reviewer, Viewer

router = api_router("/projects/{project}/voting-rounds", tag="voting")


@router.get("", response_model=Page[VotingRoundRead])
async def list_voting_rounds(
    member: Viewer, page: PageParams, session: Session
) -> Slice[VotingRoundRead]:
    """Returns the project's rounds, latest first."""
    return await rounds.list_rounds(
        session, project_id=member.project_id, user_id=member.user_id, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_voting_round(
    body: VotingRoundRequest, member: Editor, session: Session
) -> VotingRoundRead:
    """Creates a round: pairs of answers of a completed run, drawn evenly over models. Answers that
    name a model are left out.
    """
    return await rounds.create_round(
        session, project_id=member.project_id, author_id=member.user_id, wanted=body
    )


@router.get("/{round_id}")
async def get_voting_round(round_id: UUID, member: Viewer, session: Session) -> VotingRoundRead:
    """Returns a round with its progress."""
    return await rounds.get_round(
        session, project_id=member.project_id, round_id=round_id, user_id=member.user_id
    )


@router.patch("/{round_id}")
async def rename_voting_round(
    round_id: UUID, body: VotingRoundChange, member: Editor, session: Session
) -> VotingRoundRead:
    """Renames a round."""
    return await rounds.rename_round(
        session,
        project_id=member.project_id,
        round_id=round_id,
        name=body.name,
        user_id=member.user_id,
    )


@router.delete("/{round_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_voting_round(round_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes a round with its votes."""
    await rounds.delete_round(session, project_id=member.project_id, round_id=round_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{round_id}/close")
async def close_voting_round(round_id: UUID, member: Editor, session: Session) -> VotingRoundRead:
    """Ends the votes for good, and reveals the models."""
    return await rounds.close_round(
        session, project_id=member.project_id, round_id=round_id, user_id=member.user_id
    )


@router.get("/{round_id}/results", openapi_extra=raises(Conflict))
async def get_voting_results(round_id: UUID, member: Viewer, session: Session) -> VotingResults:
    """Returns the ratings of a closed round, with the models revealed."""
    return await results.get_results(
        session, project_id=member.project_id, round_id=round_id, user_id=member.user_id
    )


async def _voter(round_id: UUID, member: Reviewer) -> Voter:
    return Voter(project_id=member.project_id, round_id=round_id, user_id=member.user_id)


Who = Annotated[Voter, Depends(_voter)]


@router.post("/{round_id}/next")
async def claim_next_match(who: Who, session: Session) -> VotingStep:
    """Returns your claimed pair and renews its lease, or claims the next one: of the models whose
    rating is the least certain.
    """
    return await vote.claim_next(session, who=who)


@router.post("/{round_id}/matches/{match_id}/vote")
async def cast_vote(match_id: UUID, body: VoteRequest, who: Who, session: Session) -> VotingStep:
    """Votes on a claimed pair and claims the next."""
    return await vote.cast(session, who=who, match_id=match_id, wanted=body)


@router.post("/{round_id}/matches/{match_id}/skip")
async def skip_match(match_id: UUID, who: Who, session: Session) -> VotingStep:
    """Skips a claimed pair and claims the next."""
    return await vote.skip(session, who=who, match_id=match_id)


@router.post("/{round_id}/undo")
async def undo_vote(who: Who, session: Session) -> VotingStep:
    """Takes back your last vote or skip, and shows its pair again."""
    return await vote.undo(session, who=who)
