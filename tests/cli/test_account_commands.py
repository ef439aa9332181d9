"""`edison user` for the operator: verify an address, remove a second factor, revoke access, reset a
password.
"""

import sqlite3
from pathlib import Path

import pytest

from tests.support.commands import run

EMAIL = "ada@example.org"
PASSWORD = {"EDISON_NEW_PASSWORD": "Analytical-Engine-1843!"}
NEW_PASSWORD = {"EDISON_NEW_PASSWORD": "Difference-Engine-1822!"}
ENROL = """
UPDATE users SET second_factor_at = created_at, email_verified_at = NULL;
INSERT INTO second_factors (user_id, sealed_secret, created_at)
    SELECT id, 'sealed', created_at FROM users;
INSERT INTO recovery_codes (id, user_id, digest) SELECT id, id, 'd' FROM users;
"""


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    folder = tmp_path / "installation"
    assert run("--data-dir", folder, "db", "upgrade").returncode == 0
    assert run("--data-dir", folder, "user", "create", EMAIL, **PASSWORD).returncode == 0
    return folder


def test_the_operator_manages_accounts(installation: Path) -> None:
    at = ("--data-dir", installation, "user")
    with sqlite3.connect(installation / "edison.db") as database:
        verified = database.execute("SELECT email_verified_at FROM users").fetchone()
        database.executescript(ENROL)
    assert verified != (None,)
    assert run("--data-dir", installation, "token", "create", EMAIL).returncode == 0
    link = run(*at, "reset-password", EMAIL, "--link")
    assert "/reset-password#token=" in link.stdout
    weak = run(*at, "reset-password", EMAIL, EDISON_NEW_PASSWORD="short")
    assert (weak.returncode, "password:" in weak.stderr) == (1, True)
    for command in ("verify", "remove-second-factor", "end-access", "reset-password"):
        assert "no account" in run(*at, command, "eve@example.org", **NEW_PASSWORD).stderr
        ended = run(*at, command, EMAIL, **NEW_PASSWORD)
        assert ended.returncode == 0, ended.stderr
    again = run(*at, "remove-second-factor", EMAIL)
    assert "does not use two-factor authentication" in again.stderr
    with sqlite3.connect(installation / "edison.db") as database:
        user = database.execute("SELECT email_verified_at, second_factor_at FROM users").fetchone()
        assert user[0] is not None
        assert user[1] is None
        for table in ("second_factors", "recovery_codes", "access_tokens"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608
        actions = {row[0] for row in database.execute("SELECT action FROM audit_entries")}
    assert {
        "user.email_verified",
        "second_factor.removed_by_operator",
        "user.access_ended",
        "user.password_reset",
    } <= actions
