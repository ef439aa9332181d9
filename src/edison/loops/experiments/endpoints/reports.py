"""Endpoints of experiment reports and of the wizard's assistant."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from edison.api.routing import api_router, raises
from edison.api.session import CurrentDatabase
from edison.kit.errors import Conflict, Exhausted
from edison.library.calls.access import CurrentGateway
from edison.loops.experiments.drafts import assist
from edison.loops.experiments.drafts.advice import AssistContext
from edison.loops.experiments.reports import compare, export, report
from edison.loops.experiments.reports.export import ReportFormat
from edison.loops.experiments.schemas.assist import AssistRead, AssistRequest
from edison.loops.experiments.schemas.drafts import Step
from edison.loops.experiments.schemas.reports import ExperimentComparison, ExperimentReport
from edison.workspace.projects.access import EditorWithoutTransaction, ViewerWithoutTransaction

router = api_router("/projects/{project}/experiments", tag="experiments")


@router.post("/assist/{step}", openapi_extra=raises(Exhausted))
async def assist_with_experiment(
    step: Step,
    body: AssistRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> AssistRead:
    """Drafts or improves a step of the wizard, or gives advice. Calls are charged as usual."""
    context = AssistContext(
        database=database,
        gateway=gateway,
        project_id=member.project_id,
        author_id=member.user_id,
    )
    return await assist.assist(context, step, body)


@router.get("/{experiment_id}/report")
async def get_experiment_report(
    experiment_id: UUID, member: ViewerWithoutTransaction, database: CurrentDatabase
) -> ExperimentReport:
    """Returns the report: improvement, cost, recommended model and remaining weaknesses."""
    return await report.write_report(
        database, project_id=member.project_id, experiment_id=experiment_id
    )


@router.get(
    "/{experiment_id}/report/export",
    response_class=Response,
    responses={
        200: {
            "description": "A file",
            "content": {
                media_type: {"schema": {"type": "string", "format": "binary"}}
                for media_type in (
                    "application/pdf",
                    "text/csv",
                    "text/markdown",
                    "text/plain",
                )
            },
        }
    },
    openapi_extra=raises(Conflict),
)
async def export_experiment_report(
    experiment_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    file_format: Annotated[ReportFormat, Query(alias="format")] = "pdf",
) -> Response:
    """Returns the report as a file.

    `csv` has one line per iteration, `txt` the best version whole. The project's `export`
    returns everything about an experiment as a bundle.
    """
    made = await export.export_report(
        database,
        project_id=member.project_id,
        experiment_id=experiment_id,
        file_format=file_format,
    )
    return Response(
        made.content,
        media_type=made.media_type,
        headers={"Content-Disposition": made.disposition},
    )


@router.get("/{experiment_id}/compare/{other_experiment_id}")
async def compare_experiments(
    experiment_id: UUID,
    other_experiment_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
) -> ExperimentComparison:
    """Compares the best versions of two experiments on their shared cases."""
    return await compare.compare(
        database,
        project_id=member.project_id,
        left_id=experiment_id,
        right_id=other_experiment_id,
    )
