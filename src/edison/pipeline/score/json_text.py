"""Strict JSON, as defined by the standard and by browsers; Python's parser accepts more."""

import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn

# Python rejects longer integers, because parsing them takes quadratic time.
_MOST_DIGITS = 4300
_BYTE_ORDER_MARK = "\ufeff"


class NotJson(ValueError):
    """The message is a short reason with its position."""


def read_json(text: str, *, allows_repeated_keys: bool = True) -> Any:
    """Raises NotJson. The last value of a repeated key counts, unless repeated keys are not
    allowed.
    """
    if text.startswith(_BYTE_ORDER_MARK):
        raise NotJson("Unexpected UTF-8 BOM (decode using utf-8-sig) (line 1, column 1)")
    try:
        return (_decoder if allows_repeated_keys else _decoder_of_single_keys).decode(text)
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


def _make_decoder(read_members: Callable[[list[tuple[str, Any]]], Any] | None) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_constant=_refuse_constant,
        parse_float=_read_number,
        parse_int=_read_whole_number,
        object_pairs_hook=read_members,
    )


# Built once: `json.loads` with options builds a decoder per call.
_decoder = _make_decoder(None)
_decoder_of_single_keys = _make_decoder(_read_members)
