"""Assertions and transforms in JavaScript and Python.

JavaScript runs in a limited worker. Python runs in the sandbox of custom code, or in the trusted
runner if there is one; code in files runs in neither.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    JavaScriptError,
    is_absent,
    is_number,
    parse_float,
    parse_json,
)
from edison.pipeline.score.assertions.model import (
    PASSED,
    Assertion,
    AssertionRow,
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    Unsupported,
    require,
)
from edison.pipeline.score.sandbox.javascript import (
    FUNCTION,
    JavaScriptFailed,
    JavaScriptFunction,
    run_javascript,
)
from edison.pipeline.score.sandbox.program import Program
from edison.pipeline.score.sandbox.workers import SandboxUnavailable, sandbox

_PARAMETERS = ("output", "context", "process")
_DECLARATION = re.compile(r"(?:const|let|var)\s")
_INDENT = re.compile(r"^(?!\s*$)\s+", re.MULTILINE)
_SNAKE = {
    "pass_": "pass",
    "named_scores": "namedScores",
    "component_results": "componentResults",
    "named_score_weights": "namedScoreWeights",
}


class CodeFailed(Exception):
    """Code of a user gave no usable result. The message is for its author."""


def _context(row: AssertionRow, assertion: Assertion) -> dict[str, Any]:
    response = row.response
    answer = {
        "output": row.output,
        "cost": response.cost,
        "finishReason": response.finish_reason,
        "logProbs": response.log_probs,
        "guardrails": response.guardrails,
        "metadata": response.metadata,
    }
    context = {
        "prompt": row.prompt,
        "vars": dict(row.vars),
        "test": {"vars": dict(row.vars), "options": dict(row.options)},
        "logProbs": response.log_probs,
        "provider": dict(row.provider),
        "providerResponse": {name: each for name, each in answer.items() if each is not None},
        "config": assertion.settings.get("config"),
        "metadata": response.metadata,
    }
    return {name: each for name, each in context.items() if each is not None}


async def transformed(code: str, output: Any, row: AssertionRow) -> Any:
    """The answer after a transform. Raises RowError."""
    if code.startswith("file://"):
        raise Unsupported("Transforms in files are not supported here.")
    body = code if "\n" in code else f"return {code}"
    context = {"vars": dict(row.vars), "prompt": {"label": row.prompt}}
    if row.response.metadata:
        context["metadata"] = dict(row.response.metadata)
    try:
        made = await run_javascript(
            JavaScriptFunction(body=body, names=_PARAMETERS),
            {"output": output, "context": context},
        )
    except JavaScriptFailed as failed:
        raise RowError(f"The transform failed: {failed}") from failed
    if is_absent(made):
        raise RowError("The transform did not return a value.")
    # A function has no text.
    return UNDEFINED if made is FUNCTION else made


def function_body(code: str) -> str:
    """One line is an expression, possibly after declarations; several lines return by
    themselves.
    """
    code = code.rstrip()
    if "\n" in code:
        return code
    line = re.sub(r";+\s*$", "", code.strip())
    if not _DECLARATION.match(line):
        return f"return {line}"
    last = _last_semicolon(line)
    expression = line[last + 1 :].strip()
    return f"{line[: last + 1]} return {expression}" if last != -1 and expression else line


def _last_semicolon(line: str) -> int:
    """The last one outside of quotes."""
    quote, last = "", -1
    for at, character in enumerate(line):
        before = line[:at]
        is_escaped = (len(before) - len(before.rstrip("\\"))) % 2 == 1
        if character in "'\"`" and not is_escaped and quote in {"", character}:
            quote = "" if quote else character
        elif character == ";" and not quote:
            last = at
    return last


async def _javascript(check: Check) -> AssertionVerdict:
    if not isinstance(check.value, str):
        return AssertionVerdict(is_passed=False, score=0.0, reason="The value must be a text.")
    try:
        function = JavaScriptFunction(body=function_body(check.value), names=_PARAMETERS)
        given = {"output": check.output, "context": _context(check.row, check.assertion)}
        return graded(check, await run_javascript(function, given), applies_threshold=False)
    except (JavaScriptFailed, CodeFailed) as failed:
        return AssertionVerdict(is_passed=False, score=0.0, reason=f"The code failed: {failed}")


def graded(check: Check, result: Any, *, applies_threshold: bool) -> AssertionVerdict:
    """The verdict of code: a truth value, a number or an object. Raises CodeFailed."""
    if isinstance(result, bool):
        return check.decide(result, f"The code returned {str(result).lower()}.")
    if is_number(result):
        is_enough = (
            result > 0
            if check.assertion.threshold is None
            else (result >= check.assertion.threshold)
        )
        is_passed = is_enough is not check.is_inverse
        reason = PASSED if is_passed else f"The code returned {result}."
        return AssertionVerdict(is_passed=is_passed, score=float(result), reason=reason)
    if not _is_grading(result):
        raise CodeFailed("Code returns true or false, a number, or pass, score and reason.")
    return _of_object(check, result, applies_threshold=applies_threshold)


def _is_grading(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("pass"), bool)
        and is_number(value.get("score"))
        and isinstance(value.get("reason"), str)
    )


def _of_object(
    check: Check, found: Mapping[str, Any], *, applies_threshold: bool
) -> AssertionVerdict:
    is_true, score = bool(found["pass"]), float(found["score"])
    threshold = check.assertion.threshold
    if applies_threshold and threshold is not None and score < threshold:
        is_true = False
    is_passed = is_true is not check.is_inverse
    named = found.get("namedScores")
    weights = found.get("namedScoreWeights")
    components = found.get("componentResults")
    return AssertionVerdict(
        is_passed=is_passed,
        score=score,
        reason=found["reason"] if not check.is_inverse else f"The code returned {is_true}.",
        named_scores=_numbers(named),
        named_weights=_numbers(weights),
        components=tuple(
            AssertionVerdict(
                is_passed=bool(each.get("pass")),
                score=float(each["score"]) if is_number(each.get("score")) else math.nan,
                reason=str(each.get("reason") or ""),
                type=check.assertion.type,
                metric=check.assertion.metric,
            )
            for each in (components if isinstance(components, list) else [])
            if isinstance(each, dict)
        ),
    )


def _numbers(value: Any) -> dict[str, float]:
    members = value.items() if isinstance(value, dict) else ()
    return {str(name): float(each) for name, each in members if is_number(each)}


def python_code(value: str) -> str:
    """A function `main(output, context)` with the code as its body."""
    if "\n" not in value:
        return f"import json\n\ndef main(output, context):\n    return {value}\n"
    found = _INDENT.search(value)
    indent = found[0] if found else "    "
    body = "\n".join(f"{indent}{line}" for line in value.split("\n"))
    return f"import json\n\ndef main(output, context):\n{body}\n"


async def _python(check: Check) -> AssertionVerdict:
    require(isinstance(check.value, str), "The value must be a text.")
    if check.value.startswith("file://"):
        raise Unsupported("Code in files is not supported here.")
    try:
        result = await _run_python(check, python_code(check.value))
        return graded(check, _read_result(result), applies_threshold=True)
    except CodeFailed as failed:
        return AssertionVerdict(is_passed=False, score=0.0, reason=f"The code failed: {failed}")


async def _run_python(check: Check, code: str) -> Any:
    """Raises CodeFailed."""
    context = _context(check.row, check.assertion)
    if check.services.python is not None:
        try:
            return await check.services.python.run(code, check.output, context)
        except ValueError as wrong:
            raise CodeFailed(str(wrong)) from wrong
    values = {"edison_output_": check.output, "edison_context_": context}
    program = Program(code=code, expression="main(edison_output_, edison_context_)", values=values)
    try:
        ran = await sandbox().run(program)
    except SandboxUnavailable as unavailable:
        raise Unsupported(str(unavailable)) from unavailable
    if ran.problem is not None:
        raise CodeFailed(str(ran.problem))
    return ran.value


def _read_result(result: Any) -> Any:
    """Texts may be truth values, numbers or JSON. Raises CodeFailed."""
    if isinstance(result, str) and result.lower() in {"true", "false"}:
        return result.lower() == "true"
    if isinstance(result, str) and result.startswith("{"):
        try:
            result = parse_json(result)
        except JavaScriptError as wrong:
            raise CodeFailed(str(wrong)) from wrong
    if isinstance(result, dict):
        return {_SNAKE.get(str(name), str(name)): each for name, each in result.items()}
    if isinstance(result, str):
        number = parse_float(result)
        if math.isnan(number):
            raise CodeFailed("Code returns true or false, a number, or pass, score and reason.")
        return number
    if is_absent(result) or isinstance(result, list):
        raise CodeFailed("Code returns true or false, a number, or pass, score and reason.")
    return result


HANDLERS: Mapping[str, Handler] = {"javascript": _javascript, "python": _python}
