"""`edison backup` and `edison restore`: the whole database in one file, for SQLite and
PostgreSQL.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from edison.cli.context import context_of, fail
from edison.cli.server_lock import server_lock

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


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
    context = context_of(typer_context)
    settings = context.settings()
    if not source.is_file():
        fail(f"File not found: {source}.")
    context.usable_data_dir(settings)
    with server_lock(settings):
        paused = asyncio.run(_restore(source, settings.resolved_database_url, replace=replace))
    note = f" {paused} monitors are paused until a member resumes them." if paused else ""
    context.report(f"Restored from {source}.{note}", restored=source, paused_monitors=paused)


async def _restore(source: Path, url: str, *, replace: bool) -> int:
    """Returns the number of monitors that were paused."""
    from edison.db import restore as restoring
    from edison.loops.monitors import pause

    paused = 0

    async def finish(connection: "AsyncConnection") -> None:
        nonlocal paused
        paused = await pause.pause_all_restored(connection)

    await restoring.restore(source, url, replace=replace, finish=finish)
    return paused
