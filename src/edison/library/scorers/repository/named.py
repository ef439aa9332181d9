"""Queries shared by scorers and rubrics: named, versioned entities."""

from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, Select, String, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit.errors import NotFound
from edison.library.scorers.models import Rubric, RubricVersion, SavedScorer, ScorerVersion
from edison.workspace.accounts.models import User

Owner = TypeVar("Owner", SavedScorer, Rubric)
Version = TypeVar("Version", ScorerVersion, RubricVersion)


class NamedRows(Generic[Owner, Version]):
    owners: type[Owner]
    versions: type[Version]
    owner_column: str
    word: str

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    @property
    def owner_id(self) -> ColumnElement[UUID]:
        """The version's foreign key. A property: a SQLAlchemy attribute set on this class would act
        as a descriptor.
        """
        column: ColumnElement[UUID] = getattr(self.versions, self.owner_column)
        return column

    async def page(
        self, project_id: UUID, *, status: str, page: PageRequest, conditions: Any = ()
    ) -> Slice[tuple[Owner, Version, str | None]]:
        """Each with its latest version and the email of that version's author."""
        owners = self.owners
        statement = self._with_latest().where(owners.project_id == project_id, *conditions)
        if status != "all":
            is_active = owners.archived_at.is_(None)
            statement = statement.where(is_active if status == "active" else ~is_active)
        if page.q is not None:
            statement = statement.where(contains(owners.name, page.q))
        sorting = Sorting(
            columns={
                "updated_at": owners.updated_at,
                "created_at": owners.created_at,
                "name": func.lower(owners.name, type_=String()),
            },
            default="-updated_at",
            id=owners.id,
        )
        return await paginate(self._session, statement, page=page, sorting=sorting)

    async def get_with_latest(
        self, project_id: UUID, owner_id: UUID
    ) -> tuple[Owner, Version, str | None]:
        owners = self.owners
        statement = self._with_latest().where(
            owners.project_id == project_id, owners.id == owner_id
        )
        found = (
            await self._session.execute(statement.execution_options(populate_existing=True))
        ).one_or_none()
        if found is None:
            raise NotFound(f"There is no such {self.word}.")
        owner, version, author = found
        return owner, version, author

    def _with_latest(self) -> Select[*tuple[Owner, Version, str]]:
        owners, versions = self.owners, self.versions
        return (
            select(owners, versions, User.email)
            .join(
                versions,
                (self.owner_id == owners.id) & (versions.number == owners.latest_number),
            )
            .outerjoin(User, User.id == versions.author_id)
        )

    async def get(self, project_id: UUID, owner_id: UUID, *, to_change: bool = False) -> Owner:
        """`to_change` locks the row until the transaction ends. SQLite needs no lock: write
        transactions run alone.
        """
        owners = self.owners
        statement = select(owners).where(owners.project_id == project_id, owners.id == owner_id)
        if to_change:
            statement = statement.with_for_update(key_share=True)
        found = await self._session.scalar(statement.execution_options(populate_existing=True))
        if found is None:
            raise NotFound(f"There is no such {self.word}.")
        return found

    async def has_name(self, project_id: UUID, name: str) -> bool:
        owners = self.owners
        found = await self._session.scalar(
            select(owners.id).where(owners.project_id == project_id, owners.name == name)
        )
        return found is not None

    async def set_archived(self, owner_id: UUID, *, at: datetime | None) -> bool:
        """False when it already is in the requested state."""
        owners = self.owners
        is_archived = owners.archived_at.is_not(None)
        changed = await self._session.scalar(
            update(owners)
            .where(owners.id == owner_id, is_archived if at is None else ~is_archived)
            .values(archived_at=at)
            .returning(owners.id)
        )
        return changed is not None

    async def add(self, row: Owner | Version) -> None:
        self._session.add(row)
        await self._session.flush()

    async def remove(self, owner_id: UUID) -> None:
        await self._session.execute(delete(self.owners).where(self.owners.id == owner_id))

    async def page_versions(
        self, owner_id: UUID, *, page: PageRequest
    ) -> Slice[tuple[Version, str | None]]:
        versions = self.versions
        statement = (
            select(versions, User.email)
            .outerjoin(User, User.id == versions.author_id)
            .where(self.owner_id == owner_id)
        )
        sorting = Sorting(columns={"number": versions.number}, default="-number", id=versions.id)
        return await paginate(self._session, statement, page=page, sorting=sorting)

    async def get_version(self, owner_id: UUID, version_id: UUID) -> Version:
        versions = self.versions
        found = await self._session.scalars(
            select(versions).where(self.owner_id == owner_id, versions.id == version_id)
        )
        version = found.one_or_none()
        if version is None:
            raise NotFound(f"There is no such version of this {self.word}.")
        return version

    async def get_latest(self, owner: Owner) -> Version:
        found = await self._session.scalars(
            select(self.versions).where(
                self.owner_id == owner.id, self.versions.number == owner.latest_number
            )
        )
        return found.one()
