"""JavaScript values in Python, as far as templates see them.

`undefined` is `UNDEFINED` and `null` is None; booleans, texts, lists and dicts are themselves.
Numbers are ints while they are whole and exact, floats otherwise. Functions are Python callables
that take their arguments as positional ones.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from edison.pipeline.render.values import value_text

_LARGEST_EXACT = 2**53
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)")
_BASED = re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+")
_POSITION = re.compile(r"0|[1-9]\d{0,8}")
# What JavaScript calls white space, which is less than Python does.
BLANKS: Final = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
STRIPPED: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)


class _Undefined:
    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = _Undefined()


class SafeText(str):
    """A text that `escape` leaves alone."""

    __slots__ = ()


class JavaScriptError(Exception):
    """What JavaScript would throw."""


def is_absent(value: Any) -> bool:
    return value is None or value is UNDEFINED


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_true(value: Any) -> bool:
    if isinstance(value, list | dict) or callable(value):
        return True
    if isinstance(value, float):
        return value != 0 and not math.isnan(value)
    return bool(value)


def normal(number: float) -> int | float:
    """The number as JavaScript would hold it, whole numbers as ints."""
    if isinstance(number, int):
        return number if abs(number) <= _LARGEST_EXACT else _as_float(number)
    if number.is_integer() and abs(number) <= _LARGEST_EXACT:
        return int(number)
    return number


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def to_text(value: Any) -> str:
    """`String(value)`."""
    if isinstance(value, str):
        return str(value)
    if value is UNDEFINED:
        return "undefined"
    if is_number(value):
        return number_text(value)
    if isinstance(value, list | tuple):
        return ",".join("" if is_absent(each) else to_text(each) for each in value)
    if isinstance(value, dict) or callable(value):
        return "[object Object]" if isinstance(value, dict) else "function () { [native code] }"
    return value_text(value)


def number_text(number: float) -> str:
    if isinstance(number, int) and abs(number) <= _LARGEST_EXACT:
        return str(number)
    number = float(_as_float(number) if isinstance(number, int) else number)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return value_text(number)


def to_number(value: Any) -> int | float:
    """`Number(value)`."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if value is None:
        return 0
    if isinstance(value, list | tuple):
        return to_number(to_text(value))
    if not isinstance(value, str):
        return math.nan
    return _number_in(value.strip(STRIPPED))


def _number_in(text: str) -> int | float:
    if not text:
        return 0
    if _BASED.fullmatch(text):
        return normal(int(text, 0))
    if text in {"Infinity", "+Infinity", "-Infinity"}:
        return math.copysign(math.inf, -1 if text[0] == "-" else 1)
    return normal(float(text)) if _NUMBER.fullmatch(text) else math.nan


def parse_float(value: Any) -> int | float:
    """`parseFloat(value)`: the number that the text begins with."""
    text = to_text(value).lstrip(STRIPPED)
    found = _NUMBER.match(text)
    if found:
        return normal(float(found[0]))
    infinite = re.match(r"([+-]?)Infinity", text)
    return math.copysign(math.inf, -1 if infinite[1] == "-" else 1) if infinite else math.nan


def parse_int(value: Any, base: int = 10) -> int | float:
    """`parseInt(value, base)`."""
    text = to_text(value).lstrip(STRIPPED).lower()
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-") if text[:1] in {"+", "-"} else text
    if base == 16 and text.startswith("0x"):
        text = text[2:]
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[: base if 2 <= base <= 36 else 10]
    length = 0
    while length < len(text) and text[length] in digits:
        length += 1
    return normal(sign * int(text[:length], base)) if 0 < length <= 4000 else math.nan


def to_json(value: Any, indent: str = "") -> Any:
    """`JSON.stringify(value, null, indent)`; UNDEFINED for what JSON cannot hold."""
    if value is UNDEFINED or (callable(value) and not isinstance(value, dict)):
        return UNDEFINED
    return _json(value, indent, "\n" if indent else "")


def _json(value: Any, indent: str, line: str) -> str:
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if is_number(value):
        return number_text(value) if math.isfinite(value) else "null"
    inner = line + indent
    if isinstance(value, Mapping):
        colon = ": " if indent else ":"
        members = [
            f"{_json(str(name), indent, inner)}{colon}{_json(each, indent, inner)}"
            for name, each in members_of(value)
            if each is not UNDEFINED and not callable(each)
        ]
        return _wrapped("{", members, "}", (line, inner))
    items = [
        "null" if each is UNDEFINED or callable(each) else _json(each, indent, inner)
        for each in value
    ]
    return _wrapped("[", items, "]", (line, inner))


def members_of(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Members in JavaScript's order: names that are whole numbers come first, by size."""
    numbered = sorted((each for each in value if _POSITION.fullmatch(str(each))), key=int)
    if not numbered:
        return list(value.items())
    first = dict.fromkeys(numbered)
    return [
        (each, value[each]) for each in (*first, *(each for each in value if each not in first))
    ]


def _wrapped(opening: str, parts: list[str], closing: str, lines: tuple[str, str]) -> str:
    line, inner = lines
    if not parts:
        return opening + closing
    return f"{opening}{inner}{f',{inner}'.join(parts)}{line}{closing}"


def parse_json(text: str) -> Any:
    """`JSON.parse(text)`. Raises JavaScriptError."""
    try:
        return _JSON.decode(text.strip(" \t\n\r"))
    except (ValueError, RecursionError) as wrong:
        raise JavaScriptError(f"{text[:40]!r} is not valid JSON") from wrong


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parsed_float(text: str) -> int | float:
    return normal(float(text))


# Made once: templates and assertions of each cell are parsed.
_JSON = json.JSONDecoder(parse_constant=_refuse, parse_float=_parsed_float)


def is_strictly_equal(one: Any, other: Any) -> bool:
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return one is other
    if is_number(one) and is_number(other):
        return bool(one == other)
    return _kind(one) == _kind(other) and bool(one == other)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "number"
    return "string" if isinstance(value, str) else repr(type(value))


def is_loosely_equal(one: Any, other: Any) -> bool:
    if is_absent(one) or is_absent(other):
        return is_absent(one) and is_absent(other)
    if _kind(one) == _kind(other) or (
        isinstance(one, list | dict) and isinstance(other, list | dict)
    ):
        return is_strictly_equal(one, other)
    if isinstance(one, list | dict):
        one = to_text(one)
    if isinstance(other, list | dict):
        other = to_text(other)
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return bool(to_number(one) == to_number(other))


def is_less(one: Any, other: Any) -> bool:
    """`one < other`."""
    one, other = _primitive(one), _primitive(other)
    if isinstance(one, str) and isinstance(other, str):
        return units(one) < units(other)
    return bool(to_number(one) < to_number(other))


def is_at_most(one: Any, other: Any) -> bool:
    """`one <= other`, which is false for what is not a number."""
    one, other = _primitive(one), _primitive(other)
    if isinstance(one, str) and isinstance(other, str):
        return units(one) <= units(other)
    return bool(to_number(one) <= to_number(other))


def _primitive(value: Any) -> Any:
    return to_text(value) if isinstance(value, list | dict) or callable(value) else value


def add(one: Any, other: Any) -> Any:
    """`one + other`."""
    one, other = _primitive(one), _primitive(other)
    if isinstance(one, str) or isinstance(other, str):
        return to_text(one) + to_text(other)
    return normal(to_number(one) + to_number(other))


def arithmetic(operator: Callable[[float, float], float]) -> Callable[[Any, Any], Any]:
    """An operator on the numbers of two values."""

    def calculate(one: Any, other: Any) -> Any:
        try:
            return normal(operator(to_number(one), to_number(other)))
        except (OverflowError, ValueError):
            return math.nan

    return calculate


def divide(one: float, other: float) -> float:
    if other:
        return one / other
    if one == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1, other)


def remainder(one: float, other: float) -> float:
    return math.fmod(one, other) if other and math.isfinite(one) else math.nan


def power(one: float, other: float) -> float:
    try:
        result = float(one) ** float(other)
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        return math.inf
    return math.nan if isinstance(result, complex) else result


def units(text: str) -> bytes:
    """The text's UTF-16 units, which JavaScript counts and compares."""
    return text.encode("utf-16-be", "surrogatepass")


def length_of(text: str) -> int:
    return len(text) if text.isascii() else len(units(text)) // 2


def cut(text: str, start: int, end: int) -> str:
    """UTF-16 units from `start` to `end`, both within the text."""
    if text.isascii() or max(text) < "\U00010000":
        return text[start:end]
    return units(text)[2 * start : 2 * end].decode("utf-16-be", "surrogatepass")
