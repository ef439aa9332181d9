"""Writes the OpenAPI document of Edison's sources, for what is generated from it:

    python scripts/openapi_document.py          write the document unless it is current
    python scripts/openapi_document.py FILE     and copy it to a file

Making it takes seconds, so it is kept in src/edison/app, where a running Edison finds it too. Used
by the build hook and the Makefile. Needs only the standard library here, and Edison's dependencies
in the process that makes the document.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

# The build hook loads this file by its path, in an environment without Edison.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from edison.app.openapi_file import FOLDER, SOURCES, openapi_file


class DocumentError(Exception):
    """The document cannot be made; the message says why."""


def needs_write() -> bool:
    return not openapi_file().is_file()


def write() -> bool:
    """Writes the document if it is out of date. Returns whether it was."""
    # Named before the document is made: a file saved meanwhile must make the document stale.
    file = openapi_file()
    if file.is_file():
        return False
    text = _make()
    for stale in FOLDER.glob("openapi-*.json"):
        stale.unlink(missing_ok=True)
    # Named after the process, as several may write it at once.
    written = file.with_suffix(f".{os.getpid()}.new")
    written.write_text(text)
    written.replace(file)
    return True


def read_document() -> dict[str, Any]:
    """The document of these sources, which is written if it is out of date."""
    write()
    document: dict[str, Any] = json.loads(openapi_file().read_bytes())
    return document


def _make() -> str:
    # pip's build environments remove paths from PYTHONPATH, so the program adds its own.
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCES.parent)!r}); "
        "from edison.cli.openapi import print_document; print_document()"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    if ended.returncode:
        told = ended.stderr.decode(errors="replace")
        raise DocumentError(f"The OpenAPI document cannot be made.\n{told}")
    return json.dumps(json.loads(ended.stdout), separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    try:
        print("OpenAPI document made." if write() else "OpenAPI document is current.")
    except DocumentError as error:
        sys.exit(str(error))
    for copy in sys.argv[1:]:
        shutil.copyfile(openapi_file(), copy)
