"""The installed product: one wheel, in a clean virtualenv, on a machine without Node."""

import fnmatch
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from edison.app.openapi_file import openapi_file
from tests.support.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
INDEX = "edison/app/static/index.html"
API_REFERENCE = "edison/app/static/docs.html"
DOCUMENTATION = "edison/app/docs/index.html"
SDK_CLIENT = "edison/sdk/api.py"
LARGEST_BYTES = 450_000_000
# Part of every virtualenv.
NOT_OURS = ("pip", "setuptools", "pkg_resources", "_distutils_hack")

pytestmark = pytest.mark.packaging


def run(*command: str | Path, **environment: str) -> str:
    """Runs a program and returns its output; failures include its error output."""
    result = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def build(source: Path, target: Path, *options: str, **environment: str) -> Path:
    """Build a distribution in an isolated environment with pinned tools; return its file."""
    pinned = {"PIP_CONSTRAINT": str(CONSTRAINTS), **environment}
    run(sys.executable, "-m", "build", *options, "--outdir", target, source, **pinned)
    (built,) = target.glob("edison_workbench-*")
    return built


@pytest.fixture(scope="module")
def without_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH without Node."""
    folder = tmp_path_factory.mktemp("empty-path")
    assert shutil.which("node", path=str(folder)) is None
    return str(folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def edison(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed command, in a virtualenv that holds nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True, symlinks=True)
    pip = (folder / "bin" / "pip", "install", "--quiet", "--no-compile")
    run(*pip, "--constraint", CONSTRAINTS, wheel)
    return folder / "bin" / "edison"


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_node: str) -> Path:
    """A working directory outside the repository, on a machine without Node."""
    assert not tmp_path.is_relative_to(ROOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", without_node)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("EDISON_")]:
        monkeypatch.delenv(name)
    return tmp_path


@contextmanager
def serving(edison: Path, data_dir: Path) -> Iterator[httpx.Client]:
    """Start a server from the wheel and wait until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = data_dir.with_suffix(".log")
    options = ("--port", str(port), "--no-open")
    with log.open("w") as output:
        server = subprocess.Popen(
            [edison, "--data-dir", data_dir, "serve", *options],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS) as client:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not is_healthy(client):
                assert server.poll() is None, f"the server ended:\n{log.read_text()}"
                assert time.monotonic() < deadline, f"no answer:\n{log.read_text()}"
                time.sleep(0.1)
            yield client
        server.terminate()
        assert server.wait(PATIENCE_SECONDS) in {0, -15}, f"no clean end:\n{log.read_text()}"
    finally:
        server.kill()
        server.wait()


def is_healthy(client: httpx.Client) -> bool:
    try:
        return client.get("/api/health").status_code == 200
    except httpx.TransportError:
        return False


def test_the_wheel_contains_all_generated_files_and_nothing_else(
    wheel: Path,
) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {INDEX, API_REFERENCE, DOCUMENTATION, SDK_CLIENT} <= set(names)
    documents = fnmatch.filter(names, "edison/app/openapi-*.json")
    assert documents == [f"edison/app/{openapi_file().name}"]
    assert any(re.fullmatch(r"edison/app/static/assets/.+\.js", name) for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"edison", "edison_workbench"}


def test_a_wheel_from_the_sdist_needs_neither_node_nor_the_front_end(
    wheel: Path, without_node: str, tmp_path: Path
) -> None:
    sdist = build(ROOT, tmp_path / "sdist", "--sdist")
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "/frontend/" in name]
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
    pinned = ("--build-constraint", CONSTRAINTS, "--wheel-dir", tmp_path)
    run(*pip, *pinned, sdist, PATH=without_node)
    (again,) = tmp_path.glob("*.whl")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


@pytest.mark.usefixtures("outside")
def test_help_lists_the_commands(edison: Path) -> None:
    assert "serve" in run(edison, "--help")


def test_the_installation_takes_less_than_450_megabytes(edison: Path) -> None:
    """Without bytecode, which uv does not write either, and without pip."""
    (packages,) = edison.parents[1].glob("lib/python*/site-packages")
    own = [folder for folder in packages.iterdir() if not folder.name.startswith(NOT_OURS)]
    files = [path for folder in own for path in (folder, *folder.rglob("*")) if path.is_file()]
    assert sum(path.stat().st_size for path in files if path.suffix != ".pyc") < LARGEST_BYTES


def test_doctor_finds_nothing_wrong_with_a_new_installation(edison: Path, outside: Path) -> None:
    run(edison, "--data-dir", outside / "data", "doctor")


def test_the_server_answers_with_the_ui_and_a_healthy_api(edison: Path, outside: Path) -> None:
    with serving(edison, outside / "data") as client:
        page = client.get("/")
        assert page.status_code == 200
        scripts = re.findall(r'src="(/[^"]+\.js)"', page.text)
        assert scripts
        assert [client.get(script).status_code for script in scripts] == [200] * len(scripts)
