"""Properties and methods of JavaScript values that templates may use.

Methods that take functions are left out: a template can pass none but macros.
"""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.javascript import (
    STRIPPED,
    UNDEFINED,
    JavaScriptError,
    cut,
    is_absent,
    is_number,
    is_strictly_equal,
    length_of,
    number_text,
    to_number,
    to_text,
    units,
)
from edison.pipeline.render.nunjucks.patterns import Pattern

Method = Callable[..., Any]
_INDEX = re.compile(r"0|[1-9]\d{0,9}")


def member(value: Any, key: Any, budget: RenderBudget) -> Any:
    """`value[key]`; methods are bound to their value."""
    if is_absent(value):
        return UNDEFINED
    if isinstance(value, dict):
        name = to_text(key)
        return value[name] if name in value else _method(_OBJECT, value, name, budget)
    if isinstance(value, str):
        return _text_member(value, key, budget)
    if isinstance(value, list):
        return _list_member(value, key, budget)
    if isinstance(value, Pattern):
        return _method(_PATTERN, value, to_text(key), budget)
    return _method(_NUMBER if is_number(value) else _OBJECT, value, to_text(key), budget)


def _method(methods: dict[str, Method], value: Any, name: str, budget: RenderBudget) -> Any:
    method = methods.get(name)
    return UNDEFINED if method is None else partial(method, budget, value)


def _position(key: Any) -> int | None:
    if is_number(key):
        return int(key) if key >= 0 and float(key).is_integer() else None
    return int(key) if isinstance(key, str) and _INDEX.fullmatch(key) else None


def _text_member(text: str, key: Any, budget: RenderBudget) -> Any:
    position = _position(key)
    if position is not None:
        return cut(text, position, position + 1) if position < length_of(text) else UNDEFINED
    name = to_text(key)
    return length_of(text) if name == "length" else _method(_TEXT, text, name, budget)


def _list_member(items: list[Any], key: Any, budget: RenderBudget) -> Any:
    position = _position(key)
    if position is not None:
        return items[position] if position < len(items) else UNDEFINED
    name = to_text(key)
    return len(items) if name == "length" else _method(_LIST, items, name, budget)


def _whole(value: Any, default: int) -> int:
    """An argument that is a position."""
    if value is UNDEFINED:
        return default
    number = to_number(value)
    if math.isnan(number):
        return 0
    return int(max(-(2**53), min(2**53, number)))


def _relative(value: Any, length: int, default: int) -> int:
    """A position that counts from the end when it is negative."""
    position = _whole(value, default)
    return max(0, length + position) if position < 0 else min(position, length)


def _slice(budget: RenderBudget, text: str, start: Any = UNDEFINED, end: Any = UNDEFINED) -> str:
    length = length_of(text)
    return (
        cut(text, _relative(start, length, 0), max(_relative(end, length, length), 0))
        if (_relative(start, length, 0) < _relative(end, length, length))
        else ""
    )


def _substring(
    budget: RenderBudget, text: str, start: Any = UNDEFINED, end: Any = UNDEFINED
) -> str:
    length = length_of(text)
    first = max(0, min(length, _whole(start, 0)))
    last = max(0, min(length, _whole(end, length)))
    return cut(text, min(first, last), max(first, last))


def _substr(budget: RenderBudget, text: str, start: Any = UNDEFINED, count: Any = UNDEFINED) -> str:
    length = length_of(text)
    first = _relative(start, length, 0)
    return cut(text, first, min(length, first + max(0, _whole(count, length))))


def _split(
    budget: RenderBudget, text: str, separator: Any = UNDEFINED, most: Any = UNDEFINED
) -> Any:
    budget.items(len(text) // 8)
    if separator is UNDEFINED:
        parts = [text]
    elif isinstance(separator, Pattern):
        parts = separator.split(text)
    elif (mark := to_text(separator)) == "":
        parts = [cut(text, at, at + 1) for at in range(length_of(text))]
    else:
        parts = text.split(mark)
    budget.items(len(parts))
    return parts if most is UNDEFINED else parts[: max(0, _whole(most, 0))]


def _replace(budget: RenderBudget, text: str, old: Any, new: Any, *, count: int = 1) -> str:
    replacement = to_text(new)
    if isinstance(old, Pattern):
        return old.replace(text, replacement, budget)
    searched = to_text(old)
    times = text.count(searched) if count < 0 else 1
    budget.text(len(text) + times * len(replacement))
    return text.replace(searched, replacement, count)


def _replace_all(budget: RenderBudget, text: str, old: Any, new: Any) -> str:
    return _replace(budget, text, old, new, count=-1)


def _repeat(budget: RenderBudget, text: str, count: Any = UNDEFINED) -> str:
    times = _whole(count, 0)
    if times < 0:
        raise JavaScriptError(f"Invalid count value: {times}")
    budget.text(len(text) * times)
    return text * times


def _pad(budget: RenderBudget, text: str, width: Any, filler: Any, *, at_start: bool) -> str:
    missing = _whole(width, 0) - length_of(text)
    fill = " " if filler is UNDEFINED else to_text(filler)
    if missing <= 0 or not fill:
        return text
    budget.text(missing)
    added = (fill * (missing // len(fill) + 1))[:missing]
    return added + text if at_start else text + added


def _pad_start(budget: RenderBudget, text: str, width: Any = 0, filler: Any = UNDEFINED) -> str:
    return _pad(budget, text, width, filler, at_start=True)


def _pad_end(budget: RenderBudget, text: str, width: Any = 0, filler: Any = UNDEFINED) -> str:
    return _pad(budget, text, width, filler, at_start=False)


def _index_of(budget: RenderBudget, text: str, searched: Any = UNDEFINED, start: Any = 0) -> int:
    found = text.find(to_text(searched), max(0, _whole(start, 0)))
    return found if found == -1 else length_of(text[:found])


def _at(budget: RenderBudget, value: Any, index: Any = 0) -> Any:
    length = len(value) if isinstance(value, list) else length_of(value)
    position = _whole(index, 0)
    position += length if position < 0 else 0
    if not 0 <= position < length:
        return UNDEFINED
    return value[position] if isinstance(value, list) else cut(value, position, position + 1)


def _character(budget: RenderBudget, text: str, index: Any = 0) -> str:
    position = _whole(index, 0)
    return cut(text, position, position + 1) if 0 <= position < length_of(text) else ""


def _code(budget: RenderBudget, text: str, index: Any = 0) -> Any:
    character = units(_character(budget, text, index))
    return int.from_bytes(character) if character else math.nan


def _concatenated(budget: RenderBudget, text: str, *others: Any) -> str:
    joined = [text, *map(to_text, others)]
    budget.text(sum(map(len, joined)))
    return "".join(joined)


def _match(budget: RenderBudget, text: str, pattern: Any = UNDEFINED) -> Any:
    budget.text(len(text))
    made = pattern if isinstance(pattern, Pattern) else Pattern.of(to_text(pattern), "")
    return made.match(text)


_TEXT: dict[str, Method] = {
    "at": _at,
    "charAt": _character,
    "charCodeAt": _code,
    "concat": _concatenated,
    "endsWith": lambda budget, text, end=UNDEFINED: text.endswith(to_text(end)),
    "includes": lambda budget, text, part=UNDEFINED: to_text(part) in text,
    "indexOf": _index_of,
    "lastIndexOf": lambda budget, text, part=UNDEFINED: text.rfind(to_text(part)),
    "match": _match,
    "padEnd": _pad_end,
    "padStart": _pad_start,
    "repeat": _repeat,
    "replace": _replace,
    "replaceAll": _replace_all,
    "slice": _slice,
    "split": _split,
    "startsWith": lambda budget, text, start=UNDEFINED: text.startswith(to_text(start)),
    "substr": _substr,
    "substring": _substring,
    "toLowerCase": lambda budget, text: text.lower(),
    "toUpperCase": lambda budget, text: text.upper(),
    "toString": lambda budget, text: str(text),
    "trim": lambda budget, text: text.strip(STRIPPED),
    "trimEnd": lambda budget, text: text.rstrip(STRIPPED),
    "trimStart": lambda budget, text: text.lstrip(STRIPPED),
    "valueOf": lambda budget, text: str(text),
}


def joined(budget: RenderBudget, items: list[Any], separator: Any = UNDEFINED) -> str:
    budget.walk(items)
    mark = "," if separator is UNDEFINED else to_text(separator)
    texts = ["" if is_absent(each) else to_text(each) for each in items]
    budget.text(sum(map(len, texts)) + len(mark) * len(texts))
    return mark.join(texts)


def position_in(items: list[Any], searched: Any) -> int:
    return next((at for at, each in enumerate(items) if is_strictly_equal(each, searched)), -1)


def _list_slice(
    budget: RenderBudget, items: list[Any], start: Any = UNDEFINED, end: Any = UNDEFINED
) -> list[Any]:
    length = len(items)
    return items[_relative(start, length, 0) : _relative(end, length, length)]


def _list_concatenated(budget: RenderBudget, items: list[Any], *others: Any) -> list[Any]:
    made = list(items)
    for each in others:
        budget.items(len(each) if isinstance(each, list) else 1)
        made.extend(each if isinstance(each, list) else [each])
    return made


def _push(budget: RenderBudget, items: list[Any], *added: Any) -> int:
    items.extend(added)
    return len(items)


def _reverse(budget: RenderBudget, items: list[Any]) -> list[Any]:
    items.reverse()
    return items


def _flat(budget: RenderBudget, items: list[Any]) -> list[Any]:
    made: list[Any] = []
    for each in items:
        made.extend(each if isinstance(each, list) else [each])
    budget.items(len(made))
    return made


def _sort(budget: RenderBudget, items: list[Any]) -> list[Any]:
    budget.walk(items)
    items.sort(key=lambda each: units(to_text(each)))
    return items


_LIST: dict[str, Method] = {
    "at": _at,
    "concat": _list_concatenated,
    "flat": _flat,
    "includes": lambda budget, items, value=UNDEFINED: position_in(items, value) != -1,
    "indexOf": lambda budget, items, value=UNDEFINED: position_in(items, value),
    "join": joined,
    "pop": lambda budget, items: items.pop() if items else UNDEFINED,
    "push": _push,
    "reverse": _reverse,
    "shift": lambda budget, items: items.pop(0) if items else UNDEFINED,
    "slice": _list_slice,
    "sort": _sort,
    "toString": joined,
}


def _fixed(budget: RenderBudget, number: float, digits: Any = 0) -> str:
    places = _whole(digits, 0)
    if not 0 <= places <= 100:
        raise JavaScriptError("toFixed() digits argument must be between 0 and 100")
    return f"{number:.{places}f}" if math.isfinite(number) else number_text(number)


def _precision(budget: RenderBudget, number: float, digits: Any = UNDEFINED) -> str:
    places = _whole(digits, 0)
    if digits is UNDEFINED or not math.isfinite(number):
        return number_text(number)
    if not 1 <= places <= 100:
        raise JavaScriptError("toPrecision() argument must be between 1 and 100")
    exponent = math.floor(math.log10(abs(number))) if number else 0
    if -7 < exponent < places:
        return f"{number:.{places - 1 - exponent}f}"
    return f"{number:.{places - 1}e}".replace("e+0", "e+").replace("e-0", "e-")


_NUMBER: dict[str, Method] = {
    "toFixed": _fixed,
    "toPrecision": _precision,
    "toString": lambda budget, number: number_text(number),
}
_OBJECT: dict[str, Method] = {
    "hasOwnProperty": lambda budget, value, name="": (
        isinstance(value, dict) and to_text(name) in value
    ),
    "toString": lambda budget, value: to_text(value),
}
_PATTERN: dict[str, Method] = {
    "test": lambda budget, pattern, text="": pattern.match(to_text(text)) is not None,
    "exec": lambda budget, pattern, text="": pattern.match(to_text(text)),
}
