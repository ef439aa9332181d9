"""Validates that the parameters of a tool are a JSON Schema."""

from functools import cache
from typing import Annotated, Any

import jsonschema_rs
from pydantic import AfterValidator

from edison.api.json_values import JsonObject

LONGEST_REASON = 200
# The built-in copy. A schema's own `$schema` is never resolved: it could be any URL.
_META_SCHEMA = {"$ref": "https://json-schema.org/draft/2020-12/schema"}


@cache
def _meta_validator() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(_META_SCHEMA)


def check_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError with a message that says what is wrong, and where."""
    try:
        # Only the first problem: listing thousands would block other requests.
        _meta_validator().validate(parameters)
    except jsonschema_rs.ValidationError as problem:
        place = ".".join(map(str, problem.instance_path)) or "the top"
        reason = problem.message[:LONGEST_REASON]
        raise ValueError(f"This is not a valid JSON Schema. At {place}: {reason}.") from problem
    if parameters.get("type", "object") != "object":
        raise ValueError("The parameters of a tool must be of type object.")
    return parameters


ToolParameters = Annotated[JsonObject, AfterValidator(check_parameters)]
