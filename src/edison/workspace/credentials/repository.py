"""Queries of credentials."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit.errors import NotFound
from edison.workspace.credentials.models import Credential

_SORTING = Sorting(
    columns={"label": Credential.label, "created_at": Credential.created_at},
    default="label",
    id=Credential.id,
)


class Credentials:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[Credential]:
        statement = select(Credential).where(Credential.project_id == project_id)
        if page.q is not None:
            statement = statement.where(contains(Credential.label, page.q))
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def get(self, project_id: UUID, credential_id: UUID) -> Credential:
        found = await self._session.scalar(
            select(Credential).where(
                Credential.project_id == project_id, Credential.id == credential_id
            )
        )
        if found is None:
            raise NotFound("There is no such credential.")
        return found

    async def has_label(self, project_id: UUID, label: str, *, but: UUID | None = None) -> bool:
        statement = select(Credential.id).where(
            Credential.project_id == project_id, Credential.label == label
        )
        if but is not None:
            statement = statement.where(Credential.id != but)
        return await self._session.scalar(statement) is not None

    async def find_by_label(self, project_id: UUID, label: str) -> Credential | None:
        found = await self._session.scalars(
            select(Credential).where(Credential.project_id == project_id, Credential.label == label)
        )
        return found.one_or_none()

    async def list_of_provider(self, project_id: UUID, provider: str) -> list[Credential]:
        """The default one first, then by age."""
        found = await self._session.scalars(
            select(Credential)
            .where(Credential.project_id == project_id, Credential.provider == provider)
            .order_by(Credential.is_default.desc(), Credential.created_at, Credential.id)
        )
        return list(found)

    async def has_default(self, project_id: UUID, provider: str) -> bool:
        statement = select(Credential.id).where(
            Credential.project_id == project_id,
            Credential.provider == provider,
            Credential.is_default,
        )
        return await self._session.scalar(statement) is not None

    async def clear_default(self, project_id: UUID, provider: str) -> None:
        await self._session.execute(
            update(Credential)
            .where(Credential.project_id == project_id, Credential.provider == provider)
            .values(is_default=False)
        )

    async def note_test(self, credential_id: UUID, *, at: datetime, failure: str | None) -> None:
        await self._session.execute(
            update(Credential)
            .where(Credential.id == credential_id)
            .values(tested_at=at, failure=failure)
        )

    async def remove(self, credential_id: UUID) -> None:
        await self._session.execute(delete(Credential).where(Credential.id == credential_id))
