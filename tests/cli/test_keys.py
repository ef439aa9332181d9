"""Sealing keys: rotation, lost keys, and kills in between."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from edison.app import tables
from edison.db import migrate
from edison.db.engine import open_engine
from edison.db.sealed import sealed_columns, sealed_texts
from edison.db.session import Database
from edison.kit.sealing import find_sealing_keys, load_sealing_keys
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Project
from tests.support.commands import Ended, run, run_killed_at

SECRETS = [f"sk-secret-number-{number}" for number in range(3)]
REPOSITORY = Path(__file__).parents[2]


class Installation:
    """A data directory and a database with sealed secrets."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        asyncio.run(self._fill())

    @property
    def keys_folder(self) -> Path:
        return self.folder / "keys" / "sealing"

    @property
    def environment(self) -> dict[str, str]:
        return {"EDISON_DATABASE_URL": self.url.replace("+asyncpg", "")}

    def edison(self, *arguments: object, **environment: str) -> Ended:
        given = {**self.environment, **environment}
        return run("--json", "--data-dir", self.folder, *arguments, **given)

    async def _fill(self) -> None:
        await migrate.upgrade(self.url, backup_dir=self.folder / "backups")
        keys = load_sealing_keys(self.keys_folder)
        database = Database(open_engine(self.url, pooled=False))
        async with database.write() as session:
            project = Project(name="Mine", slug="mine")
            session.add(project)
            await session.flush()
            for secret in SECRETS:
                kept = {"api_key": {"sealed": keys.seal(secret), "last_four": secret[-4:]}}
                session.add(
                    Credential(
                        project_id=project.id,
                        provider="openai",
                        label=secret,
                        settings={},
                        secrets=kept | {"other": {"env": "OTHER"}},
                        is_default=False,
                    )
                )
        await database.close()

    def sealed(self) -> list[str]:
        return asyncio.run(self._sealed())

    async def _sealed(self) -> list[str]:
        engine = open_engine(self.url, pooled=False)
        try:
            async with engine.connect() as connection:
                rows = await connection.execute(
                    text("SELECT label, secrets FROM credentials ORDER BY label")
                )
                stored = [json.loads(row[1]) if isinstance(row[1], str) else row[1] for row in rows]
        finally:
            await engine.dispose()
        return [kept["api_key"]["sealed"] for kept in stored]

    def opened(self) -> list[str]:
        """The secrets, opened with the keys on disk."""
        keys = find_sealing_keys(self.keys_folder)
        assert keys is not None
        return [keys.open(sealed) for sealed in self.sealed()]


@pytest.fixture
def installation(empty_url: str, tmp_path: Path) -> Installation:
    return Installation(tmp_path / "data", empty_url)


def test_rotating_reseals_every_secret(installation: Installation) -> None:
    before = installation.sealed()
    rotated = installation.edison("keys", "rotate")
    assert rotated.returncode == 0, rotated.stderr
    report = json.loads(rotated.stdout)
    assert report["resealed"] == len(SECRETS)
    after = installation.sealed()
    assert {sealed.partition(".")[0] for sealed in after} == {report["sealing_key"]}
    assert not set(before) & set(after)
    assert installation.opened() == SECRETS


@pytest.mark.parametrize(
    ("point", "times"),
    [
        ("edison.kit.key_files:os.link", 1),
        ("edison.kit.key_files:_sync_folder", 1),
        ("edison.db.sealed:update", 1),
        ("edison.db.sealed:update", 2),
        ("edison.app.sealed_secrets:audit.record", 1),
        ("edison.workspace.accounts.signing_keys:add_key", 1),
    ],
)
def test_a_rotation_killed_at_any_point_leaves_every_secret_readable(
    installation: Installation, point: str, times: int
) -> None:
    rotate = ["--data-dir", installation.folder, "keys", "rotate"]
    ended = run_killed_at(point, times, *rotate, environment=installation.environment)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert installation.opened() == SECRETS
    rotated = installation.edison("keys", "rotate")
    assert rotated.returncode == 0, rotated.stderr
    assert installation.opened() == SECRETS


@pytest.mark.parametrize("replacement", ["none", "other file", "setting"])
def test_a_missing_key_is_reported_and_never_replaced(
    installation: Installation, tmp_path: Path, replacement: str
) -> None:
    (lost,) = installation.keys_folder.iterdir()
    content = lost.read_bytes()
    lost.unlink()
    given = {}
    if replacement != "none":
        load_sealing_keys(tmp_path / "elsewhere")
        (other,) = (tmp_path / "elsewhere").iterdir()
        if replacement == "setting":
            given["EDISON_SEALING_PRIVATE_KEY"] = other.read_text()
        else:
            other.rename(installation.keys_folder / other.name)
    present = sorted(installation.keys_folder.iterdir())
    for command in (["serve", "--no-open", "--port", 0], ["keys", "rotate"], *_work(installation)):
        refused = installation.edison(*command, **given)
        assert refused.returncode == 1
        assert f"restore {lost.name}" in refused.stderr
        assert "Traceback" not in refused.stderr
        assert sorted(installation.keys_folder.iterdir()) == present
    finding = _sealing_finding(installation.edison("doctor", **given))
    assert (finding["verdict"], lost.name in finding["fix"]) == ("problem", True)
    lost.write_bytes(content)
    if replacement != "setting":
        examined = installation.edison("doctor")
        assert _sealing_finding(examined)["verdict"] == "ok"


def _work(installation: Installation) -> list[list[Any]]:
    return [] if installation.url.startswith("sqlite") else [["worker"]]


def _sealing_finding(examined: Ended) -> dict[str, Any]:
    found = {entry["subject"]: entry for entry in json.loads(examined.stdout)["findings"]}
    finding: dict[str, Any] = found["sealing keys"]
    assert examined.returncode == (1 if finding["verdict"] == "problem" else 0), examined.stdout
    return finding


def test_secrets_with_a_lost_key_can_be_discarded(installation: Installation) -> None:
    (lost,) = installation.keys_folder.iterdir()
    lost.unlink()
    given_up = installation.edison("keys", "rotate", "--discard-unreadable")
    assert given_up.returncode == 0, given_up.stderr
    assert installation.sealed() == [""] * len(SECRETS)
    assert _sealing_finding(installation.edison("doctor"))["verdict"] == "ok"


def test_a_damaged_key_file_is_reported(installation: Installation) -> None:
    (file,) = installation.keys_folder.iterdir()
    file.write_text("")
    refused = installation.edison("serve", "--no-open", "--port", 0)
    assert refused.returncode == 1
    assert str(file) in refused.stderr
    assert "Traceback" not in refused.stderr


def test_keys_from_settings_are_rotated_by_adding_one(
    installation: Installation, tmp_path: Path
) -> None:
    (old,) = installation.keys_folder.iterdir()
    load_sealing_keys(tmp_path / "new")
    (new,) = (tmp_path / "new").iterdir()
    both = f"{old.read_text()},{new.read_text()}"
    old.rename(tmp_path / old.name)
    rotated = installation.edison("keys", "rotate", EDISON_SEALING_PRIVATE_KEY=both)
    assert json.loads(rotated.stdout)["sealing_key"] == new.stem
    keys = load_sealing_keys(tmp_path / "new")
    assert [keys.open(sealed) for sealed in installation.sealed()] == SECRETS


def test_every_sealed_column_can_be_rotated() -> None:
    columns = sealed_columns(tables.metadata)
    assert "credentials.secrets" in {str(column) for column in columns}
    for column in columns:
        assert len(column.table.primary_key.columns) == 1


def test_sealed_texts_are_found_at_any_depth() -> None:
    value = {"a": {"sealed": "x.1"}, "b": {"env": "B"}, "c": {"d": {"sealed": "x.2", "e": 1}}}
    assert list(sealed_texts(value)) == ["x.1", "x.2"]
    assert list(sealed_texts("x.3")) == ["x.3"]
    assert list(sealed_texts(None)) == []
