"""Queries of the drafts and batches of a generation."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.library.generation.models import GenerationBatch, GenerationDraft
from edison.library.generation.progress import Yield

_DRAFTS = Sorting(
    columns={"position": GenerationDraft.position}, default="position", id=GenerationDraft.id
)


class Drafts:
    """The drafts of one generation."""

    def __init__(self, session: AsyncSession, generation_id: UUID) -> None:
        self._session = session
        self._is_ours = GenerationDraft.generation_id == generation_id
        self._generation_id = generation_id

    async def list_page(self, page: PageRequest) -> Slice[GenerationDraft]:
        statement = select(GenerationDraft).where(self._is_ours)
        return await paginate(self._session, statement, page=page, sorting=_DRAFTS)

    async def list_all(self) -> Sequence[GenerationDraft]:
        statement = select(GenerationDraft).where(self._is_ours).order_by(GenerationDraft.position)
        return (await self._session.scalars(statement)).all()

    async def count_near(self) -> int:
        statement = select(func.count()).where(
            self._is_ours, GenerationDraft.similarity.is_not(None)
        )
        return await self._session.scalar(statement) or 0

    async def yields(self) -> Mapping[int, Yield]:
        """Results of the finished batches by number."""
        statement = select(GenerationBatch).where(
            GenerationBatch.generation_id == self._generation_id
        )
        names = list(asdict(Yield()))
        return {
            batch.number: Yield(**{name: getattr(batch, name) for name in names})
            for batch in await self._session.scalars(statement)
        }

    async def has_accepted(self, draft_ids: Sequence[UUID]) -> bool:
        """Whether one of them was added to the dataset already."""
        statement = select(func.count()).where(
            self._is_ours, GenerationDraft.id.in_(draft_ids), GenerationDraft.case_id.is_not(None)
        )
        return bool(await self._session.scalar(statement))

    async def note_cases(self, case_ids: Mapping[UUID, UUID]) -> None:
        """Mark drafts as added, with the ids of their cases."""
        if case_ids:
            await self._session.execute(
                update(GenerationDraft),
                [{"id": draft_id, "case_id": case_id} for draft_id, case_id in case_ids.items()],
            )
