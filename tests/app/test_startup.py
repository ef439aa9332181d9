"""What a start of the server loads and builds."""

import subprocess
import sys
from typing import Any

import orjson
import pytest

# Slow to import, and not needed to serve a page.
UNUSED = (
    *("aiohttp", "alembic.command", "authlib", "joserfc", "jwt", "mcp", "opentelemetry.sdk"),
    *("anthropic", "boto3", "genai_prices", "google.genai", "openai", "pydantic_ai", "tiktoken"),
    *("edison.app.demo.project", "edison.simulation.casework", "edison.simulation.simulate"),
    *("edison.app.tasks", "edison.exchange.service", "edison.loops.bundles.service"),
    *("edison.pipeline.generate.outbound", "numpy"),
)
PROGRAM = f"""
import json, sys
from edison.cli.serve import load_application
load_application()
import dataclasses
from fastapi.openapi.models import Link
from edison.app.routers import all_routes
from edison.kit.lazy_dataclasses import LazyMethod
classes = {{
    value
    for name, module in sys.modules.items() if name.startswith("edison.")
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__ == name and dataclasses.is_dataclass(value)
}}
print(json.dumps({{
    "loaded": [name for name in {UNUSED!r} if name in sys.modules],
    "builds validators": Link.__pydantic_complete__,
    "dataclasses": len(classes),
    "with methods": sum(not isinstance(vars(each)["__init__"], LazyMethod) for each in classes),
    "routes": len(all_routes()),
    "with patterns": sum("path_regex" in vars(route) for route in all_routes()),
}}))
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    found: dict[str, Any] = orjson.loads(done.stdout)
    return found


def test_only_what_pages_need_is_imported(loaded: dict[str, Any]) -> None:
    assert loaded["loaded"] == []


def test_nothing_is_built_before_its_first_use(loaded: dict[str, Any]) -> None:
    assert loaded["builds validators"] is False
    assert loaded["with patterns"] == 0 < loaded["routes"]
    assert loaded["with methods"] < 100 < loaded["dataclasses"]
