"""Strict JSON, as defined by the standard and by browsers; Python's parser accepts more."""

import json
import sys
from typing import Any, NoReturn

# Python rejects longer integers, because parsing them takes quadratic time.
_MOST_DIGITS = 4300


class NotJson(ValueError):
    """The message is a short reason with its position."""


def read_json(text: str, *, allows_repeated_keys: bool = True) -> Any:
    """Raises NotJson. The last value of a repeated key counts, unless repeated keys are not
    allowed.
    """
    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_read_number,
            parse_int=_read_whole_number,
            object_pairs_hook=None if allows_repeated_keys else _read_members,
        )
    except json.JSONDecodeError as wrong:
        raise NotJson(f"{wrong.msg} (line {wrong.lineno}, column {wrong.colno})") from wrong
    except RecursionError as deep:
        raise NotJson("Nested too deeply") from deep


def _read_whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else _read_number(digits)


def _read_number(text: str) -> float:
    """JSON has no infinity: numbers beyond the range of a float are clamped to it."""
    most = sys.float_info.max
    return max(-most, min(most, float(text)))


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON value")


def _read_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise NotJson("A key is repeated")
    return found
