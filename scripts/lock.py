"""Write constraints.txt: the newest version of everything that pyproject.toml allows.

Runs in a throw-away virtualenv, so that nothing lingers from earlier installations. Covers what
Edison needs to run, to be developed and to be built.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from frontend import NODE_WHEEL

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
HEADER = "# Every dependency to run, develop and build Edison. Written by `make lock`.\n"
# Added by hatchling when it makes an editable installation.
EDITABLE_BUILD = "editables"


def newest_versions() -> list[str]:
    """Install everything without constraints and return it as `name==version` lines."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build_tools = [*project["build-system"]["requires"], EDITABLE_BUILD, NODE_WHEEL]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder, "Scripts" if os.name == "nt" else "bin")
        pip = [str(programs / "python"), "-m", "pip"]
        install = [*pip, "install", "--quiet"]
        environment = {**os.environ, "EDISON_SKIP_UI_BUILD": "1"}
        subprocess.run([*install, "--upgrade", "pip"], check=True)
        subprocess.run(
            [*install, "--editable", ".[embeddings,otel]", "--group", "dev", *build_tools],
            cwd=ROOT,
            env=environment,
            check=True,
        )
        freeze = [*pip, "freeze", "--all", "--exclude", "edison", "--exclude", "setuptools"]
        frozen = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout
    return sorted(frozen.splitlines(), key=str.lower)


def main() -> None:
    lines = newest_versions()
    if strange := [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)]:
        sys.exit(f"Not an exact version: {strange}")
    CONSTRAINTS.write_text(HEADER + "\n".join(lines) + "\n")
    print(f"{len(lines)} packages pinned in {CONSTRAINTS.name}")


if __name__ == "__main__":
    main()
