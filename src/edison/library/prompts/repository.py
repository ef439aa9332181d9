"""Queries of prompts, drafts and versions."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.workspace.accounts.models import User
from edison.workspace.resources.repository import Resources

_VERSIONS = Sorting(
    columns={"sequence": PromptVersion.sequence}, default="-sequence", id=PromptVersion.id
)
# Everything but the texts, which lists do not show.
SUMMARY_COLUMNS = (
    "id",
    "name",
    "number",
    "sequence",
    "parent_id",
    "origin",
    "changelog",
    "is_production",
    "created_at",
)


class Prompts(Resources[Prompt]):
    """`to_change` of `get` locks the draft and the versions too: their writers lock the prompt."""

    table = Prompt

    async def find_by_name(self, project_id: UUID, name: str) -> Prompt | None:
        """The prompt with this name, or else the last one that had it."""
        current = await self.session.scalar(
            select(Prompt).where(Prompt.project_id == project_id, Prompt.name == name)
        )
        if current is not None:
            return current
        return await self.session.scalar(
            select(Prompt)
            .join(PromptVersion, PromptVersion.prompt_id == Prompt.id)
            .where(Prompt.project_id == project_id, PromptVersion.name == name)
            .order_by(PromptVersion.created_at.desc(), PromptVersion.id.desc())
            .limit(1)
        )

    async def touch(self, prompt: Prompt) -> None:
        """Update `updated_at`, so the prompt is first in lists."""
        prompt.updated_at = clock.now()
        await self.session.flush()

    async def add_draft(self, draft: PromptDraft) -> None:
        self.session.add(draft)
        await self.session.flush()

    async def get_draft(self, prompt_id: UUID) -> PromptDraft:
        found = await self.session.get(PromptDraft, prompt_id, populate_existing=True)
        if found is None:
            raise self.not_found()
        return found

    async def list_drafts(self, prompt_ids: Collection[UUID]) -> Sequence[PromptDraft]:
        statement = select(PromptDraft).where(PromptDraft.prompt_id.in_(prompt_ids))
        return (await self.session.scalars(statement)).all()

    async def save_draft(
        self, prompt_id: UUID, *, version: int, values: dict[str, Any]
    ) -> PromptDraft | None:
        """None when `version` is not the current one."""
        return await self.session.scalar(
            update(PromptDraft)
            .where(PromptDraft.prompt_id == prompt_id, PromptDraft.version == version)
            .values(version=version + 1, updated_at=clock.now(), **values)
            .returning(PromptDraft)
            .execution_options(populate_existing=True)
        )

    async def set_draft_parent(self, prompt_id: UUID, parent_id: UUID) -> None:
        """Not an edit: keeps the draft's version."""
        await self.session.execute(
            update(PromptDraft)
            .where(PromptDraft.prompt_id == prompt_id)
            .values(parent_id=parent_id)
        )


class Versions:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_prompt(self, prompt_id: UUID, *, page: PageRequest) -> Slice[tuple[Any, ...]]:
        """The author's email, then the `SUMMARY_COLUMNS`."""
        columns = [getattr(PromptVersion, name) for name in SUMMARY_COLUMNS]
        statement = (
            select(User.email, *columns)
            .select_from(PromptVersion)
            .outerjoin(User, User.id == PromptVersion.author_id)
            .where(PromptVersion.prompt_id == prompt_id)
        )
        if page.q is not None:
            statement = statement.where(
                or_(contains(PromptVersion.changelog, page.q), contains(PromptVersion.name, page.q))
            )
        return await paginate(self._session, statement, page=page, sorting=_VERSIONS)

    async def get(self, prompt_id: UUID, version_id: UUID) -> PromptVersion:
        found = await self._session.scalar(
            select(PromptVersion).where(
                PromptVersion.prompt_id == prompt_id, PromptVersion.id == version_id
            )
        )
        if found is None:
            raise NotFound("There is no such version of this prompt.")
        return found

    async def find_latest(self, prompt_id: UUID) -> PromptVersion | None:
        return await self._session.scalar(
            select(PromptVersion)
            .where(PromptVersion.prompt_id == prompt_id)
            .order_by(PromptVersion.sequence.desc())
            .limit(1)
        )

    async def find_latest_digest(self, prompt_id: UUID) -> str | None:
        return await self._session.scalar(
            select(PromptVersion.digest)
            .where(PromptVersion.prompt_id == prompt_id)
            .order_by(PromptVersion.sequence.desc())
            .limit(1)
        )

    async def find_production(self, prompt_id: UUID) -> PromptVersion | None:
        return await self._session.scalar(
            select(PromptVersion).where(
                PromptVersion.prompt_id == prompt_id, PromptVersion.is_production
            )
        )

    async def find_numbered(self, prompt_id: UUID, name: str, number: int) -> PromptVersion | None:
        return await self._session.scalar(
            select(PromptVersion).where(
                PromptVersion.prompt_id == prompt_id,
                PromptVersion.name == name,
                PromptVersion.number == number,
            )
        )

    async def highest_number(self, prompt_id: UUID, name: str) -> int:
        """0 when no version was made under this name."""
        highest = await self._session.scalar(
            select(func.max(PromptVersion.number)).where(
                PromptVersion.prompt_id == prompt_id, PromptVersion.name == name
            )
        )
        return highest or 0

    async def list_marks(
        self, prompt_ids: Collection[UUID]
    ) -> Sequence[tuple[UUID, UUID, str, int, str | None, bool, bool]]:
        """The latest and the production version of each prompt: (prompt, version, name, number,
        author's email, is latest, is production).
        """
        newest = (
            select(
                PromptVersion.prompt_id.label("prompt_id"),
                func.max(PromptVersion.sequence).label("sequence"),
            )
            .where(PromptVersion.prompt_id.in_(prompt_ids))
            .group_by(PromptVersion.prompt_id)
            .subquery()
        )
        is_latest = PromptVersion.sequence == newest.c.sequence
        rows = await self._session.execute(
            select(
                PromptVersion.prompt_id,
                PromptVersion.id,
                PromptVersion.name,
                PromptVersion.number,
                User.email,
                is_latest,
                PromptVersion.is_production,
            )
            .join(newest, newest.c.prompt_id == PromptVersion.prompt_id)
            .outerjoin(User, User.id == PromptVersion.author_id)
            .where(or_(is_latest, PromptVersion.is_production))
        )
        return rows.all()

    async def add(self, version: PromptVersion) -> PromptVersion:
        self._session.add(version)
        await self._session.flush()
        return version

    async def set_production(self, prompt_id: UUID, version: PromptVersion | None) -> None:
        """Call it while the prompt is locked. Clears the old mark before setting the new one,
        because the mark is unique.
        """
        await self._session.execute(
            update(PromptVersion)
            .where(PromptVersion.prompt_id == prompt_id, PromptVersion.is_production)
            .values(is_production=False)
        )
        if version is not None:
            await self._session.execute(
                update(PromptVersion)
                .where(PromptVersion.id == version.id)
                .values(is_production=True)
            )
