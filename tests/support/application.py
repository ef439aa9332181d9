"""An application that is only inspected: its routes and its OpenAPI document."""

import fcntl
import os
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from edison.app.main import create_app
from edison.app.openapi_file import openapi_file
from edison.settings import Settings

APPLICATION = create_app(Settings(data_dir=Path("unused")))
_FILE = Path(__file__).parents[2] / ".tmp" / "test-results" / "openapi.json"


def describe() -> dict[str, Any]:
    """A copy, as some callers change it."""
    document: dict[str, Any] = orjson.loads(_document())
    return document


@cache
def _document() -> bytes:
    """That of the build, if it is current. Otherwise making it takes some seconds of CPU, so the
    workers of a test run share it in a file, which begins with the name of the run.
    """
    if (built := openapi_file()).is_file():
        return built.read_bytes()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return orjson.dumps(APPLICATION.openapi())
    _FILE.parent.mkdir(parents=True, exist_ok=True)
    with _FILE.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        made_for, _, document = file.read().partition(b"\n")
        if made_for == run.encode():
            return document
        document = orjson.dumps(APPLICATION.openapi())
        file.truncate(0)
        file.write(run.encode() + b"\n" + document)
        return document
