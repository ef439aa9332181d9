"""Generations: estimate, create, cancel, resume, delete; and accepting drafts as cases."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.jobs import job as jobs
from edison.jobs.job import Job
from edison.kit import clock, ids
from edison.library.datasets import service as datasets
from edison.library.generation import accept, estimate, events, resume
from edison.library.generation.errors import GenerationEnded, NotEnded
from edison.library.generation.events import publish
from edison.library.generation.models import Generation, GenerationState
from edison.library.generation.prepare import DatasetRef, prepare
from edison.library.generation.repository.drafts import Drafts
from edison.library.generation.repository.generations import Generations
from edison.library.generation.schemas import (
    AcceptRequest,
    AcceptResult,
    CaseDraftRead,
    EstimateRead,
    GenerationDetail,
    GenerationRead,
    GenerationRequest,
)
from edison.library.generation.types import CaseGenerator
from edison.library.generation.view import read_detail, read_draft, read_generation
from edison.library.models import service as models
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service

TASK = events.TASK


async def estimate_generation(
    database: Database, *, place: DatasetRef, wanted: GenerationRequest
) -> EstimateRead:
    """Makes no calls."""
    prepared = await prepare(database, place=place, wanted=wanted, generation_id=ids.new_id())
    return await estimate.estimate(prepared)


async def create_generation(
    database: Database, *, place: DatasetRef, wanted: GenerationRequest, author_id: UUID
) -> GenerationDetail:
    """Store the plan and queue the job."""
    generation_id = ids.new_id()
    prepared = await prepare(database, place=place, wanted=wanted, generation_id=generation_id)
    plan, model = prepared.plan, prepared.model
    generation = Generation(
        id=generation_id,
        dataset_id=place.dataset_id,
        model_id=model.id,
        model_name=model.display_name,
        author_id=author_id,
        kind=plan.kind,
        state=GenerationState.QUEUED,
        wanted_count=plan.count,
        created_at=clock.now(),
        request=wanted.model_dump(mode="json"),
        plan=plan.model_dump(mode="json"),
    )
    async with database.write() as session:
        need = models.least_need([model])
        await service.check_open(session, project_id=place.project_id, need=need)
        await Generations(session).add(generation)
        await datasets.note_use(session, dataset_id=place.dataset_id)
        audit.record(
            session,
            "generation.created",
            entity=("generation", generation_id),
            project_id=place.project_id,
            after={
                "dataset_id": str(place.dataset_id),
                "kind": plan.kind,
                "count": plan.count,
                "model": model.display_name,
            },
        )
        jobs.request(session, events.job_of(generation_id, place.project_id))
        await publish(session, generation)
    return read_detail(generation, near_duplicates=0)


async def list_generations(
    session: AsyncSession, *, place: DatasetRef, page: PageRequest
) -> Slice[GenerationRead]:
    await _check_place(session, place)
    found = await Generations(session).list_of_dataset(place.dataset_id, page=page)
    return found.with_items([read_generation(each) for each in found.items])


async def get_generation(
    session: AsyncSession, *, place: DatasetRef, generation_id: UUID
) -> GenerationDetail:
    generation = await _get(session, place, generation_id)
    near = await Drafts(session, generation_id).count_near()
    return read_detail(generation, near_duplicates=near)


async def list_drafts(
    session: AsyncSession, *, place: DatasetRef, generation_id: UUID, page: PageRequest
) -> Slice[CaseDraftRead]:
    await _get(session, place, generation_id)
    found = await Drafts(session, generation_id).list_page(page)
    return found.with_items([read_draft(each) for each in found.items])


async def cancel_generation(
    session: AsyncSession, *, place: DatasetRef, generation_id: UUID
) -> GenerationDetail:
    """Cancel it; calls in flight are aborted, drafts are kept. Raises GenerationEnded."""
    await _get(session, place, generation_id)
    note = "Cancelled; what was written until then can be used."
    cancelled = await Generations(session).end(generation_id, GenerationState.CANCELLED, note=note)
    if cancelled is None:
        raise GenerationEnded
    audit.record(
        session,
        "generation.cancelled",
        entity=("generation", generation_id),
        project_id=place.project_id,
        after={"draft_count": cancelled.draft_count},
    )
    near = await Drafts(session, generation_id).count_near()
    await publish(session, cancelled)
    return read_detail(cancelled, near_duplicates=near)


async def resume_generation(
    session: AsyncSession, *, place: DatasetRef, generation_id: UUID
) -> GenerationDetail:
    """Resume a failed generation. Raises NotResumable."""
    generation = await _get(session, place, generation_id)
    resumed = await resume.resume(session, place=place, generation=generation)
    near = await Drafts(session, generation_id).count_near()
    return read_detail(resumed, near_duplicates=near)


async def accept_drafts(
    session: AsyncSession,
    *,
    place: DatasetRef,
    generation_id: UUID,
    wanted: AcceptRequest,
    author_id: UUID,
) -> AcceptResult:
    """Add the requested drafts to the dataset as cases, or none. Each can be added once."""
    generation = await _get(session, place, generation_id)
    return await accept.accept(
        session, place=place, generation=generation, wanted=wanted, author_id=author_id
    )


async def delete_generation(
    session: AsyncSession, *, place: DatasetRef, generation_id: UUID
) -> None:
    """Delete it with its drafts. Cases that were added are kept."""
    generation = await _get(session, place, generation_id)
    if not await Generations(session).remove_ended(generation_id):
        raise NotEnded
    audit.record(
        session,
        "generation.deleted",
        entity=("generation", generation_id),
        project_id=place.project_id,
        before={"kind": generation.kind, "draft_count": generation.draft_count},
    )


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the sweep: jobs for unfinished generations without a lease."""
    unclaimed = await Generations(session).list_unclaimed(clock.now())
    return [events.job_of(generation_id, project_id) for generation_id, project_id in unclaimed]


async def note_dead_job(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
    """Hook of the job queue: a generation's job used up its attempts."""
    await resume.give_up(session, UUID(payload["generation_id"]), reason=reason)


async def note_retried_job(session: AsyncSession, payload: Mapping[str, Any]) -> None:
    """Hook of the job queue: a dead job is retried."""
    await resume.reopen(session, UUID(payload["generation_id"]))


async def find_generators(
    session: AsyncSession, *, dataset_id: UUID, case_ids: Collection[UUID] | None = None
) -> Mapping[UUID, CaseGenerator]:
    """The models that wrote cases of the dataset, by case: all, or these."""
    return {
        case_id: CaseGenerator(model_id=model_id, name=name)
        for case_id, model_id, name in await Generations(session).list_authors(dataset_id, case_ids)
    }


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    """Hook of models: whether a generation uses the model."""
    if await Generations(session).count_active_with_model(model_id):
        return "Cases are being generated with this model."
    return None


async def find_active_work(session: AsyncSession, project_id: UUID) -> str | None:
    """Hook of projects: whether a generation is running."""
    if await Generations(session).count_active_in_project(project_id):
        return "Cases are being generated in this project."
    return None


async def _check_place(session: AsyncSession, place: DatasetRef) -> None:
    await datasets.get_dataset(session, project_id=place.project_id, dataset_id=place.dataset_id)


async def _get(session: AsyncSession, place: DatasetRef, generation_id: UUID) -> Generation:
    await _check_place(session, place)
    return await Generations(session).get(place.dataset_id, generation_id)
