"""Finds everything in a configuration that Edison does not evaluate, before anything is spent."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from edison.evals.errors import ConfigError, NotSupported, Place
from edison.evals.plan import EvalPlan, EvalTest
from edison.evals.targets import target_of
from edison.kit.nearest import did_you_mean
from edison.pipeline.score.assertions.read import SET
from edison.pipeline.score.assertions.registry import UNSUPPORTED, handlers

_CONVERSATION = re.compile(r"\b_conversation\b")
_EARLIER = "needs the answers of earlier tests, which are asked for at the same time here."
_TOP = {
    "redteam": "Red teaming is not supported.",
    "extensions": "Extensions are not supported.",
    "nunjucksFilters": "Filters in JavaScript files are not supported.",
}
_OPTIONS = {
    "storeOutputAs": f"“storeOutputAs” {_EARLIER}",
    "runSerially": f"“runSerially” {_EARLIER}",
}
_MOST_LINES = 20


def check_support(plan: EvalPlan, config: Mapping[str, Any]) -> None:
    """Raises NotSupported with one line per problem."""
    found = list(dict.fromkeys(_problems(plan, config)))
    if not found:
        return
    lines = found[:_MOST_LINES]
    if len(found) > _MOST_LINES:
        lines.append(f"… and {len(found) - _MOST_LINES} more.")
    raise NotSupported("\n".join(lines))


def list_unknown_types(plan: EvalPlan) -> list[str]:
    """Assertions that no type fits, as warnings: each of them makes its rows errors."""
    tests = {row.test.number: row.test for row in plan.rows}
    return list(dict.fromkeys(line for test in tests.values() for line in _unknown_of(test)))


def _unknown_of(test: EvalTest) -> Iterator[str]:
    for assertion in test.assertions:
        for each in [assertion, *(assertion.get("assert") or [])]:
            base = str(each.get("type")).removeprefix("not-")
            if base in handlers() or base in UNSUPPORTED or base == SET:
                continue
            hint = did_you_mean(base, handlers())
            yield _line(test.place, f"“{base[:80]}” is no type of an assertion.{hint}")


def _problems(plan: EvalPlan, config: Mapping[str, Any]) -> Iterator[str]:
    members: Mapping[str, Place] = getattr(config, "members", {})
    for name, sentence in _TOP.items():
        if config.get(name):
            yield _line(members.get(name), sentence)
    for column in plan.columns:
        if _CONVERSATION.search(column.prompt.raw):
            yield _line(column.prompt.place, f"“_conversation” {_EARLIER}")
    providers = {id(each.provider): each.provider for each in plan.columns}
    for provider in [*providers.values(), *([plan.grader] if plan.grader else [])]:
        try:
            target_of(provider, plan.env)
        except ConfigError as refused:
            yield refused.message
    tests = {row.test.number: row.test for row in plan.rows}
    for test in tests.values():
        yield from _of_test(test)


def _of_test(test: EvalTest) -> Iterator[str]:
    for name, sentence in _OPTIONS.items():
        if test.options.get(name):
            yield _line(test.place, sentence)
    for code in (test.options.get("transform"), test.options.get("transformVars")):
        if isinstance(code, str) and code.startswith("file://"):
            yield _line(test.place, f"A transform in a file ({code}) is not supported.")
    for assertion in test.assertions:
        for each in [assertion, *(assertion.get("assert") or [])]:
            base = str(each.get("type")).removeprefix("not-")
            if base in UNSUPPORTED:
                yield _line(test.place, f"“{base}” is not supported: {UNSUPPORTED[base]}")


def _line(place: Place | None, sentence: str) -> str:
    return sentence if place is None else f"{place}: {sentence}"
