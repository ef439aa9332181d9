"""Queries of single cases, lists of cases and their history."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, Uuid, bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate, paginate_ids
from edison.db.membership import is_one_of
from edison.kit.errors import NotFound
from edison.library.datasets.models import Case, CaseVersion, Dataset
from edison.library.datasets.repository.filters import Condition, matching, tag_text
from edison.library.datasets.schemas.datasets import (
    CaseChoice,
    CaseFilter,
    CaseRead,
    SelectionFilter,
)
from edison.workspace.accounts.models import User

CaseRow = Row[*tuple[Any, ...]]

_CASES = Sorting(
    columns={
        "position": Case.position,
        "updated_at": Case.updated_at,
        # Cases without a difficulty sort before the easiest.
        "difficulty": func.coalesce(Case.difficulty, 0),
    },
    default="position",
    id=Case.id,
)
# Columns shared by a case and its versions.
SHARED = [column.key for column in Case.__table__.columns if column.key != "id"]
# List columns, selected as rows: building ORM objects would take longer than the query.
_SHOWN = [getattr(Case, name) for name in CaseRead.model_fields]
_FACETS = (Case.split, Case.origin, Case.difficulty)


class Cases:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_dataset(
        self, dataset: Dataset, *, wanted: CaseFilter, page: PageRequest
    ) -> Slice[CaseRow]:
        """Rows with the columns that lists show."""
        of_dataset, *narrower = matching(dataset.id, wanted, q=page.q)
        found = await paginate_ids(
            self._session,
            select(Case.id).where(of_dataset, *narrower),
            page=page,
            sorting=_CASES,
            total=None if narrower else dataset.case_count,
        )
        rows = await self._session.execute(select(*_SHOWN).where(Case.id.in_(found.items)))
        cases = {row.id: row for row in rows}
        # On PostgreSQL a case may have been deleted in between.
        return found.with_items([cases[case_id] for case_id in found.items if case_id in cases])

    async def stream(
        self, dataset_id: UUID, *, at_once: int
    ) -> AsyncGenerator[Sequence[Case], None]:
        """All cases in order, from one snapshot, in chunks of `at_once`."""
        statement = select(Case).where(Case.dataset_id == dataset_id).order_by(Case.position)
        result = await self._session.stream_scalars(
            statement, execution_options={"yield_per": at_once}
        )
        async for cases in result.partitions():
            yield cases

    def choose(self, dataset_id: UUID, chosen: CaseChoice | None) -> Select[Case]:
        """A statement that selects the chosen cases, or all, in order."""
        chosen = chosen or CaseChoice()
        wanted = chosen.filter or SelectionFilter()
        conditions = matching(dataset_id, wanted.as_filter(), q=wanted.q)
        if chosen.case_ids is not None:
            conditions.append(is_one_of(self._session, Case.id, chosen.case_ids))
        return select(Case).where(*conditions).order_by(Case.position).limit(chosen.limit)

    async def list_chosen_inputs(
        self, dataset_id: UUID, chosen: CaseChoice | None
    ) -> Sequence[dict[str, Any]]:
        statement = self.choose(dataset_id, chosen).with_only_columns(Case.inputs)
        return (await self._session.scalars(statement)).all()

    async def list_inputs(
        self, dataset_id: UUID, *, after: int, limit: int
    ) -> Sequence[tuple[int, dict[str, Any]]]:
        """Positions and inputs of the next cases after a position."""
        statement = (
            select(Case.position, Case.inputs)
            .where(Case.dataset_id == dataset_id, Case.position > after)
            .order_by(Case.position)
            .limit(limit)
        )
        return (await self._session.execute(statement)).all()

    async def get(self, dataset_id: UUID, case_id: UUID) -> Case:
        statement = select(Case).where(Case.dataset_id == dataset_id, Case.id == case_id)
        found = await self._session.scalar(statement)
        if found is None:
            raise NotFound("There is no such case.")
        return found

    async def add(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            # Without the option, a new statement would start wherever a row with an expected answer
            # follows one without.
            await self._session.execute(
                insert(Case), rows, execution_options={"render_nulls": True}
            )

    async def change(self, case_id: UUID, *, version: int, values: dict[str, Any]) -> Case:
        """Replace that version by the next one. Call `Datasets.touch` first."""
        statement = (
            update(Case)
            .where(Case.id == case_id, Case.version == version)
            .values(version=version + 1, **values)
            .returning(Case)
        )
        result = await self._session.scalars(
            statement, execution_options={"populate_existing": True}
        )
        return result.one()

    async def keep_versions(
        self, conditions: Sequence[Condition], *, change_id: UUID | None
    ) -> int:
        """Copy cases into the history; returns how many."""
        columns = [getattr(Case, name) for name in SHARED]
        kept = select(Case.id, *columns, _constant(change_id)).where(*conditions)
        result = await self._session.execute(
            insert(CaseVersion).from_select(["case_id", *SHARED, "change_id"], kept)
        )
        return int(result.rowcount)  # type: ignore[attr-defined]  # a CursorResult, for an insert

    async def list_versions(
        self, dataset_id: UUID, case_id: UUID, *, page: PageRequest
    ) -> Slice[tuple[CaseVersion, str | None]]:
        """With the name or email of the author, latest first."""
        author = func.coalesce(User.name, User.email)
        statement = (
            select(CaseVersion, author)
            .outerjoin(User, User.id == CaseVersion.author_id)
            .where(CaseVersion.dataset_id == dataset_id, CaseVersion.case_id == case_id)
        )
        sorting = Sorting(
            columns={"version": CaseVersion.version}, default="-version", id=CaseVersion.case_id
        )
        return await paginate(self._session, statement, page=page, sorting=sorting)

    async def find_hashes(self, dataset_id: UUID, hashes: Sequence[str]) -> set[str]:
        """The hashes that the dataset already has."""
        statement = select(Case.input_hash).where(
            Case.dataset_id == dataset_id, Case.input_hash.in_(hashes)
        )
        return set((await self._session.scalars(statement)).all())

    async def list_copies(self, dataset_id: UUID) -> Sequence[tuple[str, UUID, int]]:
        """Hash, id and position of every case that shares its inputs with another."""
        copied = (
            select(Case.input_hash)
            .where(Case.dataset_id == dataset_id)
            .group_by(Case.input_hash)
            .having(func.count() > 1)
        )
        statement = (
            select(Case.input_hash, Case.id, Case.position)
            .where(Case.dataset_id == dataset_id, Case.input_hash.in_(copied))
            .order_by(Case.position)
        )
        return (await self._session.execute(statement)).all()

    async def list_texts(
        self, dataset_id: UUID, *, limit: int, longest: int
    ) -> list[tuple[UUID, int, str, str]]:
        """Id, position, truncated text, and hash of the first cases."""
        statement = (
            select(Case.id, Case.position, func.substr(Case.text, 1, longest), Case.input_hash)
            .where(Case.dataset_id == dataset_id)
            .order_by(Case.position)
            .limit(limit)
        )
        return [(*row,) for row in await self._session.execute(statement)]

    async def count_by_property(
        self, dataset_id: UUID
    ) -> Sequence[tuple[str, str, int | None, int, int]]:
        """Split, origin and difficulty with the number of cases, and of those with an expected
        answer.
        """
        statement = (
            select(*_FACETS, func.count(), func.count(Case.expected))
            .where(Case.dataset_id == dataset_id)
            .group_by(*_FACETS)
        )
        return (await self._session.execute(statement)).all()

    async def count_by_tags(self, dataset_id: UUID) -> Sequence[tuple[list[str], int]]:
        """Combinations of tags with the number of cases that have exactly these."""
        statement = (
            select(Case.tags, func.count())
            .where(Case.dataset_id == dataset_id)
            .group_by(tag_text())
        )
        return (await self._session.execute(statement)).all()

    async def count_tags_of_project(
        self, project_id: UUID
    ) -> Sequence[tuple[UUID, str, list[str], int]]:
        """Combinations of tags by dataset, with its name, without archived datasets."""
        statement = (
            select(Dataset.id, Dataset.name, Case.tags, func.count())
            .join(Case, Case.dataset_id == Dataset.id)
            .where(Dataset.project_id == project_id, Dataset.archived_at.is_(None))
            .group_by(Dataset.id, Dataset.name, tag_text())
            .order_by(Dataset.name)
        )
        return [
            (id_, name, tags, count)
            for id_, name, tags, count in await self._session.execute(statement)
        ]


def _constant(change_id: UUID | None) -> Any:
    return bindparam(None, change_id, type_=Uuid())
