"""Shared fixtures: a database, an application on it, and browsers that talk to it."""

import gc
import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import bcrypt
import httpx
import hypothesis
import pytest
from asgi_lifespan import LifespanManager
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import Engine
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

import edison.db.engine
import edison.jobs.heartbeat
import edison.jobs.lifecycle
import edison.jobs.sweep
import edison.kit.key_files
from edison.app.main import create_app
from edison.kit import clock
from edison.settings import Settings
from edison.workspace.accounts import passwords
from edison.workspace.accounts.models import User
from edison.workspace.accounts.signing_keys import add_key
from tests.factories.accounts import make_person
from tests.support.browser import Browser
from tests.support.databases import Databases, open_databases
from tests.support.patience import PATIENCE_SECONDS
from tests.support.thorough import IS_THOROUGH

# The same examples on every machine; `make torture` draws new ones and prints its seed. No
# deadline, as durations depend on the machine.
hypothesis.settings.register_profile(
    "everyday", max_examples=30, deadline=None, derandomize=True, database=None
)
hypothesis.settings.register_profile("thorough", max_examples=500, deadline=None, database=None)
hypothesis.settings.load_profile("thorough" if IS_THOROUGH else "everyday")


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Shares compiled statements between all engines of a dialect. Each test has its own engine and
    would otherwise compile every statement again.
    """
    known: dict[str, Engine] = {}
    prepare_sqlite = edison.db.engine._prepare_sqlite

    def share(made: AsyncEngine) -> AsyncEngine:
        engine = made.sync_engine
        first = known.setdefault(engine.dialect.name, engine)
        engine.dialect = engine.pool._dialect = first.dialect
        engine._compiled_cache = first._compiled_cache
        return made

    def create(url: str, **options: Any) -> AsyncEngine:
        made = create_async_engine(url, **options)
        return made if made.dialect.name == "sqlite" else share(made)

    def prepare(made: AsyncEngine, **options: Any) -> None:
        # Not earlier: connection options are set on the dialect of an existing engine.
        prepare_sqlite(made, **options)
        share(made)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edison.db.engine, "create_async_engine", create)
        patch.setattr(edison.db.engine, "_prepare_sqlite", prepare)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_commits() -> Iterator[str]:
    """Commits without waiting for the disk, as the PostgreSQL of the tests does. A killed process
    loses nothing by that, and waiting for the disk takes longer than most tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        real = edison.db.engine.SYNCHRONOUS
        patch.setattr(edison.db.engine, "SYNCHRONOUS", "OFF")
        patch.setattr(edison.kit.key_files, "sync", lambda _: None)
        yield real


@pytest.fixture(scope="session", autouse=True)
def one_trust_store() -> Iterator[None]:
    """Reads the certificates of public authorities once. Each client of httpx would otherwise read
    them again, which takes longer than its requests to this machine.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            httpx._transports.default, "create_ssl_context", cache(httpx.create_ssl_context)
        )
        yield


@pytest.fixture
def real_commits(quick_commits: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits for the disk on commit, as in production."""
    monkeypatch.setattr(edison.db.engine, "SYNCHRONOUS", quick_commits)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[dict[str, Any]]:
    """Hashes passwords at the lowest cost. `real_passwords` restores the original cost."""
    real = {name: getattr(passwords, name) for name in ("COST", "_NOBODY")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "COST", 4)
        patch.setattr(passwords, "_NOBODY", bcrypt.hashpw(b"nobody", bcrypt.gensalt(4)).decode())
        yield real


@pytest.fixture
def real_passwords(quick_passwords: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes passwords at the cost of production."""
    for name, value in quick_passwords.items():
        monkeypatch.setattr(passwords, name, value)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Without garbage collection, which takes a sixth of the time here and finds nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--db", choices=["sqlite", "postgresql"], default="sqlite")


@pytest.fixture(scope="session")
def databases(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Databases]:
    own = tmp_path_factory.mktemp("databases")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    base = tmp_path_factory.getbasetemp()
    shared = base if worker == "main" else base.parent
    yield from open_databases(
        request.config.getoption("--db"), shared=shared, worker=worker, own=own
    )


@pytest.fixture(scope="session")
def signing_key(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One RSA key for all tests: generating one is slow."""
    return add_key(tmp_path_factory.mktemp("keys")).read_text()


@pytest.fixture
def database_url(databases: Databases, tmp_path: Path) -> Iterator[str]:
    url = databases.fresh_url(tmp_path)
    yield url
    databases.clean(url)


def open_settings(directory: Path, *, database_url: str, signing_key: str) -> Settings:
    """Limits are wide open; tests about limits narrow them."""
    own = {"data_dir": directory / "data", "database_url": SecretStr(database_url)}
    return _settings(signing_key).model_copy(update=own)


@cache
def _settings(signing_key: str) -> Settings:
    """Reading settings takes a tenth of the time of a short test."""
    return Settings(
        jwt_private_key=signing_key,
        requests_per_minute=100_000,
        requests_per_minute_signed_in=100_000,
        login_attempts=1000,
        database_wait_seconds=120,
        engine="inline",
    )


@pytest.fixture
def settings(database_url: str, signing_key: str, tmp_path: Path) -> Settings:
    return open_settings(tmp_path, database_url=database_url, signing_key=signing_key)


@pytest.fixture
def quick_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips the first sweep for missing jobs and the first look for dead processes: in a fresh
    database they find nothing, and they take longer than most tests. The regular ones remain.
    """
    skip_first(monkeypatch, edison.jobs.sweep, "sweep")
    skip_first(monkeypatch, edison.jobs.heartbeat, "remove_silent")
    skip_first(monkeypatch, edison.jobs.lifecycle, "find_newer_revision")


def skip_first(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
    real = getattr(module, name)
    calls = count()

    async def skipping(*arguments: Any, **options: Any) -> Any:
        return None if next(calls) == 0 else await real(*arguments, **options)

    monkeypatch.setattr(module, name, skipping)


@pytest.fixture
async def app(settings: Settings, quick_start: None) -> AsyncIterator[FastAPI]:
    app = create_app(settings)
    async with LifespanManager(app, shutdown_timeout=PATIENCE_SECONDS):
        yield app


@pytest.fixture
async def anonymous(app: FastAPI) -> AsyncIterator[Browser]:
    async with Browser(app) as browser:
        yield browser


@pytest.fixture
async def person(app: FastAPI) -> AsyncIterator[tuple[User, Browser]]:
    user, browser = await make_person(app, "ada@example.org")
    async with browser:
        yield user, browser


@pytest.fixture
async def ada(person: tuple[User, Browser]) -> Browser:
    """Ada's browser, signed in."""
    return person[1]


class TurnableClock:
    """The program's clock, set by the test."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def advance(self, **amount: float) -> None:
        self.time += timedelta(**amount)


@pytest.fixture
def turnable_clock(monkeypatch: pytest.MonkeyPatch) -> TurnableClock:
    turnable = TurnableClock()
    turnable.time = clock.now().replace(microsecond=0)
    monkeypatch.setattr(clock, "now", turnable.now)
    return turnable
