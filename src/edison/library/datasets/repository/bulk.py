"""Queries that change many cases at once, and undo it. Call `Datasets.touch` first.

Each statement handles all cases in the database, without loading them into the process.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.contents import MOST_TAGS
from edison.library.datasets.models import BulkChange, Case, CaseVersion
from edison.library.datasets.repository.cases import SHARED
from edison.library.datasets.repository.filters import (
    Condition,
    count_tags,
    has_tag,
    tag_text,
    with_tag,
    without_tag,
)

# Columns that a bulk change can change and undo restores.
_CHANGED = ("tags", "split")


class BulkChanges:
    def __init__(self, session: AsyncSession, dataset_id: UUID) -> None:
        self._session = session
        self._dataset_id = dataset_id

    async def count(self, conditions: Sequence[Condition]) -> int:
        return await self._session.scalar(select(func.count(Case.id)).where(*conditions)) or 0

    async def add_tags(self, change_id: UUID, tags: Sequence[str]) -> None:
        for tag in tags:
            await self._update(change_id, ~has_tag(tag), tags=with_tag(tag))

    async def remove_tags(self, change_id: UUID, tags: Sequence[str]) -> None:
        left = tag_text()
        for tag in tags:
            left = without_tag(left, tag)
        await self._update(change_id, tags=left)

    async def replace_tags(self, change_id: UUID, tags: Sequence[str], by: str) -> None:
        await self.remove_tags(change_id, [tag for tag in tags if tag != by])
        await self.add_tags(change_id, [by])

    async def set_split(self, change_id: UUID, split: str) -> None:
        await self._update(change_id, split=split)

    async def mark_changed(self, change_id: UUID, **values: Any) -> None:
        await self._update(change_id, version=Case.version + 1, **values)

    async def delete_kept(self, change_id: UUID) -> None:
        """Delete the cases that the change copied into the history."""
        await self._session.execute(delete(Case).where(Case.id.in_(self._touched_by(change_id))))

    async def count_overloaded(self, change_id: UUID) -> int:
        """Number of changed cases with more tags than allowed."""
        return await self.count(
            [Case.id.in_(self._touched_by(change_id)), count_tags() > MOST_TAGS]
        )

    async def _update(self, change_id: UUID, *conditions: Condition, **values: Any) -> None:
        statement = update(Case).where(Case.id.in_(self._touched_by(change_id)), *conditions)
        await self._session.execute(
            statement.values(**values), execution_options={"synchronize_session": False}
        )

    def _touched_by(self, change_id: UUID) -> Any:
        return select(CaseVersion.case_id).where(
            CaseVersion.dataset_id == self._dataset_id, CaseVersion.change_id == change_id
        )

    async def find_last(self) -> BulkChange | None:
        return await self._session.get(BulkChange, self._dataset_id)

    async def remember(self, change: BulkChange) -> None:
        """Make the change undoable, in place of the previous one."""
        last = await self.find_last()
        if last is not None:
            await self._forget_deleted(last)
            await self._session.delete(last)
            await self._session.flush()
        self._session.add(change)
        await self._session.flush()

    async def _forget_deleted(self, last: BulkChange) -> None:
        """Delete the history of deleted cases, once their deletion can no longer be undone."""
        if last.action == "delete":
            await self._session.execute(
                delete(CaseVersion).where(
                    CaseVersion.dataset_id == self._dataset_id,
                    CaseVersion.case_id.in_(self._touched_by(last.change_id)),
                    ~exists().where(Case.id == CaseVersion.case_id),
                )
            )

    async def forget(self, change: BulkChange) -> None:
        await self._session.delete(change)
        await self._session.flush()

    async def count_unchanged(self, change_id: UUID) -> int:
        """Number of cases that are still as the change left them."""
        statement = (
            select(func.count())
            .select_from(CaseVersion)
            .join(
                Case, (Case.id == CaseVersion.case_id) & (Case.version == CaseVersion.version + 1)
            )
            .where(CaseVersion.dataset_id == self._dataset_id, CaseVersion.change_id == change_id)
        )
        return await self._session.scalar(statement) or 0

    async def put_back(self, change_id: UUID, **values: Any) -> None:
        """Restore the changed cases' previous values, as a new version."""
        old = {name: getattr(CaseVersion, name) for name in _CHANGED}
        statement = (
            update(Case)
            .where(
                Case.id == CaseVersion.case_id,
                CaseVersion.dataset_id == self._dataset_id,
                CaseVersion.change_id == change_id,
            )
            .values(version=Case.version + 1, **old, **values)
        )
        await self._session.execute(statement, execution_options={"synchronize_session": False})

    async def bring_back(self, change_id: UUID) -> int:
        """Re-create the deleted cases, as a new version; returns how many."""
        columns = [
            CaseVersion.version + 1 if name == "version" else getattr(CaseVersion, name)
            for name in SHARED
        ]
        deleted = select(CaseVersion.case_id, *columns).where(
            CaseVersion.dataset_id == self._dataset_id, CaseVersion.change_id == change_id
        )
        result = await self._session.execute(insert(Case).from_select(["id", *SHARED], deleted))
        return int(result.rowcount)  # type: ignore[attr-defined]  # a CursorResult, for an insert

    def changed_by(self, change_id: UUID) -> list[Condition]:
        return [Case.id.in_(self._touched_by(change_id))]

    def lacking(self, tags: Sequence[str]) -> Condition:
        return or_(*(~has_tag(tag) for tag in tags))

    def having(self, tags: Sequence[str]) -> Condition:
        return or_(*(has_tag(tag) for tag in tags))

    async def delete_added(self, import_id: UUID) -> int:
        """Delete the cases of an addition that were not changed since; returns how many."""
        statement = delete(Case).where(
            Case.dataset_id == self._dataset_id, Case.import_id == import_id, Case.version == 1
        )
        result = await self._session.execute(
            statement, execution_options={"synchronize_session": False}
        )
        return int(result.rowcount)  # type: ignore[attr-defined]  # a CursorResult, for a delete
