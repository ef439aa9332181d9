"""JSON Schemas of assertions, by the rules of promptfoo's validator (Ajv in strict mode): an
unknown keyword or type makes the row an error.
"""

from collections.abc import Iterator
from typing import Any

import orjson

from edison.pipeline.score.assertions.model import RowError
from edison.pipeline.score.schema_checks import LimitExceeded, find_misfit

_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
_SCHEMAS = {"not", "if", "then", "else", "contains", "additionalItems", "propertyNames",
            "additionalProperties", "items"}  # fmt: skip
_LISTS = {"allOf", "anyOf", "oneOf"}
_MAPPINGS = {"properties", "patternProperties", "definitions", "$defs", "dependentSchemas"}
_KEYWORDS = (
    _SCHEMAS | _LISTS | _MAPPINGS
    | {"$schema", "$id", "$ref", "$comment", "$vocabulary", "$anchor", "$async", "id", "title",
       "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "type", "enum",
       "const", "format", "formatMinimum", "formatMaximum", "formatExclusiveMinimum",
       "formatExclusiveMaximum", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
       "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
       "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required",
       "dependencies", "dependentRequired", "discriminator", "nullable", "contentMediaType",
       "contentEncoding", "contentSchema"}
)  # fmt: skip

_FORMATS = frozenset((
    "date", "time", "date-time", "iso-time", "iso-date-time", "duration", "uri", "uri-reference",
    "uri-template", "url", "email", "hostname", "ipv4", "ipv6", "regex", "uuid", "json-pointer",
    "json-pointer-uri-fragment", "relative-json-pointer", "byte", "int32", "int64", "float",
    "double", "password", "binary",
))  # fmt: skip


async def find_problem(schema: Any, value: str) -> str | None:
    """Why the JSON text does not fit the schema; None when it does. Raises RowError."""
    _check(schema)
    try:
        return await find_misfit(orjson.dumps(schema).decode(), value)
    except LimitExceeded as too_much:
        raise RowError(str(too_much)) from too_much
    except (ValueError, TypeError) as wrong:
        raise RowError(f"This is not a valid JSON Schema: {str(wrong)[:200]}") from wrong


def _check(schema: Any) -> None:
    open_schemas = [schema]
    while open_schemas:
        found = open_schemas.pop()
        if isinstance(found, bool):
            continue
        if not isinstance(found, dict):
            raise RowError("A schema is an object.")
        if unknown := [name for name in found if name not in _KEYWORDS]:
            raise RowError(f"The schema has an unknown keyword: {unknown[0][:80]}")
        _check_types(found.get("type", []))
        if isinstance(form := found.get("format"), str) and form not in _FORMATS:
            raise RowError(f"The schema has an unknown format: {form[:80]}")
        open_schemas.extend(_below(found))


def _check_types(given: Any) -> None:
    types = given if isinstance(given, list) else [given]
    if not all(isinstance(each, str) and each in _TYPES for each in types):
        raise RowError("The schema has an unknown type.")


def _below(schema: dict[str, Any]) -> Iterator[Any]:
    for name, value in schema.items():
        if name in _SCHEMAS:
            yield from value if isinstance(value, list) else [value]
        elif name in _LISTS and isinstance(value, list):
            yield from value
        elif name in _MAPPINGS and isinstance(value, dict):
            yield from value.values()
