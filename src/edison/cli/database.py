"""`edison db`: upgrades."""

import asyncio

import typer

from edison.cli.context import context_of


def upgrade(typer_context: typer.Context) -> None:
    """Bring the database to this program's schema, after a backup."""
    from edison.db import migrate

    context = context_of(typer_context)
    settings = context.settings()
    folder = context.usable_data_dir(settings)
    saved = asyncio.run(
        migrate.upgrade(settings.resolved_database_url, backup_dir=folder / "backups")
    )
    text = "The database is up to date."
    if saved is not None:
        text += f" A backup of the old one is at {saved}."
    context.report(text, backup=saved)
