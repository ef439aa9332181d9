"""Endpoints of experiments."""

from typing import Annotated
from uuid import UUID

from fastapi import Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.library.calls.access import CurrentGateway
from edison.loops.experiments import activity, service
from edison.loops.experiments.schemas.activity import ExperimentActivity
from edison.loops.experiments.schemas.estimates import ExperimentEstimate
from edison.loops.experiments.schemas.experiments import (
    DraftSave,
    DraftSaved,
    EstimateRequest,
    ExperimentChange,
    ExperimentCopyRequest,
    ExperimentDetail,
    ExperimentFilter,
    ExperimentRequest,
    ExperimentSummary,
    TemplateRead,
)
from edison.workspace.projects.access import Editor, EditorWithoutTransaction, Viewer

router = api_router("/projects/{project}/experiments", tag="experiments")


@router.get("", response_model=Page[ExperimentSummary])
async def list_experiments(
    member: Viewer,
    wanted: Annotated[ExperimentFilter, read_into(ExperimentFilter)],
    page: PageParams,
    session: Session,
) -> Slice[ExperimentSummary]:
    """Returns the project's experiments, latest change first."""
    return await service.list_experiments(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_experiment(
    body: ExperimentRequest, member: Editor, session: Session
) -> ExperimentDetail:
    """Creates a draft, empty or filled from a template."""
    return await service.create_experiment(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/templates")
async def list_experiment_templates(member: Viewer) -> list[TemplateRead]:
    """Returns the templates of the wizard."""
    return service.list_templates()


@router.get("/{experiment_id}")
async def get_experiment(experiment_id: UUID, member: Viewer, session: Session) -> ExperimentDetail:
    """Returns an experiment with its draft, iterations and prompt lineage."""
    return await service.get_experiment(
        session, project_id=member.project_id, experiment_id=experiment_id
    )


@router.get("/{experiment_id}/activity")
async def get_experiment_activity(
    experiment_id: UUID, member: Viewer, session: Session
) -> ExperimentActivity:
    """Returns the activity of an experiment with its actors, latest first."""
    return await activity.get_activity(
        session, project_id=member.project_id, experiment_id=experiment_id
    )


@router.patch("/{experiment_id}")
async def rename_experiment(
    experiment_id: UUID, body: ExperimentChange, member: Editor, session: Session
) -> ExperimentDetail:
    """Renames an experiment."""
    return await service.rename_experiment(
        session, project_id=member.project_id, experiment_id=experiment_id, name=body.name
    )


@router.delete("/{experiment_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_experiment(experiment_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes an experiment. Its runs, prompt versions and ledger entries are kept."""
    await service.delete_experiment(
        session, project_id=member.project_id, experiment_id=experiment_id
    )
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.put("/{experiment_id}/draft")
async def save_experiment_draft(
    experiment_id: UUID, body: DraftSave, member: Editor, session: Session
) -> DraftSaved:
    """Saves the wizard's steps, complete or not, and returns their problems."""
    return await service.save_draft(
        session, project_id=member.project_id, experiment_id=experiment_id, wanted=body
    )


@router.post("/{experiment_id}/estimate")
async def estimate_experiment(
    experiment_id: UUID,
    body: EstimateRequest,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
) -> ExperimentEstimate:
    """Estimates calls, cost and time of one iteration and of the whole experiment."""
    return await service.estimate_experiment(
        database,
        project_id=member.project_id,
        experiment_id=experiment_id,
        draft=body.draft,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.post("/{experiment_id}/confirm")
async def confirm_experiment(
    experiment_id: UUID, member: Editor, session: Session
) -> ExperimentDetail:
    """Confirms the draft, so that iterations can start. Errors list all problems at once."""
    return await service.confirm_experiment(
        session,
        project_id=member.project_id,
        experiment_id=experiment_id,
        author_id=member.user_id,
    )


@router.post("/{experiment_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_experiment(
    experiment_id: UUID, body: ExperimentCopyRequest, member: Editor, session: Session
) -> ExperimentDetail:
    """Creates a draft with the same steps."""
    return await service.duplicate_experiment(
        session,
        project_id=member.project_id,
        experiment_id=experiment_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{experiment_id}/archive")
async def archive_experiment(
    experiment_id: UUID, member: Editor, session: Session
) -> ExperimentDetail:
    """Archives an experiment: it leaves the list but is not deleted."""
    return await service.set_archived(
        session, project_id=member.project_id, experiment_id=experiment_id, is_archived=True
    )


@router.post("/{experiment_id}/unarchive")
async def unarchive_experiment(
    experiment_id: UUID, member: Editor, session: Session
) -> ExperimentDetail:
    """Restores an archived experiment."""
    return await service.set_archived(
        session, project_id=member.project_id, experiment_id=experiment_id, is_archived=False
    )
