"""The `edison` command, run in a separate process."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from edison import __version__
from tests.support.commands import run

PROGRAM = Path(sys.executable).with_name("edison")
USUAL_PORT = 8000
PASSWORD = {"EDISON_NEW_PASSWORD": "Analytical-Engine-1843!"}


@contextmanager
def serving(data_dir: Path, *arguments: object) -> Iterator[dict[str, Any]]:
    command = [PROGRAM, "--json", "--data-dir", data_dir, "serve", "--no-open", *arguments]
    with subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """A data directory with a migrated database."""
    assert run("--data-dir", tmp_path / "data", "db", "upgrade").returncode == 0
    return tmp_path / "data"


def test_help_lists_the_commands() -> None:
    shown = run("--help").stdout
    for command in ("serve", "doctor", "db", "backup", "restore", "keys", "user", "token"):
        assert command in shown
    assert run("--version").stdout == f"{__version__}\n"


def test_the_next_free_port_is_used_when_the_default_is_taken(tmp_path: Path) -> None:
    with ExitStack() as taken:
        try:
            taken.enter_context(socket.create_server(("127.0.0.1", USUAL_PORT)))
        except OSError:
            # Another process has taken it already.
            assert connects(USUAL_PORT)
        with serving(tmp_path) as announced:
            assert USUAL_PORT < int(announced["url"].rsplit(":", 1)[1]) <= USUAL_PORT + 50
            with urllib.request.urlopen(announced["url"] + "/api/readiness") as response:
                assert response.status == 200


def connects(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_demo_is_created_once_and_only_in_an_empty_installation(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(tmp_path, "--demo", "--port", 0) as announced:
            assert announced["sign_in_link"].startswith(announced["url"] + "/sign-in?token=")
    with sqlite3.connect(tmp_path / "edison.db") as database:
        assert database.execute("SELECT name, is_demo FROM projects").fetchall() == [("Demo", 1)]
        assert database.execute("SELECT name, case_count FROM datasets").fetchall() == [
            ("Golden", 0),
            ("Support replies cases", 32),
            ("Invoice data cases", 32),
            ("Ticket sorting cases", 32),
            ("Meeting summaries cases", 32),
        ]
        assert database.execute("SELECT count(*) FROM prompt_versions").fetchone() == (5,)
        played = "SELECT name FROM runs WHERE origin = 'playground'"
        assert database.execute(played).fetchall() == [
            ("Support replies on Support replies cases",)
        ]
        assert database.execute("SELECT count(*) FROM models").fetchone() == (4,)
    other = tmp_path / "other"
    run("--data-dir", other, "db", "upgrade")
    run("--data-dir", other, "user", "create", "ada@example.org", **PASSWORD)
    with serving(other, "--demo", "--port", 0) as announced:
        assert announced["sign_in_link"] is None
    with sqlite3.connect(other / "edison.db") as database:
        assert database.execute("SELECT count(*) FROM projects").fetchone() == (0,)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_data_directory_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    refused = run("--data-dir", tmp_path, "serve")
    assert refused.returncode == 1
    assert "is not writable" in refused.stderr


def test_a_data_directory_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = run("--data-dir", tmp_path / "file" / "data", "serve")
    assert refused.returncode == 1
    assert "cannot be created" in refused.stderr
    assert "--data-dir" in refused.stderr


def test_a_newer_database_is_refused_and_unchanged(installation: Path) -> None:
    with sqlite3.connect(installation / "edison.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    refused = run("--data-dir", installation, "serve", "--no-open")
    assert refused.returncode == 1
    assert "newer Edison" in refused.stderr
    assert "Traceback" not in refused.stderr
    with sqlite3.connect(installation / "edison.db") as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)


def test_invalid_settings_are_reported_by_name(tmp_path: Path) -> None:
    refused = run("--data-dir", tmp_path, "doctor", EDISON_PORT="many")
    assert refused.returncode == 1
    assert "EDISON_PORT" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_missing_settings_file_is_reported(tmp_path: Path) -> None:
    refused = run("--config", tmp_path / "none.toml", "doctor")
    assert refused.returncode == 1
    assert "none.toml" in refused.stderr


def test_doctor_shows_sources_of_settings_and_masks_secrets(installation: Path) -> None:
    (installation / "edison.toml").write_text('oidc_name = "Acme"\n')
    examined = run("--json", "--data-dir", installation, "doctor", EDISON_SMTP_PASSWORD="hunter2")
    report = json.loads(examined.stdout)
    values = {entry["name"]: entry for entry in report["settings"]}
    assert values["data_dir"]["source"] == "command line"
    assert values["oidc_name"]["source"].endswith("edison.toml")
    assert values["smtp_password"]["source"] == "EDISON_SMTP_PASSWORD"
    assert "hunter2" not in examined.stdout
    verdicts = {finding["subject"]: finding["verdict"] for finding in report["findings"]}
    assert verdicts["database"] == verdicts["migrations"] == "ok"


def test_doctor_reports_problems_and_how_to_fix_them(installation: Path) -> None:
    run("--data-dir", installation, "keys", "rotate")
    (key,) = (installation / "keys" / "sessions").glob("*.pem")
    key.chmod(0o644)
    with sqlite3.connect(installation / "edison.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    examined = run("--json", "--data-dir", installation, "doctor", EDISON_PROT="1")
    assert examined.returncode == 1
    findings = {entry["subject"]: entry for entry in json.loads(examined.stdout)["findings"]}
    assert "chmod 600" in findings["keys"]["fix"]
    assert findings["migrations"]["verdict"] == "problem"
    assert "EDISON_PROT" in findings["environment"]["message"]


def test_an_unreachable_database_is_reported_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://nobody:hunter2@127.0.0.1:1/none"
    examined = run("--json", "--data-dir", tmp_path, "doctor", EDISON_DATABASE_URL=url)
    findings = {entry["subject"]: entry for entry in json.loads(examined.stdout)["findings"]}
    assert findings["database"]["verdict"] == "problem"
    assert "hunter2" not in examined.stdout + examined.stderr


def test_users_and_tokens_can_be_created_offline(installation: Path) -> None:
    at = ("--json", "--data-dir", installation)
    weak = run(*at, "user", "create", "ada@example.org", EDISON_NEW_PASSWORD="weak")
    assert weak.returncode == 1
    assert "at least 12 characters" in weak.stderr
    assert run(*at, "user", "create", "ada@example.org", **PASSWORD).returncode == 0
    again = run(*at, "user", "create", "Ada@Example.org", **PASSWORD)
    assert "already in use" in again.stderr
    unknown = run(*at, "token", "create", "eve@example.org")
    assert "no account" in unknown.stderr
    token = json.loads(run(*at, "token", "create", "ada@example.org").stdout)["token"]
    with serving(installation, "--port", 0) as announced:
        request = urllib.request.Request(
            announced["url"] + "/api/v1/auth/me", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request) as response:
            assert json.load(response)["user"]["email"] == "ada@example.org"


def test_a_backup_restores_everything_elsewhere(installation: Path, tmp_path: Path) -> None:
    run("--data-dir", installation, "user", "create", "ada@example.org", **PASSWORD)
    target = tmp_path / "saved.edison.zip"
    assert run("--data-dir", installation, "backup", target).returncode == 0
    elsewhere = tmp_path / "elsewhere"
    assert run("--data-dir", elsewhere, "restore", target).returncode == 0
    with sqlite3.connect(elsewhere / "edison.db") as database:
        assert database.execute("SELECT email FROM users").fetchall() == [("ada@example.org",)]
    refused = run("--data-dir", elsewhere, "restore", target)
    assert refused.returncode == 1
    assert run("--data-dir", elsewhere, "restore", "--replace", target).returncode == 0


def test_several_processes_need_postgresql(installation: Path) -> None:
    refused = run("--data-dir", installation, "serve", "--workers", 2)
    assert refused.returncode == 1
    assert "PostgreSQL" in refused.stderr
