"""Queries of generations. Updates check the state or the lease in WHERE, so concurrent changes are
safe.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.library.datasets.models import Case, Dataset
from edison.library.generation.models import (
    ENDED,
    Generation,
    GenerationBatch,
    GenerationDraft,
    GenerationState,
    before,
)
from edison.library.prompts.models import PromptDraft
from edison.workspace.projects.models import ProjectSettings

_GENERATIONS = Sorting(
    columns={"created_at": Generation.created_at}, default="-created_at", id=Generation.id
)


class Generations:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def is_allowed(self, project_id: UUID) -> bool:
        statement = select(ProjectSettings.allow_synthetic_datasets).where(
            ProjectSettings.project_id == project_id
        )
        return bool(await self._session.scalar(statement))

    async def find_prompt_draft(self, prompt_id: UUID) -> PromptDraft | None:
        return await self._session.get(PromptDraft, prompt_id)

    async def list_authors(
        self, dataset_id: UUID, case_ids: Collection[UUID] | None = None
    ) -> Sequence[tuple[UUID, UUID | None, str]]:
        """Cases that came from drafts, all or these, with the id and the name of the model that
        wrote them.
        """
        statement = (
            select(GenerationDraft.case_id, Generation.model_id, Generation.model_name)
            .join(Generation, Generation.id == GenerationDraft.generation_id)
            .where(Generation.dataset_id == dataset_id, GenerationDraft.case_id.is_not(None))
        )
        if case_ids is not None:
            statement = statement.where(GenerationDraft.case_id.in_(case_ids))
        found = await self._session.execute(statement)
        return [
            (case_id, model_id, name) for case_id, model_id, name in found if case_id is not None
        ]

    async def find_author(self, dataset_id: UUID, case_id: UUID) -> tuple[Generation, int] | None:
        """The generation that a case came from, and the number of its batch."""
        found = await self._session.execute(
            select(Generation, GenerationDraft.batch)
            .join(GenerationDraft, GenerationDraft.generation_id == Generation.id)
            .where(Generation.dataset_id == dataset_id, GenerationDraft.case_id == case_id)
        )
        row = found.first()
        return None if row is None else (row[0], row[1])

    async def list_examples(self, dataset_id: UUID, *, limit: int) -> Sequence[dict[str, Any]]:
        """Inputs of the first cases, without held-out cases."""
        statement = (
            select(Case.inputs)
            .where(Case.dataset_id == dataset_id, Case.split == "train")
            .order_by(Case.position)
            .limit(limit)
        )
        return (await self._session.scalars(statement)).all()

    async def list_known_cases(
        self, dataset_id: UUID, *, limit: int
    ) -> Sequence[tuple[UUID, str, dict[str, Any]]]:
        """Id, hash and inputs of the latest cases."""
        statement = (
            select(Case.id, Case.input_hash, Case.inputs)
            .where(Case.dataset_id == dataset_id)
            .order_by(Case.position.desc())
            .limit(limit)
        )
        return (await self._session.execute(statement)).all()

    async def add(self, generation: Generation) -> Generation:
        self._session.add(generation)
        await self._session.flush()
        return generation

    async def list_of_dataset(self, dataset_id: UUID, *, page: PageRequest) -> Slice[Generation]:
        statement = select(Generation).where(Generation.dataset_id == dataset_id)
        return await paginate(self._session, statement, page=page, sorting=_GENERATIONS)

    async def get(self, dataset_id: UUID, generation_id: UUID) -> Generation:
        found = await self._session.scalar(
            select(Generation).where(
                Generation.dataset_id == dataset_id, Generation.id == generation_id
            ),
            execution_options={"populate_existing": True},
        )
        if found is None:
            raise NotFound("There is no such generation.")
        return found

    async def find_project(self, generation_id: UUID) -> UUID | None:
        statement = (
            select(Dataset.project_id)
            .join(Generation, Generation.dataset_id == Dataset.id)
            .where(Generation.id == generation_id)
        )
        return await self._session.scalar(statement)

    async def list_unclaimed(self, now: datetime) -> Sequence[tuple[UUID, UUID]]:
        """Unfinished generations without a lease, each with its project."""
        statement = (
            select(Generation.id, Dataset.project_id)
            .join(Dataset, Dataset.id == Generation.dataset_id)
            .where(_is_unclaimed(now))
        )
        return (await self._session.execute(statement)).all()

    async def claim(
        self, generation_id: UUID, *, worker: UUID, lease: timedelta
    ) -> Generation | None:
        """Take the lease; None when the generation has ended or another process holds the lease."""
        now = clock.now()
        return await self._change(
            generation_id,
            _is_unclaimed(now),
            state=GenerationState.RUNNING,
            claimed_by=worker,
            claimed_until=now + lease,
            started_at=func.coalesce(Generation.started_at, now),
        )

    async def renew(self, generation_id: UUID, *, worker: UUID, lease: timedelta) -> bool:
        """False when the generation was cancelled or taken over."""
        kept = await self._change(
            generation_id,
            *_is_held_by(worker),
            claimed_until=clock.now() + lease,
        )
        return kept is not None

    async def release(self, generation_id: UUID, *, worker: UUID) -> None:
        """Release the lease immediately."""
        await self._change(generation_id, *_is_held_by(worker), claimed_until=clock.now())

    async def record(
        self,
        generation_id: UUID,
        *,
        worker: UUID,
        batch: GenerationBatch,
        drafts: Sequence[GenerationDraft],
        cost_nanos: int | None,
    ) -> Generation | None:
        """Store the result of a batch; None, storing nothing, when the worker no longer holds the
        lease.
        """
        kept = await self._change(
            generation_id,
            *_is_held_by(worker),
            draft_count=Generation.draft_count + len(drafts),
            malformed_count=Generation.malformed_count + batch.malformed,
            refused_count=Generation.refused_count + batch.refused,
            repeated_count=Generation.repeated_count + batch.repeated,
            cost_nanos=None if cost_nanos is None else Generation.cost_nanos + cost_nanos,
        )
        if kept is not None:
            self._session.add_all([batch, *drafts])
            await self._session.flush()
        return kept

    async def end(
        self,
        generation_id: UUID,
        state: GenerationState,
        *,
        worker: UUID | None = None,
        **values: Any,
    ) -> Generation | None:
        """Move to a terminal state; None when that is not possible or another worker holds the
        lease.
        """
        held = () if worker is None else (Generation.claimed_by == worker,)
        return await self._end(generation_id, state, *held, **values)

    async def give_up(self, generation_id: UUID, **values: Any) -> Generation | None:
        """End it as failed; None when it has ended or a process holds the lease."""
        return await self._end(
            generation_id, GenerationState.FAILED, _is_unclaimed(clock.now()), **values
        )

    async def resume(self, generation_id: UUID) -> Generation | None:
        """Move a failed generation back to work; None unless it has failed."""
        return await self._change(
            generation_id,
            Generation.state.in_(before(GenerationState.QUEUED)),
            state=GenerationState.QUEUED,
            note=None,
            failure=None,
            ended_at=None,
        )

    async def _end(
        self, generation_id: UUID, state: GenerationState, *conditions: Any, **values: Any
    ) -> Generation | None:
        return await self._change(
            generation_id,
            Generation.state.in_(before(state)),
            *conditions,
            state=state,
            ended_at=clock.now(),
            claimed_by=None,
            claimed_until=None,
            **values,
        )

    async def note_accepted(self, generation_id: UUID, count: int) -> Generation:
        changed = await self._change(
            generation_id, accepted_count=Generation.accepted_count + count
        )
        if changed is None:
            raise NotFound("There is no such generation.")
        return changed

    async def remove_ended(self, generation_id: UUID) -> bool:
        """True when it had ended and was deleted."""
        statement = (
            delete(Generation)
            .where(Generation.id == generation_id, Generation.state.in_(ENDED))
            .returning(Generation.id)
        )
        return await self._session.scalar(statement) is not None

    async def count_active_with_model(self, model_id: UUID) -> int:
        statement = select(func.count()).where(
            Generation.model_id == model_id,
            Generation.state.in_([GenerationState.QUEUED, GenerationState.RUNNING]),
        )
        return await self._session.scalar(statement) or 0

    async def count_active_in_project(self, project_id: UUID) -> int:
        statement = (
            select(func.count())
            .select_from(Generation)
            .join(Dataset, Dataset.id == Generation.dataset_id)
            .where(
                Dataset.project_id == project_id,
                Generation.state.in_([GenerationState.QUEUED, GenerationState.RUNNING]),
            )
        )
        return await self._session.scalar(statement) or 0

    async def _change(
        self, generation_id: UUID, *conditions: Any, **values: Any
    ) -> Generation | None:
        statement = (
            update(Generation)
            .where(Generation.id == generation_id, *conditions)
            .values(**values)
            .returning(Generation)
        )
        return await self._session.scalar(statement, execution_options={"populate_existing": True})


def _is_unclaimed(now: datetime) -> Any:
    return or_(
        Generation.state == GenerationState.QUEUED,
        (Generation.state == GenerationState.RUNNING) & (Generation.claimed_until <= now),
    )


def _is_held_by(worker: UUID) -> tuple[Any, Any]:
    return Generation.state == GenerationState.RUNNING, Generation.claimed_by == worker
