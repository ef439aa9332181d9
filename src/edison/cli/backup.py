"""`edison backup` and `edison restore`: the whole database in one file, for SQLite and
PostgreSQL.
"""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from edison.cli.context import context_of, fail
from edison.cli.server_lock import server_lock


def save(
    typer_context: typer.Context,
    target: Annotated[
        Path | None, typer.Argument(help="Output file. Default: in the data directory.")
    ] = None,
) -> None:
    """Back up the database to one file. Works while Edison is running."""
    from edison.db import backup
    from edison.kit import clock

    context = context_of(typer_context)
    settings = context.settings()
    if target is None:
        stamp = clock.now().strftime("%Y%m%dT%H%M%S")
        target = settings.data_dir / "backups" / f"edison-{stamp}.edison.zip"
    saved = asyncio.run(backup.save(settings.resolved_database_url, target))
    context.report(f"Backup saved to {saved}.", backup=saved)


def restore(
    typer_context: typer.Context,
    source: Annotated[Path, typer.Argument(help="Backup file from `edison backup`.")],
    replace: Annotated[bool, typer.Option(help="Replace a database that has data.")] = False,
) -> None:
    """Restore a backup into an empty database and upgrade its schema."""
    from edison.db import restore as restoring

    context = context_of(typer_context)
    settings = context.settings()
    if not source.is_file():
        fail(f"File not found: {source}.")
    context.usable_data_dir(settings)
    with server_lock(settings):
        asyncio.run(restoring.restore(source, settings.resolved_database_url, replace=replace))
    context.report(f"Restored from {source}.", restored=source)
