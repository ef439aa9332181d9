"""Assertions about calls of tools and functions."""

from collections.abc import Mapping
from typing import Any

from edison.pipeline.render.nunjucks.javascript import JavaScriptError, parse_json, to_text
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks
from edison.pipeline.score.assertions.model import (
    PASSED,
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    computed,
    output_text,
    require,
)
from edison.pipeline.score.assertions.schemas import find_problem


def called_tools(output: Any) -> set[str]:
    """Names of the called tools, in the forms of OpenAI, Anthropic and Google."""
    if isinstance(output, str):
        return _called_in_text(output)
    if not isinstance(output, dict):
        items = output if isinstance(output, list) else []
        return {name for item in items if (name := _called_by(item)) is not None}
    if isinstance(calls := output.get("tool_calls"), list):
        return {name for call in calls for name in _names(call)}
    if output.get("type") == "tool_use" or isinstance(output.get("functionCall"), dict):
        name = _called_by(output)
        return set() if name is None else {name}
    live = output.get("toolCall")
    calls = live.get("functionCalls") if isinstance(live, dict) else None
    return {each["name"] for each in calls or () if _has_name(each)}


def _called_in_text(text: str) -> set[str]:
    try:
        return called_tools(parse_json(text))
    except JavaScriptError:
        pass
    names: set[str] = set()
    for line in text.split("\n"):
        if line.strip().startswith(("{", "[")):
            try:
                names |= called_tools(parse_json(line.strip()))
            except JavaScriptError:
                continue
    return names


def _has_name(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def _names(call: Any) -> list[str]:
    candidates: list[Any] = [call.get("function"), call] if isinstance(call, dict) else []
    return [each["name"] for each in candidates if _has_name(each)]


def _called_by(item: Any) -> str | None:
    if not isinstance(item, dict):
        return None
    if item.get("type") == "tool_use" and _has_name(item):
        return str(item["name"])
    for field in ("functionCall", "function"):
        if isinstance(item.get(field), dict):
            return str(item[field]["name"]) if _has_name(item[field]) else None
    return str(item["name"]) if _has_name(item) else None


def _f1(check: Check) -> AssertionVerdict:
    value = check.value
    if isinstance(value, str):
        value = [part for each in value.split(",") if (part := each.strip())]
    require(isinstance(value, list), "The value must be a list of names of tools.")
    require(value, "The value must name at least one tool.")
    expected, called = {to_text(each) for each in value}, called_tools(check.output)
    common = len(expected & called)
    score = 2 * common / (len(expected) + len(called)) if common else 0.0
    # `not-` turns the verdict, not the score.
    is_enough = score >= check.threshold(1.0)
    shown = ", ".join(sorted(called)) or "none"
    return AssertionVerdict(
        is_passed=is_enough is not check.is_inverse,
        score=score,
        reason=f"F1 {score:.3f}. Called: {shown}.",
    )


def _verdict(problem: str | None) -> AssertionVerdict:
    """`not-` has no effect."""
    return AssertionVerdict(
        is_passed=problem is None, score=float(problem is None), reason=problem or PASSED
    )


async def _find_wrong_call(call: Any, functions: Any, values: Mapping[str, Any]) -> str | None:
    if isinstance(call, dict) and "function_call" in call:
        call = call["function_call"]
    if not _has_name(call) or not isinstance(call.get("arguments"), str):
        return "This is not a call of a function."
    try:
        parse_json(call["arguments"])
        known = _filled(functions, values)
    except (JavaScriptError, TemplateError) as wrong:
        return str(wrong)
    found = [each for each in known if isinstance(each, dict) and each.get("name") == call["name"]]
    if not found or not found[0].get("parameters"):
        return f"Called “{call['name']}”, but there is no function with that name."
    try:
        problem = await find_problem(found[0]["parameters"], call["arguments"])
    except RowError as wrong:
        return str(wrong)
    return None if problem is None else f"The call does not fit the schema. {problem}"


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Functions may contain variables."""
    if isinstance(value, str):
        return render_nunjucks(value, values)
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    if isinstance(value, dict):
        return {name: _filled(each, values) for name, each in value.items()}
    return value if value is not None else []


async def _is_function_call(check: Check) -> AssertionVerdict:
    functions = check.row.provider.get("functions") or []
    return _verdict(await _find_wrong_call(check.output, functions, check.row.vars))


async def _is_tools_call(check: Check) -> AssertionVerdict:
    text = output_text(check.output)
    for mark, is_passed in (("MCP Tool Error", False), ("MCP Tool Result", True)):
        if mark in text:
            return _verdict(None if is_passed else "A tool failed.")
    calls = check.output
    if isinstance(calls, dict) and "tool_calls" in calls:
        calls = calls["tool_calls"]
    if not isinstance(calls, list) or not calls or not all(map(_is_tool_call, calls)):
        return _verdict("These are not calls of tools.")
    tools = check.row.provider.get("tools")
    if not tools:
        return _verdict("The model has no tools.")
    functions = [each["function"] for each in tools if _is_tool(each)]
    for call in calls:
        problem = await _find_wrong_call(call["function"], functions, check.row.vars)
        if problem is not None:
            return _verdict(problem)
    return _verdict(None)


def _is_tool(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "function" and "function" in value


def _is_tool_call(call: Any) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    return _has_name(function) and isinstance(function.get("arguments"), str)  # type: ignore[union-attr] # has a name


HANDLERS: Mapping[str, Handler] = {
    "tool-call-f1": computed(_f1),
    "is-valid-function-call": _is_function_call,
    "is-valid-openai-function-call": _is_function_call,
    "is-valid-openai-tools-call": _is_tools_call,
}
