"""The search in a project: what begins with the text first, then the latest."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.insights.search.repository import find_recent
from edison.insights.search.schemas import FoundRead

MOST_FOUND = 20


async def search(session: AsyncSession, *, project_id: UUID, text: str) -> list[FoundRead]:
    """Without a text, the latest things. Archived ones are left out."""
    wanted = text.strip()
    found = await find_recent(session, project_id, wanted or None, limit=MOST_FOUND)
    begins = wanted.casefold()
    ordered = sorted(found, key=lambda each: each.at, reverse=True)
    ordered.sort(key=lambda each: not each.name.casefold().startswith(begins))
    return ordered[:MOST_FOUND]
