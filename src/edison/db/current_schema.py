"""Checks the schema revision of a database without Alembic, which is slow to import."""

from functools import cache
from importlib.resources import files

from sqlalchemy import text
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncEngine


async def is_current(engine: AsyncEngine) -> bool:
    """False for an older, a newer and an empty database; see `migrate.read_state`."""
    return await _stored_revision(engine) == newest_revision()


async def find_newer_revision(engine: AsyncEngine) -> str | None:
    """The database's revision if a later Edison has upgraded it, else None."""
    stored = await _stored_revision(engine)
    return stored if stored is not None and stored > newest_revision() else None


async def _stored_revision(engine: AsyncEngine) -> str | None:
    async with engine.execution_options(writes=False).connect() as connection:
        try:
            stored: str | None = await connection.scalar(
                text("SELECT version_num FROM alembic_version")
            )
        except (OperationalError, ProgrammingError):
            # No such table or no database; the upgrade distinguishes them.
            return None
    return stored


@cache
def newest_revision() -> str:
    """The highest revision number among the file names."""
    names = [entry.name for entry in files("edison.migrations").joinpath("versions").iterdir()]
    return max(name.split("_")[0] for name in names if name[0].isdigit())
