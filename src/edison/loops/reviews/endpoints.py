"""Endpoints of suggestions: the review queue and decisions."""

from typing import Annotated
from uuid import UUID

from fastapi import status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.loops.experiments.iterations.decide import Decision
from edison.loops.reviews import propose, service
from edison.loops.reviews.schemas import (
    ApproveRequest,
    CheckRead,
    CheckRequest,
    CommentRead,
    CommentRequest,
    CounterexampleRead,
    CounterexampleRequest,
    DecisionRead,
    EditRequest,
    OwnSuggestion,
    ProposedChange,
    RejectRequest,
    SuggestionFilter,
    SuggestionRead,
    SuggestionSummary,
)
from edison.workspace.projects.access import Reviewer, Viewer

router = api_router("/projects/{project}", tag="reviews")


@router.get("/suggestions", response_model=Page[SuggestionSummary])
async def list_suggestions(
    member: Viewer,
    wanted: Annotated[SuggestionFilter, read_into(SuggestionFilter)],
    page: PageParams,
    session: Session,
) -> Slice[SuggestionSummary]:
    """Returns suggestions of all experiments, oldest first; by default those pending review."""
    return await service.list_suggestions(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.get("/suggestions/{suggestion_id}")
async def get_suggestion(suggestion_id: UUID, member: Viewer, session: Session) -> SuggestionRead:
    """Returns a suggestion with its diff, rationale and the weak answers it is based on."""
    return await service.get_suggestion(
        session, project_id=member.project_id, suggestion_id=suggestion_id
    )


@router.post("/suggestions/{suggestion_id}/check")
async def check_suggestion_text(
    suggestion_id: UUID, body: CheckRequest, member: Reviewer, session: Session
) -> CheckRead:
    """Checks edited parts: returns their diffs, violated guardrails and problems."""
    return await service.check_edit(
        session, project_id=member.project_id, suggestion_id=suggestion_id, parts=body.parts()
    )


@router.post("/suggestions/{suggestion_id}/approve")
async def approve_suggestion(
    suggestion_id: UUID, body: ApproveRequest, member: Reviewer, session: Session
) -> DecisionRead:
    """Approves a suggestion: saves it as a version and starts the next iteration, unless a stop
    rule applies.
    """
    return await service.approve(
        session,
        project_id=member.project_id,
        suggestion_id=suggestion_id,
        verdict=Decision(
            reviewer_id=member.user_id, reason=body.reason, may_branch=body.may_branch
        ),
    )


@router.post("/suggestions/{suggestion_id}/edit")
async def edit_suggestion(
    suggestion_id: UUID, body: EditRequest, member: Reviewer, session: Session
) -> DecisionRead:
    """Approves a suggestion with edited parts."""
    return await service.approve(
        session,
        project_id=member.project_id,
        suggestion_id=suggestion_id,
        verdict=Decision(
            reviewer_id=member.user_id,
            reason=body.reason,
            parts=body.parts(),
            may_branch=body.may_branch,
        ),
    )


@router.post("/suggestions/{suggestion_id}/reject")
async def reject_suggestion(
    suggestion_id: UUID, body: RejectRequest, member: Reviewer, session: Session
) -> DecisionRead:
    """Rejects a suggestion. The refiner receives the reason."""
    return await service.reject(
        session,
        project_id=member.project_id,
        suggestion_id=suggestion_id,
        verdict=Decision(reviewer_id=member.user_id, reason=body.reason),
    )


@router.get("/suggestions/{suggestion_id}/comments", response_model=Page[CommentRead])
async def list_suggestion_comments(
    suggestion_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[CommentRead]:
    """Returns the comments on a suggestion, oldest first."""
    return await service.list_comments(
        session, project_id=member.project_id, suggestion_id=suggestion_id, page=page
    )


@router.post("/suggestions/{suggestion_id}/comments", status_code=status.HTTP_201_CREATED)
async def comment_on_suggestion(
    suggestion_id: UUID, body: CommentRequest, member: Reviewer, session: Session
) -> CommentRead:
    """Adds a comment to a suggestion."""
    return await service.add_comment(
        session,
        project_id=member.project_id,
        suggestion_id=suggestion_id,
        text=body.text,
        author_id=member.user_id,
    )


@router.post("/suggestions/{suggestion_id}/cases", status_code=status.HTTP_201_CREATED)
async def add_counterexample(
    suggestion_id: UUID, body: CounterexampleRequest, member: Reviewer, session: Session
) -> CounterexampleRead:
    """Adds a case to the experiment's dataset, for the following iterations."""
    return await service.add_counterexample(
        session,
        project_id=member.project_id,
        suggestion_id=suggestion_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.post("/experiments/{experiment_id}/iterations/{iteration_id}/suggestions/check")
async def check_own_suggestion_text(
    experiment_id: UUID, iteration_id: UUID, body: CheckRequest, member: Reviewer, session: Session
) -> CheckRead:
    """Checks your own edit before you propose it."""
    return await service.check_own(
        session,
        project_id=member.project_id,
        place=(experiment_id, iteration_id),
        parts=body.parts(),
    )


@router.post(
    "/experiments/{experiment_id}/iterations/{iteration_id}/suggestions",
    status_code=status.HTTP_201_CREATED,
)
async def propose_own_suggestion(
    experiment_id: UUID,
    iteration_id: UUID,
    body: OwnSuggestion,
    member: Reviewer,
    session: Session,
) -> SuggestionRead:
    """Proposes your own edit as a suggestion, which is reviewed like any other; also possible when
    refining failed.
    """
    return await service.propose_own(
        session,
        project_id=member.project_id,
        place=(experiment_id, iteration_id),
        wanted=body,
        author_id=member.user_id,
    )


@router.post("/prompts/{prompt_id}/suggestions", status_code=status.HTTP_201_CREATED)
async def propose_prompt_change(
    prompt_id: UUID, body: ProposedChange, member: Reviewer, session: Session
) -> SuggestionRead:
    """Proposes a change of a prompt outside of experiments. It waits for a reviewer."""
    return await propose.propose_change(
        session,
        project_id=member.project_id,
        prompt_id=prompt_id,
        wanted=body,
        author_id=member.user_id,
    )
