"""Queries of models."""

from collections.abc import Sequence
from typing import cast
from uuid import UUID

from sqlalchemy import Select, Table, bindparam, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.db.prepared import PreparedEntities
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.library.models.models import Model
from edison.library.models.schemas import ModelFilter
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Project

Registered = tuple[Model, Credential]

_SORTING = Sorting(
    columns={
        "display_name": Model.display_name,
        "provider_model": Model.provider_model,
        "created_at": Model.created_at,
    },
    default="display_name",
    id=Model.id,
)

_MODELS = cast(Table, Model.__table__)
_CREDENTIALS = cast(Table, Credential.__table__)
_MODEL = PreparedEntities(
    Model,
    lambda _: select(_MODELS).where(
        _MODELS.c.project_id == bindparam("of_project"), _MODELS.c.id == bindparam("of_model")
    ),
)
_CREDENTIAL = PreparedEntities(
    Credential,
    lambda _: select(_CREDENTIALS).where(_CREDENTIALS.c.id == bindparam("of_credential")),
)


class Models:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(
        self, project_id: UUID, *, page: PageRequest, wanted: ModelFilter
    ) -> Slice[Registered]:
        statement = _of_project(project_id)
        if page.q is not None:
            statement = statement.where(
                or_(contains(Model.display_name, page.q), contains(Model.provider_model, page.q))
            )
        if wanted.provider is not None:
            statement = statement.where(Credential.provider == wanted.provider)
        if wanted.credential_id is not None:
            statement = statement.where(Model.credential_id == wanted.credential_id)
        if wanted.is_enabled is not None:
            statement = statement.where(Model.is_enabled == wanted.is_enabled)
        return await paginate(self._session, statement, page=page, sorting=_SORTING)

    async def list_enabled(self, project_id: UUID) -> Sequence[Registered]:
        """Only models whose credential passed its last test."""
        statement = _of_project(project_id).where(
            Model.is_enabled, Credential.tested_at.is_not(None), Credential.failure.is_(None)
        )
        rows = await self._session.execute(statement.order_by(Model.display_name, Model.id))
        return [(model, credential) for model, credential in rows]

    async def get(self, project_id: UUID, model_id: UUID) -> Registered:
        rows = await self._session.execute(_of_project(project_id).where(Model.id == model_id))
        found = rows.one_or_none()
        if found is None:
            raise NotFound("There is no such model.")
        return found[0], found[1]

    async def read(self, project_id: UUID, model_id: UUID) -> Registered:
        """Like `get`, in a fraction of the time, but not to be changed."""
        model = await _MODEL.find(self._session, of_project=project_id, of_model=model_id)
        if model is not None:
            found = await _CREDENTIAL.find(self._session, of_credential=model.credential_id)
            if found is not None:
                return model, found
        raise NotFound("There is no such model.")

    async def is_kept(self, model_id: UUID) -> bool:
        """Locks its row against deletion."""
        found = await self._session.scalar(
            select(Model.id).where(Model.id == model_id).with_for_update(key_share=True, read=True)
        )
        return found is not None

    async def list_all(self, project_id: UUID) -> Sequence[Registered]:
        rows = await self._session.execute(_of_project(project_id))
        return [(model, credential) for model, credential in rows]

    async def lock_project(self, project_id: UUID) -> None:
        """Lock the project row, to serialise decisions that depend on several models. SQLite has no
        row locks and needs none: write transactions run alone.
        """
        await self._session.execute(
            select(Project.id).where(Project.id == project_id).with_for_update(key_share=True)
        )

    async def find_credential(
        self, project_id: UUID, credential_id: UUID, *, is_kept: bool = False
    ) -> Credential | None:
        """`is_kept` locks the row, so that it cannot be deleted before the transaction ends."""
        statement = select(Credential).where(
            Credential.project_id == project_id, Credential.id == credential_id
        )
        if is_kept:
            statement = statement.with_for_update(read=True, key_share=True)
        return await self._session.scalar(statement)

    async def list_names(self, project_id: UUID) -> set[str]:
        found = await self._session.scalars(
            select(Model.display_name).where(Model.project_id == project_id)
        )
        return set(found)

    async def has_name(self, project_id: UUID, name: str, *, but: UUID | None = None) -> bool:
        statement = select(Model.id).where(
            Model.project_id == project_id, Model.display_name == name
        )
        if but is not None:
            statement = statement.where(Model.id != but)
        return await self._session.scalar(statement) is not None

    async def list_registered_names(self, credential_id: UUID) -> set[str]:
        """The provider's names of the models that use the credential."""
        found = await self._session.scalars(
            select(Model.provider_model).where(Model.credential_id == credential_id)
        )
        return set(found)

    async def list_names_using(self, credential_id: UUID) -> Sequence[str]:
        statement = (
            select(Model.display_name)
            .where(Model.credential_id == credential_id)
            .order_by(Model.display_name)
        )
        return (await self._session.scalars(statement)).all()

    async def has_any(self, project_id: UUID) -> bool:
        statement = select(Model.id).where(Model.project_id == project_id).limit(1)
        return await self._session.scalar(statement) is not None

    async def clear_default(self, project_id: UUID) -> None:
        await self._session.execute(
            update(Model)
            .where(Model.project_id == project_id, Model.is_default)
            .values(is_default=False)
        )

    async def switch(
        self, project_id: UUID, model_ids: set[UUID], *, is_enabled: bool
    ) -> set[UUID]:
        """Returns the ids that were found."""
        found = await self._session.scalars(
            update(Model)
            .where(Model.project_id == project_id, Model.id.in_(model_ids))
            .values(is_enabled=is_enabled, updated_at=clock.now())
            .returning(Model.id)
        )
        return set(found)

    async def remove(self, model_id: UUID) -> None:
        await self._session.execute(delete(Model).where(Model.id == model_id))


def _of_project(project_id: UUID) -> Select[*tuple[Model, Credential]]:
    return (
        select(Model, Credential)
        .join(Credential, Credential.id == Model.credential_id)
        .where(Model.project_id == project_id)
    )
