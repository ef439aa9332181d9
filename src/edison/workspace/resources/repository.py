"""Queries shared by resources. A slice subclasses `Resources` for its table and adds its own."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, Select, String, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.db import upsert
from edison.db.base import Base
from edison.kit.errors import NotFound
from edison.workspace.accounts.models import User
from edison.workspace.resources.models import Resource, Version, VersionedResource
from edison.workspace.resources.schemas import Status

Row = TypeVar("Row", bound=Resource)
VersionedRow = TypeVar("VersionedRow", bound=VersionedResource)
VersionRow = TypeVar("VersionRow", bound=Version)


class Resources(Generic[Row]):
    """`hides_archived`: the list shows only active ones unless asked otherwise. `locks_references`:
    while one is locked, no transaction can add rows that refer to it.
    """

    table: type[Row]
    hides_archived = True
    locks_references = False

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    @property
    def noun(self) -> str:
        return self.table.NOUN

    def sorting(self) -> Sorting:
        table = self.table
        return Sorting(
            columns={
                "updated_at": table.updated_at,
                "created_at": table.created_at,
                "name": func.lower(table.name, type_=String()),
            },
            default="-updated_at",
            id=table.id,
        )

    def listed(self) -> Select[*tuple[Any, ...]]:
        """The columns of a list. Override it together with the type that `page` is used as."""
        return select(self.table)

    async def page(
        self,
        project_id: UUID,
        *,
        status: Status,
        page: PageRequest,
        conditions: Sequence[ColumnElement[bool]] = (),
    ) -> Slice[Any]:
        table = self.table
        statement = self.listed().where(table.project_id == project_id, *conditions)
        if status != "all":
            is_active = table.archived_at.is_(None)
            statement = statement.where(is_active if status == "active" else ~is_active)
        if page.q is not None:
            statement = statement.where(contains(table.name, page.q))
        return await paginate(self.session, statement, page=page, sorting=self.sorting())

    async def get(self, project_id: UUID, row_id: UUID, *, to_change: bool = False) -> Row:
        """`to_change` locks the row until the transaction ends. SQLite needs no lock: write
        transactions run alone.
        """
        table = self.table
        statement = select(table).where(table.project_id == project_id, table.id == row_id)
        if to_change:
            statement = statement.with_for_update(key_share=not self.locks_references)
        found = await self.session.scalar(statement.execution_options(populate_existing=True))
        if found is None:
            raise self.not_found()
        return found

    def not_found(self) -> NotFound:
        return NotFound(f"There is no such {self.noun}.")

    async def has_name(self, project_id: UUID, name: str) -> bool:
        table = self.table
        found = await self.session.scalar(
            select(table.id).where(table.project_id == project_id, table.name == name)
        )
        return found is not None

    async def set_archived(self, row_id: UUID, *, at: datetime | None) -> bool:
        """False when it already is in the requested state."""
        table = self.table
        is_archived = table.archived_at.is_not(None)
        changed = await self.session.scalar(
            update(table)
            .where(table.id == row_id, is_archived if at is None else ~is_archived)
            .values(archived_at=at)
            .returning(table)
            .execution_options(populate_existing=True)
        )
        return changed is not None

    async def add(self, row: Row) -> Row:
        self.session.add(row)
        await self.session.flush()
        return row

    async def remove(self, row_id: UUID) -> None:
        await self.session.execute(delete(self.table).where(self.table.id == row_id))

    async def set_links(
        self, table: type[Base], owner: Mapping[str, UUID], column: str, ids: Iterable[UUID]
    ) -> None:
        """Replaces the rows of a link table that belong to the owner."""
        await self.session.execute(delete(table).filter_by(**owner))
        rows = [{**owner, column: each} for each in sorted(set(ids), key=str)]
        if rows:
            await self.session.execute(upsert.insert(self.session, table).values(rows))

    async def find_email(self, user_id: UUID | None) -> str | None:
        return await self.session.scalar(select(User.email).where(User.id == user_id))


class VersionedResources(Resources[VersionedRow], Generic[VersionedRow, VersionRow]):
    """Lists and reads come with the latest version and the email of its author. `owner_column` is
    the version's foreign key.
    """

    versions: type[VersionRow]
    owner_column: str

    @property
    def owner_id(self) -> ColumnElement[UUID]:
        """A property: a SQLAlchemy attribute set on this class would act as a descriptor."""
        column: ColumnElement[UUID] = getattr(self.versions, self.owner_column)
        return column

    def listed(self) -> Select[*tuple[Any, ...]]:
        table, versions = self.table, self.versions
        return (
            select(table, versions, User.email)
            .join(
                versions,
                (self.owner_id == table.id) & (versions.number == table.latest_number),
            )
            .outerjoin(User, User.id == versions.author_id)
        )

    async def get_with_latest(
        self, project_id: UUID, row_id: UUID
    ) -> tuple[VersionedRow, VersionRow, str | None]:
        table = self.table
        statement = self.listed().where(table.project_id == project_id, table.id == row_id)
        found = (
            await self.session.execute(statement.execution_options(populate_existing=True))
        ).one_or_none()
        if found is None:
            raise self.not_found()
        row, version, author = found
        return row, version, author

    async def get_latest(self, row: VersionedRow) -> VersionRow:
        found = await self.session.scalars(
            select(self.versions).where(
                self.owner_id == row.id, self.versions.number == row.latest_number
            )
        )
        return found.one()

    async def page_versions(
        self, row_id: UUID, *, page: PageRequest
    ) -> Slice[tuple[VersionRow, str | None]]:
        """Each with the email of its author."""
        versions = self.versions
        statement = (
            select(versions, User.email)
            .outerjoin(User, User.id == versions.author_id)
            .where(self.owner_id == row_id)
        )
        sorting = Sorting(columns={"number": versions.number}, default="-number", id=versions.id)
        return await paginate(self.session, statement, page=page, sorting=sorting)

    async def get_version(self, row_id: UUID, version_id: UUID) -> VersionRow:
        versions = self.versions
        found = await self.session.scalar(
            select(versions).where(self.owner_id == row_id, versions.id == version_id)
        )
        if found is None:
            raise NotFound(f"There is no such version of this {self.noun}.")
        return found

    async def add_version(self, version: VersionRow) -> None:
        self.session.add(version)
        await self.session.flush()
