"""An application that is only inspected: its routes and its OpenAPI document, computed once."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from edison.app.main import create_app
from edison.settings import Settings

APPLICATION = create_app(Settings(data_dir=Path("unused")))


def describe() -> dict[str, Any]:
    """A copy, as some callers change it."""
    return deepcopy(APPLICATION.openapi())
