"""Backups: the same rows come back, on either database, or the file is refused."""

import asyncio
import json
import stat
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, inspect, select, text

from edison.app.tables import metadata
from edison.db import archive, backup, migrate
from edison.db.archive import UnusableBackup
from edison.db.engine import open_engine
from edison.db.restore import restore
from edison.kit import ids
from edison.kit.errors import Conflict, TooLarge
from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event, EventStream
from edison.workspace.projects.models import Project, ProjectMember, ProjectSettings
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.migrations import write_revisions

WHEN = datetime(2026, 2, 28, 23, 59, 59, 123456, tzinfo=UTC)
DATA = {"large": 2**62, "small": 1e-300, "text": 'ü "quoted"\n💡', "list": [None, True]}


def fill(connection: Connection) -> None:
    user, project = ids.new_id(), ids.new_id()
    stamps = {"created_at": WHEN, "updated_at": WHEN}
    rows: list[tuple[type[Any], dict[str, Any]]] = [
        (
            User,
            {"id": user, "email": "ada@example.org", "email_skeleton": "ada", "name": None}
            | stamps,
        ),
        (Project, {"id": project, "slug": "engine", "name": "Ünïcode 💡"} | stamps),
        (
            ProjectMember,
            {"project_id": project, "user_id": user, "role": "OWNER", "joined_at": WHEN},
        ),
        (
            ProjectSettings,
            {
                "project_id": project,
                "default_budget_nanos": 2**62 + 1,
                "cost_alert_threshold": 0.1 + 0.2,
                "updated_at": WHEN,
            },
        ),
        (EventStream, {"key": "project:x", "last_number": 2**62}),
        (
            Event,
            {"stream": "s", "number": 2**62, "kind": "a.b", "data": DATA, "created_at": WHEN},
        ),
        (
            AuditEntry,
            {"at": WHEN, "action": "a", "entity_type": "t", "outcome": "allowed", "after": DATA},
        ),
    ]
    for table, values in rows:
        connection.execute(insert(table).values(**values))
    # Enough rows for several batches.
    connection.execute(
        insert(Event),
        [
            {"stream": "many", "number": number, "kind": "k", "data": {}, "created_at": WHEN}
            for number in range(1200)
        ],
    )


def read_all(connection: Connection) -> dict[str, list[Any]]:
    return {
        table.name: sorted(
            json.dumps(list(row), sort_keys=True, default=repr)
            for row in connection.execute(select(table))
        )
        for table in metadata.sorted_tables
    }


async def on(url: str, action: Callable[[Connection], Any]) -> Any:
    engine = open_engine(url, pooled=False)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(action)
    finally:
        await engine.dispose()


def make_filled(url: str, folder: Path) -> None:
    asyncio.run(migrate.upgrade(url, backup_dir=folder))
    asyncio.run(on(url, fill))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a filled SQLite database."""
    folder = tmp_path_factory.mktemp("saved")
    url = f"sqlite+aiosqlite:///{folder}/edison.db"
    make_filled(url, folder)
    return asyncio.run(backup.save(url, folder / "saved.edison.zip"))


@pytest.mark.parametrize("source", ["sqlite", "postgresql"])
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_restored_backup_equals_the_original(
    source: Dialect, target: Dialect, make_database: MakeDatabase, tmp_path: Path
) -> None:
    source_url, target_url = make_database(source), make_database(target)
    make_filled(source_url, tmp_path)
    file = asyncio.run(backup.save(source_url, tmp_path / "new" / "file.zip"))
    manifest = asyncio.run(restore(file, target_url))
    assert manifest.dialect == source
    assert asyncio.run(on(target_url, read_all)) == asyncio.run(on(source_url, read_all))
    # Foreign keys are enforced again: this would leave a member without a user.
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        asyncio.run(
            on(target_url, lambda sync: sync.execute(text("UPDATE project_members SET user_id=id")))
        )


def test_a_backup_is_readable_by_its_owner_only_and_leaves_no_temporary_files(saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert not list(saved.parent.glob(".saved*"))


def test_an_existing_file_is_not_overwritten(make_database: MakeDatabase, saved: Path) -> None:
    with pytest.raises(Conflict, match="already"):
        asyncio.run(backup.save(make_database("sqlite"), saved))


def test_a_backup_does_not_create_a_missing_database(tmp_path: Path) -> None:
    with pytest.raises(Conflict, match="no database"):
        asyncio.run(backup.save(f"sqlite+aiosqlite:///{tmp_path}/none.db", tmp_path / "saved.zip"))
    assert not list(tmp_path.iterdir())


def test_a_failed_backup_leaves_no_file(
    make_database: MakeDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = make_database("sqlite")
    make_filled(url, tmp_path)
    monkeypatch.setattr(backup, "LARGEST_ROW_BYTES", 10)
    with pytest.raises(TooLarge):
        asyncio.run(backup.save(url, tmp_path / "out" / "saved.zip"))
    assert not list((tmp_path / "out").iterdir())


def test_an_old_backup_is_upgraded(empty_url: str, saved: Path, tmp_path: Path) -> None:
    later = migrate.revisions(str(write_revisions(tmp_path / "later")))
    asyncio.run(restore(saved, empty_url, script=later))
    names = asyncio.run(
        on(empty_url, lambda sync: [c["name"] for c in inspect(sync).get_columns("users")])
    )
    assert "second_addition" in names
    assert asyncio.run(on(empty_url, lambda sync: sync.scalar(select(User.email)))) is not None


def test_a_database_with_rows_is_refused_without_replace(
    empty_url: str, saved: Path, tmp_path: Path
) -> None:
    make_filled(empty_url, tmp_path)
    before = asyncio.run(on(empty_url, read_all))
    with pytest.raises(Conflict, match="already holds data"):
        asyncio.run(restore(saved, empty_url))
    assert asyncio.run(on(empty_url, read_all)) == before
    asyncio.run(restore(saved, empty_url, replace=True))
    assert asyncio.run(on(empty_url, read_all)) != before


def test_a_migrated_database_without_rows_counts_as_empty(
    empty_url: str, saved: Path, tmp_path: Path
) -> None:
    asyncio.run(migrate.upgrade(empty_url, backup_dir=tmp_path))
    asyncio.run(restore(saved, empty_url))


def test_a_database_of_another_program_is_never_changed(empty_url: str, saved: Path) -> None:
    asyncio.run(on(empty_url, lambda sync: sync.execute(text("CREATE TABLE theirs (x INTEGER)"))))
    with pytest.raises(Conflict, match="not Edison's"):
        asyncio.run(restore(saved, empty_url, replace=True))


def rewritten(saved: Path, folder: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(saved) as old:
        content = {name: old.read(name) for name in old.namelist()}
    change(content)
    target = folder / "rewritten.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in content.items():
            new.writestr(name, data)
    return target


def in_manifest(**values: Any) -> Callable[[dict[str, bytes]], None]:
    def change(content: dict[str, bytes]) -> None:
        manifest = json.loads(content["manifest.json"]) | values
        content["manifest.json"] = json.dumps(manifest).encode()

    return change


def in_events(old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(content: dict[str, bytes]) -> None:
        content["tables/events.jsonl"] = content["tables/events.jsonl"].replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("manifest.json"), "no backup"),
        (lambda content: content.update({"manifest.json": b"{"}), "damaged"),
        (lambda content: content.update({"manifest.json": b"[]"}), "not complete"),
        (lambda content: content.update({"../evil": b"x"}), "do not match"),
        (lambda content: content.pop("tables/users.jsonl"), "do not match"),
        (in_manifest(format=2), "newer"),
        (in_manifest(revision="9999"), "another version of Edison"),
        (in_manifest(tables=[]), "do not match"),
        (in_events(b'["many",7,', b'["many",'), "damaged"),
        (in_events(b'["many",7,', b'["many","7",'), "does not fit"),
        (in_events(b'["many",7,', b'["many",8,'), "does not fit"),
        (in_events(b'["many",7,', b'["many",7,}'), "damaged"),
        (lambda content: content.update({"tables/events.jsonl": b""}), "only a part"),
    ],
)
def test_an_invalid_backup_file_is_refused(
    change: Callable[[dict[str, bytes]], None],
    message: str,
    saved: Path,
    make_database: MakeDatabase,
    tmp_path: Path,
) -> None:
    url = make_database("sqlite")
    with pytest.raises(UnusableBackup, match=message):
        asyncio.run(restore(rewritten(saved, tmp_path, change), url))
    assert asyncio.run(on(url, lambda sync: inspect(sync).get_table_names())) == []


def test_a_missing_reference_is_refused(empty_url: str, saved: Path, tmp_path: Path) -> None:
    def change(content: dict[str, bytes]) -> None:
        content["tables/users.jsonl"] = b""
        manifest = json.loads(content["manifest.json"])
        for table in manifest["tables"]:
            table["rows"] *= table["name"] != "users"
        content["manifest.json"] = json.dumps(manifest).encode()

    with pytest.raises((UnusableBackup, Conflict)):
        asyncio.run(restore(rewritten(saved, tmp_path, change), empty_url))
    assert asyncio.run(on(empty_url, lambda sync: inspect(sync).get_table_names())) == []


@pytest.mark.parametrize("position", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_damaged_or_cut_file_is_refused(
    position: float, saved: Path, make_database: MakeDatabase, tmp_path: Path
) -> None:
    content = bytearray(saved.read_bytes())
    cut = tmp_path / "cut.zip"
    cut.write_bytes(content[: int(len(content) * position)])
    with pytest.raises(UnusableBackup):
        asyncio.run(restore(cut, make_database("sqlite")))


def test_a_file_that_unpacks_to_too_much_is_refused(
    saved: Path, make_database: MakeDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(archive, "ALWAYS_ALLOWED_BYTES", 0)
    bomb = rewritten(saved, tmp_path, lambda content: content.update({"x": b"0" * 50_000_000}))
    with pytest.raises(UnusableBackup, match="far more"):
        asyncio.run(restore(bomb, make_database("sqlite")))
