"""Engines for SQLite and PostgreSQL with the same guarantees.

SQLite: write-ahead log, foreign keys on, a busy timeout, and explicit transactions. Python's
sqlite3 would begin them late and commit before DDL; with `isolation_level=None` a transaction means
the same on both databases. A writing transaction takes the write lock at its start (`BEGIN
IMMEDIATE`), since upgrading a read lock later fails at once instead of waiting.
"""

import os
import sqlite3
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from edison.db.pool import FairPool
from edison.db.postgresql_driver import ping_after_rest
from edison.db.sqlite_driver import begin, make_few_trips
from edison.kit import process

BUSY_TIMEOUT_SECONDS = 10
POOL_WAIT_SECONDS = 30.0
POOL_SIZE = 20
# Memory-mapped reads are shared by all connections instead of being copied into a page cache per
# connection: searching ten thousand cases takes a third less time.
MAPPED_BYTES = 64_000_000
# Commits survive a power cut.
SYNCHRONOUS = "FULL"
# Commits append to a log of up to this many pages (16 MB) before its pages are copied to the
# database. A run changes many pages several times, and each is copied once.
LOG_PAGES = 4000


def to_json(value: Any) -> str:
    return orjson.dumps(value).decode()


def open_engine(
    url: str,
    *,
    pooled: bool = True,
    foreign_keys: bool = True,
    mapped_bytes: int = MAPPED_BYTES,
    pool_size: int = POOL_SIZE,
    wait_seconds: float = POOL_WAIT_SECONDS,
) -> AsyncEngine:
    """An engine for `url`. Connects on first use.

    Only migrations turn `foreign_keys` off: SQLite rebuilds tables, and dropping the old one would
    cascade. `mapped_bytes` of a SQLite file are read through a memory map.
    """
    options: dict[str, Any] = {
        "json_serializer": to_json,
        "json_deserializer": orjson.loads,
        # Error messages would put parameter values, which may be secrets, into logs.
        "hide_parameters": True,
    }
    if pooled:
        options |= {
            "poolclass": FairPool,
            "pool_size": pool_size,
            "max_overflow": 0,
            "pool_timeout": wait_seconds,
            # The connection used last has the warmest cache; others touch no memory.
            "pool_use_lifo": True,
        }
    else:
        options["poolclass"] = NullPool
    if url.startswith("sqlite"):
        if not pooled:
            _require_openable(url)
        engine = create_async_engine(
            url,
            connect_args={
                "isolation_level": None,
                "timeout": BUSY_TIMEOUT_SECONDS,
                # Used by one thread at a time, but not always the same one: see `sqlite_driver`.
                "check_same_thread": False,
            },
            **options,
        )
        _prepare_sqlite(engine, foreign_keys=foreign_keys, mapped_bytes=mapped_bytes)
        return engine
    own_name = session_name(os.getpid(), process.started_at())
    engine = create_async_engine(
        url,
        connect_args={"timeout": 10, "server_settings": {"application_name": own_name}},
        **options,
    )
    if pooled:
        ping_after_rest(engine)
    return engine


def _require_openable(url: str) -> None:
    """Raises sqlite3.OperationalError. If aiosqlite fails to open a file, it leaves a thread, which
    may outlive the event loop of a command and end with a traceback.
    """
    name = make_url(url).database
    if name and name != ":memory:" and not name.startswith("file:"):
        sqlite3.connect(name).close()


def longest_wait(engine: AsyncEngine) -> float:
    """How long to wait for a connection, or for a turn to write."""
    pool = engine.pool
    return pool.waiting_room.timeout_seconds if isinstance(pool, FairPool) else POOL_WAIT_SECONDS


def session_name(pid: int, started_at: datetime) -> str:
    """The `application_name` of a process on PostgreSQL, by which others find its sessions."""
    return f"edison {pid} {started_at.timestamp():.6f}"


def _prepare_sqlite(engine: AsyncEngine, *, foreign_keys: bool, mapped_bytes: int) -> None:
    make_few_trips(engine)

    @event.listens_for(engine.sync_engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
            cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_SECONDS * 1000}")
            cursor.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
            cursor.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
            cursor.execute(f"PRAGMA mmap_size={mapped_bytes}")
        except BaseException:
            # Otherwise its thread outlives the event loop and prints a traceback.
            connection.close()
            raise
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        begin(connection, writes=connection.get_execution_options().get("writes", True))
