"""Text of a JSON value inside a prompt. Deterministic on every machine.

Strings are inserted as they are. Numbers are formatted as in JavaScript: `3` for 3.0, `0.1`,
`1e-7`; integers keep every digit, which a browser loses beyond 2^53. `true`, `false` and `null` are
written as in JSON. Arrays and objects are JSON on one line without spaces, with sorted keys,
because databases do not preserve key order.
"""

import json
import math
from decimal import Decimal
from typing import Any


def value_text(value: Any) -> str:
    return value if isinstance(value, str) else _json_text(value)


def _json_text(value: Any) -> str:
    match value:
        case dict():
            members = (f"{_json_text(key)}:{_json_text(value[key])}" for key in sorted(value))
            return "{" + ",".join(members) + "}"
        case list() | tuple():
            return "[" + ",".join(map(_json_text, value)) + "]"
        case float():
            return _number_text(value)
        case None | bool() | int() | str():
            return json.dumps(value, ensure_ascii=False)
        case _:
            raise TypeError(f"{type(value).__name__} is not a JSON value")


def _number_text(number: float) -> str:
    """ECMAScript's notation: the fewest digits that identify the number, exponents only for numbers
    of more than 21 digits or below a millionth.
    """
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    _, figures, exponent = Decimal(repr(abs(number))).as_tuple()
    digits = "".join(map(str, figures))
    # The number is 0.digits times ten to the power of `point`.
    point = len(digits) + int(exponent)
    return sign + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    if 0 < point <= 21:
        if len(digits) <= point:
            return digits.ljust(point, "0")
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
