"""Assertions about JSON in an answer, and about regular expressions.

`contains-json` is lenient: whatever can be read as a YAML object counts.
"""

from collections.abc import Mapping
from typing import Any

from edison.pipeline.render.nunjucks.javascript import (
    JavaScriptError,
    is_true,
    parse_json,
    to_json,
)
from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    require,
)
from edison.pipeline.score.assertions.schemas import find_problem
from edison.pipeline.score.assertions.yaml_text import find_json_objects, read_yaml
from edison.pipeline.score.sandbox.javascript import JavaScriptFailed, is_matched


async def _schema(value: Any) -> Any:
    if isinstance(value, str):
        return await read_yaml(value)
    if isinstance(value, dict | list):
        return value
    raise RowError("The value must be a JSON Schema.")


async def _is_json(check: Check) -> AssertionVerdict:
    try:
        parse_json(check.text)
    except JavaScriptError:
        return check.decide(False, "The answer is not JSON.")
    if not is_true(check.value):
        return check.decide(True, "The answer is JSON.")
    problem = await find_problem(await _schema(check.value), check.text)
    return check.decide(problem is None, problem or "The answer fits the schema.")


async def _contains_json(check: Check) -> AssertionVerdict:
    objects = await find_json_objects(check.text)
    if not objects or not is_true(check.value):
        return check.decide(bool(objects), "There is no JSON in the answer, or there is.")
    schema = await _schema(check.value)
    problem: str | None = None
    for each in objects:
        problem = await find_problem(schema, str(to_json(each)))
        if problem is None:
            break
    return check.decide(problem is None, problem or "JSON in the answer fits the schema.")


async def _regex(check: Check) -> AssertionVerdict:
    require(isinstance(check.value, str) and check.value, "The value must be a text.")
    try:
        is_found = await is_matched(check.value, check.text)
    except JavaScriptFailed as wrong:
        # Neither form of the assertion passes.
        return AssertionVerdict(is_passed=False, score=0.0, reason=f"Invalid pattern: {wrong}")
    return check.decide(is_found, "The pattern does not match, or may not match.")


HANDLERS: Mapping[str, Handler] = {
    "is-json": _is_json,
    "contains-json": _contains_json,
    "regex": _regex,
}
