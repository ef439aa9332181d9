"""Validates JSON values against users' JSON Schemas.

Work that `schema_bounds` proves to be small is done in the event loop. All other work is done by a
limited worker process, which runs this module's `check_in_worker` and may be killed at any time.
"""

from functools import lru_cache
from itertools import islice
from typing import Any

import jsonschema_rs

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.sandbox.limited import LimitExceeded, limited_workers
from edison.pipeline.score.schema_bounds import Bounds, count_nodes, measure

_MOST_PROBLEMS = 3
_LONGEST_REASON = 200
# Max pairs of schema nodes and value nodes checked in the event loop. The validator reports a
# problem in about 50 microseconds, and at most one per pair.
_MOST_PAIRS = 5_000
# Long texts count as well, because patterns and comparisons read them.
_CHARACTERS_PER_PAIR = 500
_LARGEST_PATTERN_BYTES = 3_000_000

__all__ = ["LimitExceeded", "check_definition", "check_in_worker", "find_misfit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiled:
    validator: jsonschema_rs.Draft202012Validator
    bounds: Bounds


def check_definition(definition: str) -> None:
    """Raises ValueError with a sentence for the author of the schema."""
    _compile(definition)


async def find_misfit(definition: str, text: str) -> str | None:
    """Why the JSON `text` does not fit the schema; None when it does. Raises LimitExceeded, and
    NotJson when `text` is not JSON.
    """
    value = read_json(text)
    compiled = _compile(definition)
    if _is_small(compiled.bounds, value, len(definition) * len(text)):
        return _find_misfit(compiled.validator, value)
    found = await limited_workers().ask({"task": "schema", "definition": definition, "text": text})
    return None if found is None else str(found)


def check_in_worker(question: Any) -> str | None:
    """`find_misfit` in the worker process, without the size check."""
    validator = _compile(question["definition"]).validator
    return _find_misfit(validator, read_json(question["text"]))


def _is_small(bounds: Bounds, value: Any, characters: int) -> bool:
    if bounds.expanded is None:
        return False
    left = _MOST_PAIRS - characters // _CHARACTERS_PER_PAIR
    most = left // max(1, bounds.expanded)
    return most > 0 and count_nodes(value, most=most) <= most


def _find_misfit(validator: jsonschema_rs.Draft202012Validator, value: Any) -> str | None:
    try:
        if validator.is_valid(value):
            return None
        problems = islice(validator.iter_errors(value), _MOST_PROBLEMS)
        return " ".join(_described(problem) for problem in problems)
    except ValueError:
        return "Nested too deeply, or not made of characters."


def _described(problem: jsonschema_rs.ValidationError) -> str:
    place = ".".join(map(str, problem.instance_path)) or "the top"
    return f"At {place}: {problem.message[:_LONGEST_REASON]}."


@lru_cache(maxsize=64)
def _compile(definition: str) -> _Compiled:
    """Raises ValueError with a sentence for the author of the schema."""
    try:
        schema = read_json(definition)
    except NotJson as wrong:
        raise ValueError(f"The schema is not JSON: {wrong}.") from wrong
    if not isinstance(schema, dict | bool):
        raise ValueError("A schema is a JSON object.")  # noqa: TRY004 - Pydantic expects ValueError
    bounds = measure(schema)
    try:
        validator = jsonschema_rs.Draft202012Validator(
            schema,
            offline=True,
            validate_formats=True,
            pattern_options=jsonschema_rs.RegexOptions(size_limit=_LARGEST_PATTERN_BYTES),
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as wrong:
        reason = str(wrong).partition("\n")[0][:_LONGEST_REASON]
        raise ValueError(f"This is not a valid JSON Schema: {reason}.") from wrong
    return _Compiled(validator=validator, bounds=bounds)
