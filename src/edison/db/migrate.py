"""Schema upgrades: atomic, after a backup, by one process at a time.

All pending revisions run in ONE transaction on both databases, so a killed upgrade leaves the old
schema untouched. Foreign keys are off while SQLite tables are rebuilt and checked before commit.
"""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError
from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from edison.db import backup
from edison.db.current_schema import newest_revision
from edison.db.engine import open_engine
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.kit.lazy_dataclasses import dataclass

# An arbitrary constant, different from other advisory locks of the same database.
_UPGRADE_LOCK = 0x0ED1_50
# Lock wait on SQLite while another process upgrades a large database.
_UPGRADE_WAIT_MILLISECONDS = 600_000


class DatabaseIsNewer(Conflict):
    """The database was written by a later Edison; opening it could destroy data."""

    code = "DATABASE_IS_NEWER"


class DatabaseIsTooOld(Conflict):
    """The database is older than the baseline revision, so it cannot be upgraded."""

    code = "DATABASE_IS_TOO_OLD"


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


def is_known(script: ScriptDirectory, revision: str) -> bool:
    try:
        return script.get_revision(revision) is not None
    except (CommandError, ResolutionError):
        return False


async def read_state(engine: AsyncEngine, script: ScriptDirectory | None = None) -> SchemaState:
    """The revision of the database. Raises DatabaseIsNewer or DatabaseIsTooOld."""
    # Health checks call this, so it must not take SQLite's write lock.
    async with engine.execution_options(writes=False).connect() as connection:
        return await connection.run_sync(_read_state, script or revisions())


async def upgrade(
    url: str, *, backup_dir: Path, script: ScriptDirectory | None = None
) -> Path | None:
    """Upgrades to the newest schema. Returns the backup made before it, if any."""
    script = script or revisions()
    engine = open_engine(url, pooled=False, foreign_keys=False)
    try:
        state = await read_state(engine, script)
        if state.is_current:
            return None
        saved = None
        if state.current is not None:
            saved = await backup.save(url, backup_dir / _backup_name(state))
        async with changing_schema(engine) as connection:
            await connection.run_sync(apply, script)
        return saved
    finally:
        await engine.dispose()


def _backup_name(state: SchemaState) -> str:
    # Two processes may start an upgrade in the same second.
    stamp = f"{clock.now():%Y%m%dT%H%M%S}-{secrets.token_hex(2)}"
    return f"before-{state.newest}-{stamp}.edison.zip"


@asynccontextmanager
async def changing_schema(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One exclusive transaction across all processes; `engine` must have foreign keys off."""
    is_sqlite = engine.dialect.name == "sqlite"
    if is_sqlite:
        event.listen(engine.sync_engine, "connect", _wait_patiently)
    async with engine.begin() as connection:
        if not is_sqlite:
            await connection.execute(
                text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK}
            )
        yield connection
        if is_sqlite:
            await connection.run_sync(_check_references)


def apply(connection: Connection, script: ScriptDirectory, revision: str = "head") -> None:
    """Brings the schema to `revision` in the connection's transaction: an empty database to the
    newest schema in one step, from the models, all others by the pending revisions.
    """
    from alembic import command

    # Read again inside the transaction: another process may have upgraded in the meantime.
    state = _read_state(connection, script)
    is_of_models = state.newest == newest_revision() and revision in {"head", state.newest}
    config = Config()
    config.set_main_option("script_location", script.dir.replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["creates_schema"] = state.current is None and is_of_models
    command.upgrade(config, revision)


def _read_state(connection: Connection, script: ScriptDirectory) -> SchemaState:
    newest = script.get_current_head()
    if newest is None:
        raise RuntimeError("This installation of Edison contains no migrations.")
    current = MigrationContext.configure(connection).get_current_revision()
    oldest = script.get_base()
    if current is not None and not is_known(script, current):
        if oldest is not None and current < oldest:
            raise DatabaseIsTooOld(
                f"The database is from a pre-release of Edison (schema {current}; this program "
                f"upgrades from {oldest}). Open it once with the last pre-release, or begin with a "
                "new database."
            )
        raise DatabaseIsNewer(
            f"The database was written by a newer Edison (schema {current}; this program knows "
            f"up to {newest}). Install that version or restore an older backup."
        )
    return SchemaState(current=current, newest=newest)


def _wait_patiently(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_UPGRADE_WAIT_MILLISECONDS}")
    cursor.close()


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise Conflict(f"This would leave {len(broken)} dangling references; nothing was changed.")
