"""Routes for the iterations of an experiment."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, status

from edison.api.pagination import PageParams, Slice
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
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
    """Whether an iteration can start, and everything that is in the way."""
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
    """The iterations of an experiment, the latest first."""
    return await iterations.list_iterations(
        session, project_id=member.project_id, experiment_id=experiment_id, page=page
    )


@router.post("/iterations", status_code=status.HTTP_201_CREATED)
async def start_iteration(
    experiment_id: UUID, body: IterationRequest, member: Editor, session: Session
) -> IterationDetail:
    """Test the experiment's current version, or the one named. Every reason against it is told."""
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
    """An iteration: how far it is, what it showed, and what can be done with it."""
    place = IterationRef(
        project_id=member.project_id, experiment_id=experiment_id, iteration_id=iteration_id
    )
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/pause")
async def pause_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Let calls under way come to their end, and start nothing new."""
    await control.pause(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/resume")
async def resume_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Go on with exactly what is missing."""
    await control.resume(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/cancel")
async def cancel_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """End an iteration for good. Results so far are kept."""
    await control.cancel(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/close")
async def close_iteration(place: EditedPlace, session: Session) -> IterationDetail:
    """Go on without a change: what was suggested and not decided about is set aside."""
    await control.close(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/iterations/{iteration_id}/refine")
async def refine_iteration_again(place: EditedPlace, session: Session) -> IterationDetail:
    """Ask for a change once more, after nothing usable was suggested."""
    await control.refine_again(session, place)
    return await iterations.get_iteration(session, place)


@router.post("/finish")
async def finish_experiment(
    experiment_id: UUID, member: Editor, session: Session
) -> ExperimentDetail:
    """End the experiment. Confirming it again makes it go on."""
    await control.finish(session, project_id=member.project_id, experiment_id=experiment_id)
    return await service.get_experiment(
        session, project_id=member.project_id, experiment_id=experiment_id
    )
