"""Endpoints of optimizations."""

from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.loops.optimizations import control, draft, estimate, report, service
from edison.loops.optimizations.report import OptimizationReportFormat
from edison.loops.optimizations.schemas.candidates import CandidateRead
from edison.loops.optimizations.schemas.configs import OptimizationConfig
from edison.loops.optimizations.schemas.drafts import (
    OptimizationDraft,
    OptimizationEstimate,
    OptimizationSource,
)
from edison.loops.optimizations.schemas.optimizations import (
    OptimizationChange,
    OptimizationCopyRequest,
    OptimizationDetail,
    OptimizationEntryRead,
    OptimizationFilter,
    OptimizationRequest,
    OptimizationSummary,
)
from edison.workspace.projects.access import (
    Editor,
    EditorWithoutTransaction,
    Viewer,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}/optimizations", tag="optimizations")

CandidateNumber = Annotated[int, Path(ge=0, le=10_000)]


@router.get("", response_model=Page[OptimizationSummary])
async def list_optimizations(
    member: Viewer,
    wanted: Annotated[OptimizationFilter, read_into(OptimizationFilter)],
    page: PageParams,
    session: Session,
) -> Slice[OptimizationSummary]:
    """Returns the project's optimizations with their results so far."""
    return await service.list_optimizations(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_optimization(
    body: OptimizationRequest, member: Editor, session: Session
) -> OptimizationDetail:
    """Creates an optimization as a draft."""
    return await service.create_optimization(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/draft")
async def draft_optimization(
    member: Viewer,
    source: Annotated[OptimizationSource, read_into(OptimizationSource)],
    session: Session,
) -> OptimizationDraft:
    """Returns values for the form of a new optimization, from a prompt, a run, an experiment or
    another optimization.
    """
    return await draft.draft_optimization(session, project_id=member.project_id, source=source)


@router.post("/estimate")
async def estimate_optimization(
    body: OptimizationConfig,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> OptimizationEstimate:
    """Estimates the cost of an optimization, and how many generations its budget allows."""
    return await estimate.estimate_optimization(
        database,
        project_id=member.project_id,
        wanted=body,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.get("/{optimization_id}")
async def get_optimization(
    optimization_id: UUID, member: Viewer, session: Session
) -> OptimizationDetail:
    """Returns an optimization with its rounds and candidates."""
    return await service.get_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id
    )


@router.put("/{optimization_id}")
async def replace_optimization_draft(
    optimization_id: UUID, body: OptimizationRequest, member: Editor, session: Session
) -> OptimizationDetail:
    """Replaces name and configuration of an optimization that has not started."""
    return await service.replace_draft(
        session,
        project_id=member.project_id,
        optimization_id=optimization_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.patch("/{optimization_id}")
async def change_optimization(
    optimization_id: UUID, body: OptimizationChange, member: Editor, session: Session
) -> OptimizationDetail:
    """Renames an optimization."""
    return await service.change_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id, change=body
    )


@router.delete("/{optimization_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_optimization(optimization_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes an optimization with its candidates. Its runs and its suggestion are kept."""
    await service.delete_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id
    )
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{optimization_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_optimization(
    optimization_id: UUID, body: OptimizationCopyRequest, member: Editor, session: Session
) -> OptimizationDetail:
    """Creates a draft with the same configuration and seed."""
    return await service.duplicate_optimization(
        session,
        project_id=member.project_id,
        optimization_id=optimization_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{optimization_id}/archive")
async def archive_optimization(
    optimization_id: UUID, member: Editor, session: Session
) -> OptimizationDetail:
    """Archives an optimization that is not active."""
    return await service.set_archived(
        session, project_id=member.project_id, optimization_id=optimization_id, is_archived=True
    )


@router.post("/{optimization_id}/unarchive")
async def unarchive_optimization(
    optimization_id: UUID, member: Editor, session: Session
) -> OptimizationDetail:
    """Restores an archived optimization."""
    return await service.set_archived(
        session, project_id=member.project_id, optimization_id=optimization_id, is_archived=False
    )


@router.post("/{optimization_id}/start", openapi_extra=raises(Exhausted))
async def start_optimization(
    optimization_id: UUID,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> OptimizationDetail:
    """Starts a draft, if the budgets cover one generation and the test on held-out cases."""
    return await control.start_optimization(
        database,
        project_id=member.project_id,
        optimization_id=optimization_id,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.post("/{optimization_id}/pause")
async def pause_optimization(
    optimization_id: UUID, member: Editor, session: Session
) -> OptimizationDetail:
    """Pauses an optimization and its current run."""
    return await control.pause_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id
    )


@router.post("/{optimization_id}/resume", openapi_extra=raises(Exhausted))
async def resume_optimization(
    optimization_id: UUID, member: Editor, session: Session
) -> OptimizationDetail:
    """Resumes a paused optimization and its current run."""
    return await control.resume_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id
    )


@router.post("/{optimization_id}/cancel")
async def cancel_optimization(
    optimization_id: UUID, member: Editor, session: Session
) -> OptimizationDetail:
    """Ends an optimization without a test on held-out cases. Its candidates are kept."""
    return await control.cancel_optimization(
        session, project_id=member.project_id, optimization_id=optimization_id
    )


@router.get("/{optimization_id}/candidates/{candidate_number}")
async def get_optimization_candidate(
    optimization_id: UUID, candidate_number: CandidateNumber, member: Viewer, session: Session
) -> CandidateRead:
    """Returns a candidate with its prompt, its diff and its scores by case."""
    return await service.get_candidate(
        session,
        project_id=member.project_id,
        optimization_id=optimization_id,
        number=candidate_number,
    )


@router.get("/{optimization_id}/activity", response_model=Page[OptimizationEntryRead])
async def list_optimization_activity(
    optimization_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[OptimizationEntryRead]:
    """Returns what happened in an optimization, latest first."""
    return await service.list_activity(
        session, project_id=member.project_id, optimization_id=optimization_id, page=page
    )


@router.get(
    "/{optimization_id}/report/export",
    response_class=Response,
    responses={
        200: {
            "description": "A file",
            "content": {
                media_type: {"schema": {"type": "string", "format": "binary"}}
                for media_type in ("application/pdf", "text/markdown")
            },
        }
    },
)
async def export_optimization_report(
    optimization_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    file_format: Annotated[OptimizationReportFormat, Query(alias="format")] = "pdf",
) -> Response:
    """Returns the report as a file: verdict, candidates, rounds and costs."""
    made = await report.export_report(
        database,
        project_id=member.project_id,
        optimization_id=optimization_id,
        file_format=file_format,
    )
    return Response(
        made.content,
        media_type=made.media_type,
        headers={"Content-Disposition": made.disposition},
    )
