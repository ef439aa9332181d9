"""Scorers for `evaluate`: functions of an answer that return true, false, or a number in 0..1.

A function takes any of `output`, `expected`, `inputs` and `case` by name.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, isawaitable, signature
from typing import Any

Scorer = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """`value` is None when there is no score, for the reason given as `error`."""

    value: float | None
    reason: str = ""
    error: str | None = None


def name_of(scorer: Scorer) -> str:
    return str(getattr(scorer, "__name__", type(scorer).__name__))


def named(scorer: Scorer, name: str) -> Scorer:
    """The scorer under another name, such as to use it twice."""

    def scored(**given: Any) -> Any:
        return _call(scorer, given)

    scored.__name__ = name
    return scored


def exact(output: Any, expected: Any) -> bool:
    """Whether the output is the expected one."""
    return bool(output == expected)


def contains(text: str | None = None, *, ignores_case: bool = False) -> Scorer:
    """Whether the output has the text; by default, that which is expected."""

    def contains(output: Any, expected: Any) -> bool:
        wanted, found = str(expected if text is None else text), str(output)
        return wanted.lower() in found.lower() if ignores_case else wanted in found

    return contains


def matches(pattern: str) -> Scorer:
    """Whether the output has a match of the regular expression."""
    expression = re.compile(pattern)

    def matches(output: Any) -> bool:
        return expression.search(str(output)) is not None

    return matches


def is_json(output: Any) -> bool:
    try:
        json.loads(output)
    except (TypeError, ValueError):
        return False
    return True


def assertion(kind: str, value: Any = None, **fields: Any) -> Scorer:
    """Any assertion of `edison eval` that no model grades, such as `assertion("levenshtein",
    "Paris", threshold=2)`. The expected output is the variable `expected` in templates.
    """

    async def scored(output: Any, expected: Any, inputs: Any) -> Score:
        from edison.pipeline.score.assertions.evaluate import evaluate_row
        from edison.pipeline.score.assertions.model import AssertionRow, RowError, Services
        from edison.pipeline.score.assertions.read import read_assertions

        given = {"type": kind, **({} if value is None else {"value": value}), **fields}
        values = dict(inputs) if isinstance(inputs, Mapping) else {"input": inputs}
        row = AssertionRow(output=output, vars={**values, "expected": expected})
        try:
            verdict = await evaluate_row(read_assertions([given]), row, services=Services())
        except RowError as wrong:
            return Score(value=None, error=str(wrong))
        score = min(1.0, max(0.0, verdict.score))
        return Score(value=score, reason=verdict.reason)

    scored.__name__ = kind
    return scored


def _call(scorer: Scorer, given: Mapping[str, Any]) -> Any:
    taken = signature(scorer).parameters.values()
    if any(each.kind is Parameter.VAR_KEYWORD for each in taken):
        return scorer(**given)
    return scorer(**{each.name: given[each.name] for each in taken if each.name in given})


async def score_with(scorer: Scorer, given: Mapping[str, Any]) -> Score:
    """What the scorer returned, as a score; an exception becomes its error."""
    try:
        found = _call(scorer, given)
        if isawaitable(found):
            found = await _resolved(found)
        return _read(found)
    except Exception as wrong:  # a scorer of the user must not end the evaluation
        return Score(value=None, error=f"{type(wrong).__name__}: {wrong}")


async def _resolved(found: Awaitable[Any]) -> Any:
    return await found


def _read(found: Any) -> Score:
    if isinstance(found, Score):
        return found
    reason = ""
    if isinstance(found, Mapping):
        reason, found = str(found.get("reason", "")), found["score"]
    if found is None:
        return Score(value=None, reason=reason)
    value = float(found)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"A score must be in 0..1, not {value:g}.")
    return Score(value=value, reason=reason)
