"""Operations shared by scorers and rubrics, which are both named and versioned."""

from collections.abc import Iterator
from itertools import count
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock
from edison.kit.errors import Conflict
from edison.library.scorers.errors import Archived, DuplicateName
from edison.library.scorers.events import note
from edison.library.scorers.models import Rubric, SavedScorer
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.repository.scorers import Scorers
from edison.library.scorers.schemas import NamedChange

LONGEST_NAME = 100

Rows = Scorers | Rubrics


async def check_name(rows: Rows, project_id: UUID, name: str) -> None:
    """Raises DuplicateName."""
    if await rows.has_name(project_id, name):
        raise DuplicateName(rows.word)


def check_active(named: SavedScorer | Rubric, word: str) -> None:
    """Raises Archived."""
    if named.archived_at is not None:
        raise Archived(word)


async def rename(
    session: AsyncSession, rows: Rows, *, project_id: UUID, owner_id: UUID, change: NamedChange
) -> None:
    named = await rows.get(project_id, owner_id, to_change=True)
    check_active(named, rows.word)
    wanted = change.model_dump(include=change.model_fields_set)
    changed = {field: value for field, value in wanted.items() if getattr(named, field) != value}
    before = {field: getattr(named, field) for field in changed}
    if "name" in changed:
        await check_name(rows, project_id, changed["name"])
    for field, value in changed.items():
        setattr(named, field, value)
    await session.flush()
    await note(session, named, "changed", before=before, after=changed)


async def set_archived(
    session: AsyncSession, rows: Rows, *, project_id: UUID, owner_id: UUID, is_archived: bool
) -> None:
    named = await rows.get(project_id, owner_id, to_change=True)
    if not await rows.set_archived(owner_id, at=clock.now() if is_archived else None):
        state = "already" if is_archived else "not"
        raise Conflict(f"This {rows.word} is {state} archived.")
    await note(session, named, "archived" if is_archived else "unarchived")


async def free_copy_name(rows: Rows, original: SavedScorer | Rubric) -> str:
    names = _copy_names(original.name)
    name = next(names)
    while await rows.has_name(original.project_id, name):
        name = next(names)
    return name


def _copy_names(name: str) -> Iterator[str]:
    """`Name copy`, `Name copy 2`, … within the allowed length."""
    for number in count(1):
        suffix = " copy" if number == 1 else f" copy {number}"
        yield name[: LONGEST_NAME - len(suffix)].rstrip() + suffix
