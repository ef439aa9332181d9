"""An application that is only looked at: its routes and its description, worked out once."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from edison.app.main import create_app
from edison.settings import Settings

APPLICATION = create_app(Settings(data_dir=Path("unused")))


def describe() -> dict[str, Any]:
    """A copy of one's own; some who read it also change it."""
    return deepcopy(APPLICATION.openapi())
