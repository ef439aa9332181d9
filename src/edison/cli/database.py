"""`edison db`: schema upgrades."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from edison.cli.context import context_of

if TYPE_CHECKING:
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
