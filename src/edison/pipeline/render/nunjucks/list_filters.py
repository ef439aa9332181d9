"""Filters of lists, objects and numbers."""

import math
from collections.abc import Callable, Mapping
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from edison.pipeline.render.nunjucks.budget import RenderBudget
from edison.pipeline.render.nunjucks.conditions import CONDITIONS
from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    JavaScriptError,
    SafeText,
    add,
    cut,
    is_absent,
    is_less,
    is_number,
    is_strictly_equal,
    is_true,
    length_of,
    normal,
    parse_float,
    parse_int,
    to_number,
    to_text,
)
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.members import joined, member


class Arguments(dict[str, Any]):
    """Named arguments of a call."""


def _items(value: Any, name: str) -> list[Any]:
    """A list, or what JavaScript throws when a method of lists is called on something else."""
    if not isinstance(value, list):
        raise JavaScriptError(f"{name}: not a list")
    return value


def _characters(text: str) -> list[Any]:
    return [cut(text, at, at + 1) for at in range(length_of(text))]


def _sequence(value: Any) -> list[Any]:
    """What has a length: lists and texts; anything else is empty."""
    if isinstance(value, str):
        return _characters(value)
    if is_absent(value):
        raise JavaScriptError("Cannot read properties of undefined (reading 'length')")
    return value if isinstance(value, list) else []


def _abs(budget: RenderBudget, value: Any) -> Any:
    return abs(to_number(value))


def _batch(budget: RenderBudget, value: Any, size: Any = UNDEFINED, filler: Any = UNDEFINED) -> Any:
    items = _sequence(value)
    count = to_number(size)
    if not count >= 1:
        return [items] if items else []
    width = int(count)
    rows = [items[at : at + width] for at in range(0, len(items), width)]
    if rows and is_true(filler):
        budget.items(width)
        rows[-1] = rows[-1] + [filler] * (width - len(rows[-1]))
    return rows


def _dict_sort(
    budget: RenderBudget, value: Any, is_exact: Any = False, by: Any = UNDEFINED
) -> list[list[Any]]:
    if not isinstance(value, dict):
        raise TemplateError("dictsort filter: val must be an object")
    if by not in (UNDEFINED, "key", "value"):
        raise TemplateError("dictsort filter: You can only sort by either key or value")
    side = 1 if by == "value" else 0

    def compare(one: list[Any], other: list[Any]) -> int:
        left, right = (
            each.upper() if isinstance(each, str) and not is_true(is_exact) else each
            for each in (one[side], other[side])
        )
        if is_less(right, left):
            return 1
        return 0 if is_strictly_equal(left, right) else -1

    return sorted(([name, each] for name, each in value.items()), key=cmp_to_key(compare))


def _first(budget: RenderBudget, value: Any) -> Any:
    if is_absent(value):
        raise JavaScriptError("Cannot read properties of undefined (reading '0')")
    return member(value, 0, budget)


def _last(budget: RenderBudget, value: Any) -> Any:
    items = _sequence(value)
    return items[-1] if items else UNDEFINED


def _path(value: Any, path: str, budget: RenderBudget) -> Any:
    for name in path.split("."):
        value = member(value, name, budget)
    return value


def _group_by(budget: RenderBudget, value: Any, attribute: Any = UNDEFINED) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for each in _items(value, "groupby"):
        key = to_text(_path(each, to_text(attribute), budget))
        groups.setdefault(key, []).append(each)
    return groups


def _join(
    budget: RenderBudget, value: Any, separator: Any = UNDEFINED, attribute: Any = UNDEFINED
) -> str:
    items = _items(value, "join")
    if is_true(attribute):
        items = [member(each, attribute, budget) for each in items]
    return joined(budget, items, separator if is_true(separator) else "")


def _length(budget: RenderBudget, value: Any) -> Any:
    if is_absent(value) or value is False:
        return 0
    if isinstance(value, str):
        return length_of(value)
    return len(value) if isinstance(value, list | dict) else UNDEFINED


def _list(budget: RenderBudget, value: Any) -> list[Any]:
    if isinstance(value, str):
        return _characters(value)
    if isinstance(value, dict):
        return [{"key": name, "value": each} for name, each in value.items()]
    if isinstance(value, list):
        return value
    raise TemplateError("list filter: type not iterable")


def _selecting(wanted: bool) -> Callable[..., list[Any]]:
    def select(
        budget: RenderBudget, value: Any, name: Any = "truthy", argument: Any = UNDEFINED
    ) -> list[Any]:
        test = CONDITIONS.get(to_text(name))
        if test is None:
            raise TemplateError(f"test not found: {to_text(name)}")
        extra = () if argument is UNDEFINED else (argument,)
        return [each for each in _items(value, "select") if test(each, *extra) is wanted]

    return select


def _selecting_attribute(wanted: bool) -> Callable[..., list[Any]]:
    def select(budget: RenderBudget, value: Any, attribute: Any = UNDEFINED) -> list[Any]:
        items = _items(value, "selectattr")
        return [each for each in items if is_true(member(each, attribute, budget)) is wanted]

    return select


def _reverse(budget: RenderBudget, value: Any) -> Any:
    if isinstance(value, str):
        made = "".join(reversed(_characters(value)))
        return SafeText(made) if isinstance(value, SafeText) else made
    return list(reversed(_sequence(value)))


def _round(
    budget: RenderBudget, value: Any, precision: Any = UNDEFINED, method: Any = UNDEFINED
) -> Any:
    factor = 10.0 ** int(max(-300, min(300, to_number(precision) if is_true(precision) else 0)))
    scaled = to_number(value) * factor
    if not math.isfinite(scaled):
        return scaled
    if method == "ceil":
        rounded = math.ceil(scaled)
    else:
        rounded = math.floor(scaled if method == "floor" else scaled + 0.5)
    return normal(rounded / factor)


def _slice(
    budget: RenderBudget, value: Any, slices: Any = UNDEFINED, filler: Any = UNDEFINED
) -> Any:
    items = _items(value, "slice")
    count = to_number(slices)
    if not count >= 1:
        return []
    budget.items(count)
    parts = int(count)
    size, extra = divmod(len(items), parts)
    starts = [at * size + min(at, extra) for at in range(parts + 1)]
    made = [items[begin:end] for begin, end in pairwise(starts)]
    if is_true(filler):
        made = [each if at < extra else [*each, filler] for at, each in enumerate(made)]
    return made


def _sum(
    budget: RenderBudget, value: Any, attribute: Any = UNDEFINED, start: Any = UNDEFINED
) -> Any:
    total: Any = 0
    for each in _items(value, "sum"):
        total = add(total, member(each, attribute, budget) if is_true(attribute) else each)
    return add(0 if start is UNDEFINED else start, total)


def _sort(budget: RenderBudget, value: Any, *given: Any) -> list[Any]:
    named = given[-1] if given and isinstance(given[-1], Arguments) else Arguments()
    positional = [each for each in given if not isinstance(each, Arguments)]
    names = ("reverse", "case_sensitive", "attribute")
    reverse, is_exact, attribute = (
        positional[at] if at < len(positional) else named.get(name, UNDEFINED)
        for at, name in enumerate(names)
    )
    items = list(_sequence(value))
    budget.items(8 * len(items))

    def key(item: Any) -> Any:
        found = _path(item, to_text(attribute), budget) if is_true(attribute) else item
        return found.lower() if isinstance(found, str) and not is_true(is_exact) else found

    def compare(one: Any, other: Any) -> int:
        left, right = key(one), key(other)
        order = -1 if is_less(left, right) else int(is_less(right, left))
        return -order if is_true(reverse) else order

    return sorted(items, key=cmp_to_key(compare))


def _float(budget: RenderBudget, value: Any, default: Any = UNDEFINED) -> Any:
    number = parse_float(value)
    return default if math.isnan(number) else number


def _int(budget: RenderBudget, value: Any, *given: Any) -> Any:
    named = given[-1] if given and isinstance(given[-1], Arguments) else Arguments()
    positional = [each for each in given if not isinstance(each, Arguments)]
    default = positional[0] if positional else named.get("default", UNDEFINED)
    base = positional[1] if len(positional) > 1 else named.get("base", 10)
    number = parse_int(value, int(to_number(base)) if is_number(base) else 10)
    return default if isinstance(number, float) and math.isnan(number) else number


LIST_FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": _abs,
    "batch": _batch,
    "dictsort": _dict_sort,
    "first": _first,
    "float": _float,
    "groupby": _group_by,
    "int": _int,
    "join": _join,
    "last": _last,
    "length": _length,
    "list": _list,
    # A random choice would make a prompt differ from run to run.
    "random": _first,
    "reject": _selecting(False),
    "rejectattr": _selecting_attribute(False),
    "reverse": _reverse,
    "round": _round,
    "select": _selecting(True),
    "selectattr": _selecting_attribute(True),
    "slice": _slice,
    "sort": _sort,
    "sum": _sum,
}
