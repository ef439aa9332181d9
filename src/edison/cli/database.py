"""`edison db`: schema upgrades, also of commands that upgrade when they start."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from edison.cli.context import context_of

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

    from edison.settings import Settings


def upgrade(typer_context: typer.Context) -> None:
    """Upgrade the database schema, after a backup."""
    context = context_of(typer_context)
    settings = context.settings()
    folder = context.usable_data_dir(settings)
    saved = asyncio.run(_upgrade(settings, backup_dir=folder / "backups"))
    text = "The database is up to date."
    if saved is not None:
        text += f" Backup of the old database: {saved}."
    context.report(text, backup=saved)


async def _upgrade(settings: "Settings", *, backup_dir: Path) -> Path | None:
    from edison.db import migrate
    from edison.db.engine import open_engine
    from edison.jobs.distributed import install

    saved = await migrate.upgrade(settings.resolved_database_url, backup_dir=backup_dir)
    if not settings.is_embedded:
        engine = open_engine(settings.resolved_database_url, pooled=False)
        await install(engine)
        await engine.dispose()
    return saved


async def make_current(settings: "Settings", engine: "AsyncEngine") -> None:
    """Upgrade an older schema, after a backup. Raises Conflict on PostgreSQL, which only
    `edison db upgrade` changes.
    """
    from edison.db.current_schema import is_current

    if await is_current(engine):
        return
    from edison.db import migrate
    from edison.kit.errors import Conflict

    if settings.is_embedded:
        backups = settings.data_dir / "backups"
        await migrate.upgrade(settings.resolved_database_url, backup_dir=backups)
    elif not (await migrate.read_state(engine)).is_current:
        raise Conflict("The database needs an upgrade first: run `edison db upgrade`.")
