"""Bring a database to the program's schema: all or nothing, after a backup, one process at a time.

All pending revisions run in ONE transaction on both databases, so a killed upgrade leaves the old
schema untouched. Foreign keys are off while SQLite tables are rebuilt and checked before commit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from edison.db import backup
from edison.db.engine import open_engine
from edison.kit import clock
from edison.kit.errors import Conflict

# Any constant will do; it only has to differ from other advisory locks of the same database.
_UPGRADE_LOCK = 0x0ED1_50


class DatabaseIsNewer(Conflict):
    """Written by a later Edison; opening it could destroy data."""

    code = "DATABASE_IS_NEWER"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """`current` is None for an empty database."""

    current: str | None
    newest: str

    @property
    def is_current(self) -> bool:
        return self.current == self.newest


def revisions(location: str = "edison:migrations") -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", location)
    return ScriptDirectory.from_config(config)


async def read_state(engine: AsyncEngine, script: ScriptDirectory | None = None) -> SchemaState:
    """Where the database stands. Raises DatabaseIsNewer when this program does not know it."""
    script = script or revisions()
    newest = script.get_current_head()
    if newest is None:
        raise RuntimeError("This installation of Edison contains no migrations.")
    async with engine.connect() as connection:
        current = await connection.run_sync(
            lambda sync: MigrationContext.configure(sync).get_current_revision()
        )
    if current is not None:
        try:
            script.get_revision(current)
        except (CommandError, ResolutionError) as unknown:
            raise DatabaseIsNewer(
                f"The database was written by a newer Edison (schema {current}; this program knows "
                f"up to {newest}). Install that version or restore an older backup."
            ) from unknown
    return SchemaState(current=current, newest=newest)


async def upgrade(
    url: str, *, backup_dir: Path, script: ScriptDirectory | None = None
) -> Path | None:
    """Upgrade to the newest schema; returns the backup made first, if one was needed."""
    script = script or revisions()
    engine = open_engine(url, pooled=False, foreign_keys=False)
    try:
        state = await read_state(engine, script)
        if state.is_current:
            return None
        saved = None
        if state.current is not None:
            stamp = clock.now().strftime("%Y%m%dT%H%M%S")
            saved = await backup.save(url, backup_dir / f"before-{state.newest}-{stamp}.edison.zip")
        await _run(engine, script)
        return saved
    finally:
        await engine.dispose()


async def _run(engine: AsyncEngine, script: ScriptDirectory) -> None:
    is_sqlite = engine.dialect.name == "sqlite"
    async with engine.begin() as connection:
        if not is_sqlite:
            await connection.execute(
                text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK}
            )
        await connection.run_sync(_apply, script)
        if is_sqlite:
            await connection.run_sync(_check_references)


def _apply(connection: Connection, script: ScriptDirectory) -> None:
    def steps(revision: str, _context: MigrationContext) -> list[Callable[..., object]]:
        # Read inside the transaction: whoever waited for the lock finds nothing left to do.
        return script._upgrade_revs("head", revision)  # type: ignore[return-value]  # untyped list

    config = Config()
    config.attributes["connection"] = connection
    with EnvironmentContext(config, script, fn=steps):
        script.run_env()


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise Conflict(
            f"The upgrade would leave {len(broken)} dangling references; nothing was changed."
        )
