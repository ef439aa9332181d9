"""Endpoints of an experiment's iterations."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router, raises
from edison.api.schema import Page
from edison.api.session import Session
from edison.kit.errors import Exhausted
from edison.loops.experiments import service
from edison.loops.experiments.iterations import control
from edison.loops.experiments.iterations import service as iterations
from edison.loops.experiments.iterations.control import IterationRef
from edison.loops.experiments.schemas.estimates import Readiness
from edison.loops.experiments.schemas.experiments import ExperimentDetail
from edison.loops.experiments.schemas.iterations import (
    IterationDetail,
    IterationRead,
    IterationRequest,
)
from edison.workspace.projects.access import Editor, Viewer

router = api_router("/projects/{project}/experiments/{experiment_id}", tag="experiments")


async def _of_editor(experiment_id: UUID, iteration_id: UUID, member: Editor) -> IterationRef:
    return IterationRef(
        project_id=member.project_id, experiment_id=experiment_id, iteration_id=iteration_id
    )


EditedPlace = Annotated[IterationRef, Depends(_of_editor)]


@router.get("/readiness")
async def get_experiment_readiness(
    experiment_id: UUID, member: Viewer, session: Session
) -> Readiness:
    """Returns whether an iteration can start, with all reasons against it."""
    return await iterations.get_readiness(
        session,
        project_id=member.project_id,
        experiment_id=experiment_id,
        author_id=member.user_id,
    )


@router.get("/iterations", response_model=Page[IterationRead])
async def list_iterations(
    experiment_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[IterationRead]:
    """Returns the iterations of an experiment, latest first."""
    return await iterations.list_iterations(
        session, project_id=member.project_id, experiment_id=experiment_id, page=page
    )


@router.post("/iterations", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted))
async def start_iteration(
    experiment_id: UUID, body: IterationRequest, member: Editor, session: Session
) -> IterationDetail:
    """Starts an iteration that tests the experiment's current prompt version, or the given one. If
    it cannot start, the error lists all reasons.
    """
    iteration_id = await control.start(
        session,
        project_id=member.project_id,
        experiment_id=experiment_id,
        version_id=body.version_id,
        author_id=member.user_id,
    )
    place = IterationRef(
        project_id=member.project_id, experiment_id=experiment_id, iteration_id=iteration_id
    )
    return await iterations.get_iteration(session, place)


@router.get("/iterations/{iteration_id}")
async def get_iteration(
    experiment_id: UUID, iteration_id: UUID, member: Viewer, session: Session
) -> IterationDetail:
    """Returns an iteration with its progress, metrics and available actions."""
    place = IterationRef(
        project_id=member.project_id, experiment_id=experiment_id, iteration_id=iteration_id
    )
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/pause")
async def pause_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Pauses an iteration: calls in flight finish, no new ones start."""
    await control.pause(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/resume", openapi_extra=raises(Exhausted))
async def resume_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Resumes an iteration with its missing cells."""
    await control.resume(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/cancel")
async def cancel_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Cancels an iteration for good. Results so far are kept."""
    await control.cancel(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/close")
async def close_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Completes the iteration without a change. Pending suggestions become superseded."""
    await control.close(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/refine")
async def refine_iteration_again(place: EditedPlace, session: Session) -> IterationDetail:
    """Refines again, after no usable change was suggested."""
    await control.refine_again(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/finish")
async def finish_experiment(
    experiment_id: UUID, member: Editor, session: Session
) -> ExperimentDetail:
    """Ends the experiment. Confirm it again to continue."""
    await control.finish(session, project_id=member.project_id, experiment_id=experiment_id)
    return await service.get_experiment(
        session, project_id=member.project_id, experiment_id=experiment_id
    )
