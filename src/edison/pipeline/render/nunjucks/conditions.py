"""Tests of templates: `value is defined`."""

from collections.abc import Callable, Mapping
from typing import Any

from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    SafeText,
    is_at_most,
    is_less,
    is_number,
    is_strictly_equal,
    is_true,
    remainder,
    to_number,
)


def _is_even(value: Any) -> bool:
    return remainder(to_number(value), 2) == 0


def _is_odd(value: Any) -> bool:
    return remainder(to_number(value), 2) == 1


def _greater(value: Any, other: Any) -> bool:
    return is_less(other, value)


def _at_least(value: Any, other: Any) -> bool:
    return is_at_most(other, value)


def _lower(value: Any) -> bool:
    return isinstance(value, str) and value.lower() == value


def _upper(value: Any) -> bool:
    return isinstance(value, str) and value.upper() == value


def _divisible(value: Any, other: Any) -> bool:
    return remainder(to_number(value), to_number(other)) == 0


CONDITIONS: Mapping[str, Callable[..., bool]] = {
    "callable": callable,
    "defined": lambda value: value is not UNDEFINED,
    "divisibleby": _divisible,
    "escaped": lambda value: isinstance(value, SafeText),
    "equalto": is_strictly_equal,
    "eq": is_strictly_equal,
    "sameas": is_strictly_equal,
    "even": _is_even,
    "falsy": lambda value: not is_true(value),
    "ge": _at_least,
    "greaterthan": _greater,
    "gt": _greater,
    "le": is_at_most,
    "lessthan": is_less,
    "lower": _lower,
    "lt": is_less,
    "mapping": lambda value: isinstance(value, dict),
    "ne": lambda value, other: not is_strictly_equal(value, other),
    "iterable": lambda value: isinstance(value, str | list),
    "null": lambda value: value is None,
    "none": lambda value: value is None,
    "number": is_number,
    "odd": _is_odd,
    "string": lambda value: isinstance(value, str) and not isinstance(value, SafeText),
    "truthy": is_true,
    "undefined": lambda value: value is UNDEFINED,
    "upper": _upper,
}
