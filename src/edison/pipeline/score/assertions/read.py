"""Reads assertions in the form of promptfoo's configurations."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    JavaScriptError,
    is_number,
    parse_json,
)
from edison.pipeline.score.assertions.model import Assertion
from edison.pipeline.score.scorer import CaseAssertions

SET = "assert-set"
_MOST = 200


class InvalidAssertion(ValueError):
    """The message is a sentence that names the assertion by its position."""


@lru_cache(maxsize=64)
def parse_assertions(text: str) -> tuple[Assertion, ...]:
    """From JSON. Raises InvalidAssertion."""
    try:
        given = parse_json(text)
    except JavaScriptError as wrong:
        raise InvalidAssertion("The assertions are not JSON.") from wrong
    if not isinstance(given, list):
        raise InvalidAssertion("The assertions must be a list.")
    return read_assertions(given)


def read_assertions(given: Sequence[Any]) -> tuple[Assertion, ...]:
    """Raises InvalidAssertion."""
    if len(given) > _MOST:
        raise InvalidAssertion(f"There are at most {_MOST} assertions.")
    return tuple(_read(each, f"Assertion {at}") for at, each in enumerate(given, start=1))


def read_case(given: Any) -> CaseAssertions:
    """Assertions in an input of a case: a list, or an object with `assert`, `threshold` and
    `options` as in a test of promptfoo; also as JSON text. Raises InvalidAssertion.
    """
    if isinstance(given, str) and given.strip():
        try:
            given = parse_json(given)
        except JavaScriptError as wrong:
            raise InvalidAssertion("The assertions of the case are not JSON.") from wrong
    if given is None or given == "":
        return CaseAssertions()
    test: Any = {"assert": given} if isinstance(given, list) else given
    if not isinstance(test, Mapping) or not isinstance(test.get("assert", []), list):
        raise InvalidAssertion("The assertions of the case must be a list.")
    threshold, options = test.get("threshold"), test.get("options")
    if threshold is not None and not is_number(threshold):
        raise InvalidAssertion("The threshold of the case must be a number.")
    return CaseAssertions(
        assertions=test.get("assert", []),
        threshold=threshold,
        options=options if isinstance(options, Mapping) else {},
    )


def _read(given: Any, place: str, *, is_member: bool = False) -> Assertion:
    if not isinstance(given, Mapping) or not isinstance(given.get("type"), str):
        raise InvalidAssertion(f"{place} needs a type.")
    weight = given.get("weight", 1)
    if not is_number(weight):
        raise InvalidAssertion(f"{place}: the weight must be a number.")
    metric = given.get("metric")
    transform = given.get("transform")
    return Assertion(
        type=given["type"],
        value=given.get("value", UNDEFINED),
        threshold=given.get("threshold"),
        weight=float(weight),
        metric=metric if isinstance(metric, str) else None,
        transform=transform if isinstance(transform, str) else None,
        settings={name: each for name, each in given.items() if name != "assert"},
        members=_members(given, place, is_member) if given["type"] == SET else None,
    )


def _members(given: Mapping[str, Any], place: str, is_member: bool) -> tuple[Assertion, ...]:
    if is_member:
        raise InvalidAssertion(f"{place}: a set of assertions must not be in another one.")
    members = given.get("assert")
    if not isinstance(members, list) or len(members) > _MOST:
        raise InvalidAssertion(f"{place} needs a list of assertions.")
    return tuple(
        _read(each, f"{place}.{at}", is_member=True) for at, each in enumerate(members, start=1)
    )
