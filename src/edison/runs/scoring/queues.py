"""Annotation queues: create, list, change, pause, close, delete."""

import secrets
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import ids
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.runs.scoring.errors import IllegalQueueChange, NothingToSample
from edison.runs.scoring.models import AnnotationQueue
from edison.runs.scoring.repository.queues import NO_PROGRESS, Queues
from edison.runs.scoring.sample import choose, with_judges
from edison.runs.scoring.scales import ScoringQuestion
from edison.runs.scoring.schemas.queues import (
    AnnotationProgress,
    AnnotationQueueChange,
    AnnotationQueueRead,
    AnnotationQueueRequest,
    SamplePreview,
    SampleRequest,
)
from edison.runs.scoring.schemas.scores import ScoringPerson
from edison.runs.scoring.states import NEXT, AnnotationQueueState, SampleStrategy
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events

SEED_BITS = 31


async def preview_sample(
    session: AsyncSession, *, project_id: UUID, wanted: SampleRequest
) -> SamplePreview:
    """How many outputs are available for the sample. Raises NotFound."""
    queues = Queues(session)
    await _check_runs(queues, project_id, wanted.run_ids)
    found = await queues.list_candidates(wanted.run_ids, is_unscored_only=wanted.is_unscored_only)
    return SamplePreview(available=len(found), chosen=min(len(found), wanted.sample_size))


async def create_queue(
    session: AsyncSession, *, project_id: UUID, author_id: UUID, wanted: AnnotationQueueRequest
) -> AnnotationQueueRead:
    """Raises NotFound, NothingToSample, and Invalid for assignees who may not score."""
    queues = Queues(session)
    await _check_runs(queues, project_id, wanted.run_ids)
    await _check_assignees(queues, project_id, wanted.assignee_ids)
    seed = secrets.randbits(SEED_BITS) if wanted.seed is None else wanted.seed
    candidates = await queues.list_candidates(
        wanted.run_ids, is_unscored_only=wanted.is_unscored_only
    )
    if wanted.strategy is SampleStrategy.DISAGREEMENT:
        candidates = with_judges(candidates, await queues.list_judge_spreads(wanted.run_ids))
    chosen = choose(candidates, strategy=wanted.strategy, count=wanted.sample_size, seed=seed)
    if not chosen:
        raise NothingToSample
    queue = AnnotationQueue(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        instructions=wanted.instructions or None,
        question=wanted.question,
        criteria=None
        if wanted.criteria is None
        else [each.model_dump() for each in wanted.criteria],
        strategy=wanted.strategy,
        seed=seed,
        overlap=wanted.overlap,
        state=AnnotationQueueState.OPEN,
        author_id=author_id,
    )
    await queues.add(queue, output_ids=chosen, assignee_ids=wanted.assignee_ids)
    audit.record(
        session,
        "annotation_queue.created",
        entity=("annotation_queue", queue.id),
        project_id=project_id,
        after={"name": queue.name, "items": len(chosen), "overlap": queue.overlap, "seed": seed},
    )
    await announce(session, project_id, queue.id)
    return await get_queue(session, project_id=project_id, queue_id=queue.id, user_id=author_id)


async def _check_runs(queues: Queues, project_id: UUID, run_ids: Sequence[UUID]) -> None:
    if await queues.count_runs(project_id, run_ids) < len(run_ids):
        raise NotFound("There is no such run.")


async def _check_assignees(queues: Queues, project_id: UUID, user_ids: Sequence[UUID]) -> None:
    able = await queues.list_annotators(project_id, user_ids)
    problems = [
        FieldProblem(
            field=f"assignee_ids.{at}",
            message="Only members from REVIEWER on can be asked to score.",
            code="cannot_score",
        )
        for at, user_id in enumerate(user_ids)
        if user_id not in able
    ]
    if problems:
        raise Invalid(*problems)


async def list_queues(
    session: AsyncSession,
    *,
    project_id: UUID,
    user_id: UUID,
    state: AnnotationQueueState | None,
    page: PageRequest,
) -> Slice[AnnotationQueueRead]:
    queues = Queues(session)
    found = await queues.list_of_project(project_id, state=state, page=page)
    queue_ids = [queue.id for queue, _, _ in found.items]
    progress = await queues.count_progress(queue_ids, user_id=user_id)
    assignees = await queues.list_assignees(queue_ids)
    items = [
        _read(
            queue,
            author=_person(queue.author_id, email, name),
            assignees=[ScoringPerson(id=id_, name=who) for id_, who in assignees.get(queue.id, ())],
            progress=progress.get(queue.id, NO_PROGRESS),
            user_id=user_id,
        )
        for queue, email, name in found.items
    ]
    return Slice(items=items, next=found.next, total=found.total)


async def get_queue(
    session: AsyncSession, *, project_id: UUID, queue_id: UUID, user_id: UUID
) -> AnnotationQueueRead:
    queues = Queues(session)
    queue, email, name = await queues.get(project_id, queue_id)
    progress = await queues.count_progress([queue_id], user_id=user_id)
    assignees = await queues.list_assignees([queue_id])
    return _read(
        queue,
        author=_person(queue.author_id, email, name),
        assignees=[ScoringPerson(id=id_, name=who) for id_, who in assignees.get(queue_id, ())],
        progress=progress.get(queue_id, NO_PROGRESS),
        user_id=user_id,
    )


async def change_queue(
    session: AsyncSession,
    *,
    project_id: UUID,
    queue_id: UUID,
    user_id: UUID,
    change: AnnotationQueueChange,
) -> AnnotationQueueRead:
    """Changes name or instructions; question and sample are fixed."""
    queue, _, _ = await Queues(session).get(project_id, queue_id)
    wanted = change.model_dump(include=change.model_fields_set)
    if wanted.get("name", "") is None:
        del wanted["name"]
    before = {field: getattr(queue, field) for field in wanted}
    await Queues(session).change(queue_id, wanted)
    audit.record(
        session,
        "annotation_queue.changed",
        entity=("annotation_queue", queue_id),
        project_id=project_id,
        before=before,
        after=wanted,
    )
    await announce(session, project_id, queue_id)
    return await get_queue(session, project_id=project_id, queue_id=queue_id, user_id=user_id)


async def move_queue(
    session: AsyncSession,
    *,
    project_id: UUID,
    queue_id: UUID,
    user_id: UUID,
    state: AnnotationQueueState,
) -> AnnotationQueueRead:
    """Pauses, opens or closes the queue. Raises IllegalQueueChange."""
    queue, _, _ = await Queues(session).get(project_id, queue_id)
    before = AnnotationQueueState(queue.state)
    if state not in NEXT[before] or not await Queues(session).change_state(queue_id, before, state):
        raise IllegalQueueChange(before, state)
    audit.record(
        session,
        f"annotation_queue.{state}",
        entity=("annotation_queue", queue_id),
        project_id=project_id,
        before={"state": before},
        after={"state": state},
    )
    await announce(session, project_id, queue_id)
    return await get_queue(session, project_id=project_id, queue_id=queue_id, user_id=user_id)


async def delete_queue(session: AsyncSession, *, project_id: UUID, queue_id: UUID) -> None:
    """Deletes the queue; human scores are kept."""
    queue, _, _ = await Queues(session).get(project_id, queue_id)
    await Queues(session).remove(queue_id)
    audit.record(
        session,
        "annotation_queue.deleted",
        entity=("annotation_queue", queue_id),
        project_id=project_id,
        before={"name": queue.name},
    )
    await announce(session, project_id, queue_id)


async def announce(session: AsyncSession, project_id: UUID, queue_id: UUID) -> None:
    """Publishes the change to the project's stream. Call it last: it locks the stream."""
    await events.publish(
        session,
        stream=events.project_stream(project_id),
        kind="annotation.changed",
        data={"entity_id": str(queue_id)},
    )


def _person(user_id: UUID | None, email: str | None, name: str | None) -> ScoringPerson | None:
    if user_id is None or email is None:
        return None
    return ScoringPerson(id=user_id, name=name or email)


def _read(
    queue: AnnotationQueue,
    *,
    author: ScoringPerson | None,
    assignees: list[ScoringPerson],
    progress: AnnotationProgress,
    user_id: UUID,
) -> AnnotationQueueRead:
    is_for_me = not assignees or any(person.id == user_id for person in assignees)
    return AnnotationQueueRead.model_validate(
        {
            "id": queue.id,
            "name": queue.name,
            "instructions": queue.instructions,
            "question": ScoringQuestion(queue.question),
            "criteria": queue.criteria,
            "strategy": SampleStrategy(queue.strategy),
            "seed": queue.seed,
            "overlap": queue.overlap,
            "state": AnnotationQueueState(queue.state),
            "author": author,
            "assignees": assignees,
            "is_for_me": is_for_me,
            "progress": progress if is_for_me else progress.model_copy(update={"left_for_me": 0}),
            "created_at": queue.created_at,
        }
    )
