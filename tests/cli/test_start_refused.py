"""Start-up errors an operator can fix: one sentence, exit code 1."""

import json
import os
import socket
import sqlite3
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.test_commands import PROGRAM, serving
from tests.support.commands import Ended, run

COMMANDS: dict[str, list[object]] = {
    "serve": ["serve", "--no-open", "--port", 0],
    "db upgrade": ["db", "upgrade"],
    "backup": ["backup"],
    "worker": ["worker"],
    "keys rotate": ["keys", "rotate"],
}


def check_message(ended: Ended, *words: str) -> None:
    told = ended.stderr.strip()
    assert ended.returncode == 1, told
    assert "Traceback" not in told
    assert told.count("\n") == 0, told
    assert told.startswith("Error: ")
    for word in words:
        assert word in told, told


def doctor_says(ended: Ended, subject: str, *words: str) -> None:
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    findings = {entry["subject"]: entry for entry in json.loads(ended.stdout)["findings"]}
    assert findings[subject]["verdict"] == "problem"
    for word in words:
        assert word in findings[subject]["message"]


def on_sqlite() -> list[str]:
    return [name for name in COMMANDS if name != "worker"]


def on_each(commands: list[str], *at: object, words: tuple[str, ...], **environment: str) -> None:
    for name in commands:
        check_message(run(*at, *COMMANDS[name], **environment), *words)


def _text(file: Path) -> None:
    file.write_text("This is not a database. " * 100)


def _damaged(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
    content = bytearray(file.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "word"),
    [(_text, "not an SQLite database"), (_damaged, "damaged"), (Path.mkdir, "cannot be opened")],
)
def test_a_file_that_is_not_a_database(
    tmp_path: Path, make: Callable[[Path], None], word: str
) -> None:
    make(tmp_path / "edison.db")
    on_each(on_sqlite(), "--data-dir", tmp_path, words=(word,))
    doctor_says(run("--json", "--data-dir", tmp_path, "doctor"), "database", word)
    saved = tmp_path / "other" / "saved.zip"
    run("--data-dir", saved.parent, "db", "upgrade")
    assert run("--data-dir", saved.parent, "backup", saved).returncode == 0
    check_message(run("--data-dir", tmp_path, "restore", saved), word)


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    assert run("--data-dir", tmp_path, "db", "upgrade").returncode == 0
    with sqlite3.connect(tmp_path / "edison.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    on_each(["serve", "db upgrade", "keys rotate"], "--data-dir", tmp_path, words=("newer Edison",))
    doctor_says(run("--json", "--data-dir", tmp_path, "doctor"), "migrations", "newer Edison")


@contextmanager
def refusing_server(sqlstate: str) -> Iterator[str]:
    """Speaks the PostgreSQL protocol far enough to refuse a client."""
    fields = b"SFATAL\x00C" + sqlstate.encode() + b"\x00Mrefused\x00\x00"
    answer = b"E" + struct.pack("!I", len(fields) + 4) + fields

    def turn_away() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                while request := connection.recv(4096):
                    # The request for TLS; the user's name comes next.
                    connection.sendall(b"N" if len(request) == 8 else answer)
                    if len(request) != 8:
                        break

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=turn_away, daemon=True)
        thread.start()
        yield f"postgresql://edison:hunter2@127.0.0.1:{listening.getsockname()[1]}/edison"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("sqlstate", "word"),
    [("28P01", "password"), ("28000", "password"), ("3D000", "create it"), ("57P03", "starting")],
)
def test_a_postgresql_that_refuses_the_connection(tmp_path: Path, sqlstate: str, word: str) -> None:
    commands = list(COMMANDS) if sqlstate == "28P01" else ["serve", "db upgrade"]
    with refusing_server(sqlstate) as url:
        on_each(commands, "--data-dir", tmp_path, words=(word,), EDISON_DATABASE_URL=url)
        examined = run("--json", "--data-dir", tmp_path, "doctor", EDISON_DATABASE_URL=url)
        doctor_says(examined, "database", word)
        assert "hunter2" not in examined.stdout + examined.stderr


def test_a_postgresql_without_the_database(tmp_path: Path, postgres_server: str) -> None:
    url = urlsplit(postgres_server)._replace(path="/there_is_none").geturl()
    on_each(list(COMMANDS), "--data-dir", tmp_path, words=("create it",), EDISON_DATABASE_URL=url)


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("postgresql://edison:hunter2@127.0.0.1:1/edison", "does not answer"),
        ("postgresql://edison:hunter2@nowhere.invalid/edison", "not known"),
        ("postgresql://edison:hunter2@127.0.0.1:port/edison", "EDISON_DATABASE_URL"),
        ("postgresql://edison:hunter2@127.0.0.1:99999/edison", "EDISON_DATABASE_URL"),
        ("mysql://edison:hunter2@127.0.0.1/edison", "EDISON_DATABASE_URL"),
        ("hunter2", "EDISON_DATABASE_URL"),
    ],
)
def test_a_database_that_cannot_be_reached(tmp_path: Path, url: str, word: str) -> None:
    for name in ("serve", "db upgrade", "backup", "worker"):
        refused = run("--data-dir", tmp_path, *COMMANDS[name], EDISON_DATABASE_URL=url)
        check_message(refused, word)
        assert "hunter2" not in refused.stderr


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"port = ", "cannot be read"),
        (b"[[[", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"prot = 8000", "Unknown setting"),
        (b'port = "many"', "EDISON_PORT"),
        (b"port = 123456", "EDISON_PORT"),
    ],
)
def test_invalid_settings(tmp_path: Path, content: bytes, word: str) -> None:
    file = tmp_path / "edison.toml"
    file.write_bytes(content + b"\n")
    for command in (*COMMANDS.values(), ["doctor"], ["restore", "x.zip"]):
        check_message(run("--data-dir", tmp_path, *command), word)


def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        on_each(["serve", "db upgrade"], "--data-dir", folder, words=("data directory",))
        doctor_says(run("--json", "--data-dir", folder, "doctor"), "data directory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk(tmp_path: Path) -> None:
    assert run("--data-dir", tmp_path, "db", "upgrade").returncode == 0
    (tmp_path / "full").mkdir()
    command = f"ulimit -f 8; exec {PROGRAM} --data-dir {tmp_path / 'full'} db upgrade"
    ended = subprocess.run(
        ["/bin/bash", "-c", f"trap '' XFSZ; {command}"],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("EDISON_")},
        check=False,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert ended.stderr.startswith("Error: ")


def test_an_explicit_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run("--data-dir", tmp_path, "serve", "--no-open", "--port", port)
        check_message(refused, f"Port {port} is in use", "--port")
        refused = run("--data-dir", tmp_path, "serve", "--no-open", EDISON_PORT=str(port))
        check_message(refused, f"Port {port} is in use")


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "nowhere.invalid"):
        refused = run("--data-dir", tmp_path, "serve", "--no-open", "--host", host)
        check_message(refused, host)


def test_a_second_server_on_the_same_data_is_refused_with_the_url_of_the_first(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--port", 0) as announced:
        refused = run("--data-dir", tmp_path, "serve", "--no-open", "--port", 0)
        check_message(refused, "already running", announced["url"])
        saved = tmp_path / "saved.zip"
        assert run("--data-dir", tmp_path, "backup", saved).returncode == 0
        restored = run("--data-dir", tmp_path, "restore", "--replace", saved)
        check_message(restored, "already running", announced["url"])
        elsewhere = f"sqlite:///{tmp_path / 'edison.db'}"
        refused = run(
            *("--data-dir", tmp_path / "other", "serve", "--no-open", "--port", 0),
            EDISON_DATABASE_URL=elsewhere,
        )
        check_message(refused, "already running", announced["url"])


def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    command = [PROGRAM, "--json", "--data-dir", tmp_path, "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as killed:
        assert killed.stdout is not None
        first = json.loads(killed.stdout.readline())
        killed.kill()
    assert first["url"] in (tmp_path / "edison.db.lock").read_text()
    with serving(tmp_path, "--port", 0) as announced:
        assert announced["url"] in (tmp_path / "edison.db.lock").read_text()
