"""Arbitrary JSON from clients that is stored or passed on unchanged."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from edison.api.schema import without_control_characters

DEEPEST_NESTING = 32


def check_json(value: Any) -> Any:
    """Raises ValueError for JSON values that databases or providers do not accept."""
    pending = [(value, 0)]
    while pending:
        current, depth = pending.pop()
        if depth > DEEPEST_NESTING:
            raise ValueError(f"Nest at most {DEEPEST_NESTING} levels deep.")
        if isinstance(current, dict):
            pending += [(part, depth + 1) for pair in current.items() for part in pair]
        elif isinstance(current, list):
            pending += [(part, depth + 1) for part in current]
        else:
            _check_scalar(current)
    return value


def _check_scalar(value: Any) -> None:
    if isinstance(value, str):
        without_control_characters(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("Infinity and NaN are not JSON.")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("Whole numbers must fit into 64 bits.")


AnyJson = Annotated[
    Any, AfterValidator(check_json), Field(description="Any JSON value, up to 32 levels deep")
]
JsonObject = Annotated[dict[str, Any], AfterValidator(check_json)]
