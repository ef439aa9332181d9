"""Failed generations: ended when their job is dead, and resumed on request.

Drafts are kept; resuming calls only for the missing batches.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import dead
from edison.jobs import job as jobs
from edison.kit.errors import NotFound
from edison.library.datasets import service as datasets
from edison.library.generation.errors import NotResumable
from edison.library.generation.events import job_of, publish
from edison.library.generation.models import Generation, GenerationState
from edison.library.generation.prepare import DatasetRef, check_dataset
from edison.library.generation.repository.generations import Generations
from edison.library.models import service as models
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service
from edison.workspace.budgets.types import Need

INTERNAL = "internal"


async def give_up(session: AsyncSession, generation_id: UUID, *, reason: str) -> None:
    """Mark a generation whose job is dead as failed."""
    note = (
        f"Something went wrong inside Edison, several times in a row: {reason}. "
        "What was written until then can be used, and the rest resumed."
    )
    ended = await Generations(session).give_up(generation_id, note=note, failure=INTERNAL)
    if ended is not None:
        await publish(session, ended)


async def reopen(session: AsyncSession, generation_id: UUID) -> None:
    """Reopen a generation because its dead job is retried."""
    reopened = await Generations(session).resume(generation_id)
    if reopened is not None:
        await publish(session, reopened)


async def resume(session: AsyncSession, *, place: DatasetRef, generation: Generation) -> Generation:
    """Queue it again. Raises NotResumable when it has not failed, or would fail the same way."""
    await check_dataset(session, place)
    _check_resumable(generation)
    need = await _check_model(session, place, generation)
    await service.check_open(session, project_id=place.project_id, need=need)
    before = {"failure": generation.failure, "draft_count": generation.draft_count}
    resumed = await Generations(session).resume(generation.id)
    if resumed is None:
        raise NotResumable("This generation was already resumed.")
    await datasets.note_use(session, dataset_id=place.dataset_id)
    audit.record(
        session,
        "generation.resumed",
        entity=("generation", generation.id),
        project_id=place.project_id,
        before=before,
    )
    job = job_of(generation.id, place.project_id)
    await dead.forget(session, [job.key])
    jobs.request(session, job)
    await publish(session, resumed)
    return resumed


def _check_resumable(generation: Generation) -> None:
    if generation.state != GenerationState.FAILED:
        raise NotResumable("Only a generation that has failed can be resumed.")
    if generation.model_id is None:
        raise NotResumable(
            "The model was removed from the project. Start a new generation with another model."
        )
    if not generation.is_resumable:
        raise NotResumable(
            "The model's answers could not be read, and it would give the same ones again. "
            "Start a new generation, or choose another model."
        )


async def _check_model(session: AsyncSession, place: DatasetRef, generation: Generation) -> Need:
    """What a call of its model needs at least."""
    if generation.model_id is None:
        return Need()
    try:
        model = await models.get_callable(
            session, project_id=place.project_id, model_id=generation.model_id
        )
    except NotFound as missing:
        raise NotResumable(missing.message) from missing
    if not model.is_enabled:
        raise NotResumable(f"{model.display_name} is switched off.")
    return models.least_need([model])
