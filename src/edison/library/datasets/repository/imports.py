"""Queries of imports."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.datasets.models import CaseImport, CaseImportBlock

_ABSENT = "There is no such import, or it has expired."


class CaseImports:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, wanted: CaseImport) -> None:
        self._session.add(wanted)
        await self._session.flush()

    async def add_block(self, import_id: UUID, number: int, content: bytes) -> None:
        self._session.add(CaseImportBlock(import_id=import_id, number=number, content=content))
        await self._session.flush()

    async def find_block(self, import_id: UUID, number: int) -> bytes | None:
        statement = select(CaseImportBlock.content).where(
            CaseImportBlock.import_id == import_id, CaseImportBlock.number == number
        )
        return await self._session.scalar(statement)

    async def get_state(self, import_id: UUID) -> str:
        statement = select(CaseImport.state).where(CaseImport.id == import_id)
        state = await self._session.scalar(statement)
        if state is None:
            raise NotFound(_ABSENT)
        return state

    async def get(self, dataset_id: UUID, import_id: UUID) -> CaseImport:
        statement = select(CaseImport).where(
            CaseImport.dataset_id == dataset_id,
            CaseImport.id == import_id,
            CaseImport.state != "uploading",
        )
        found = await self._session.scalar(statement)
        if found is None:
            raise NotFound(_ABSENT)
        return found

    async def change(self, import_id: UUID, *, was: str, **values: Any) -> CaseImport | None:
        """The changed import; None unless it was in state `was`."""
        statement = (
            update(CaseImport)
            .where(CaseImport.id == import_id, CaseImport.state == was)
            .values(**values)
            .returning(CaseImport)
        )
        return await self._session.scalar(statement, execution_options={"populate_existing": True})

    async def remove(self, import_id: UUID) -> None:
        await self._session.execute(delete(CaseImport).where(CaseImport.id == import_id))

    async def remove_blocks(self, import_id: UUID) -> None:
        await self._session.execute(
            delete(CaseImportBlock).where(CaseImportBlock.import_id == import_id)
        )

    async def remove_others(self, kept: CaseImport) -> None:
        """A user has one pending file per dataset; the latest replaces the others."""
        await self._session.execute(
            delete(CaseImport).where(
                CaseImport.dataset_id == kept.dataset_id,
                CaseImport.author_id == kept.author_id,
                CaseImport.state == "pending",
                CaseImport.id != kept.id,
            )
        )

    async def remove_expired(self, moment: datetime) -> None:
        await self._session.execute(delete(CaseImport).where(CaseImport.expires_at <= moment))
