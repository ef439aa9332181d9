"""Assertions that a model grades: llm-rubric, factuality, model-graded-closedqa, g-eval.

Their replies are read by promptfoo's rules, which are more lenient than those of Edison's judges: a
reply without a verdict counts as passed when it is a JSON object. A model that does not answer, or
not in the asked form, fails the assertion in both forms.
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
    is_true,
    parse_json,
    to_json,
    to_number,
    to_text,
)
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks
from edison.pipeline.score.assertions.grading_prompts import (
    CLOSED_QUESTION,
    EVALUATION,
    EVALUATION_STEPS,
    FACTUALITY,
    RUBRIC,
)
from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    GraderFailed,
    Handler,
    RowError,
    Unsupported,
    require,
)
from edison.pipeline.score.assertions.yaml_text import find_json_objects

_YES = re.compile(r"(?:true|yes|pass|y)", re.IGNORECASE)
_LETTER = re.compile(r"\(?([a-eA-E])\)")
_STEPS = re.compile(r'\{"steps".+\}')
_RESULT = re.compile(r"\{.+\}")
_HIGHEST = 10
_EVALUATION_THRESHOLD = 0.7
_CATEGORIES = {
    "A": ("subset", 1),
    "B": ("superset", 1),
    "C": ("agree", 1),
    "D": ("disagree", 0),
    "E": ("differButFactual", 1),
}

Values = Mapping[str, Any]


def failed(reason: str) -> AssertionVerdict:
    return AssertionVerdict(is_passed=False, score=0.0, reason=reason)


def parsed_output(text: str) -> Any:
    try:
        return parse_json(text)
    except JavaScriptError:
        return text


def messages_of(prompt: str, values: Values) -> list[dict[str, str]]:
    """A prompt that is JSON may hold several messages. Raises RowError."""
    given = {name: _shown(each) for name, each in values.items()}
    try:
        parsed = parsed_output(prompt)
        is_chat = isinstance(parsed, list) and all(
            isinstance(each, dict) and isinstance(each.get("content"), str) for each in parsed
        )
        if not is_chat:
            return [{"role": "user", "content": render_nunjucks(prompt, given)}]
        return [
            {
                "role": str(each.get("role", "user")),
                "content": render_nunjucks(each["content"], given),
            }
            for each in parsed
        ]
    except TemplateError as wrong:
        raise RowError(f"The prompt of the grader cannot be rendered: {wrong}") from wrong


def _shown(value: Any) -> Any:
    """Objects are shown as JSON."""
    if isinstance(value, list):
        return [to_json(each) if isinstance(each, list | dict) else each for each in value]
    return to_json(value) if isinstance(value, dict) else value


def rubric_prompt(check: Check) -> Any:
    own = check.assertion.settings.get("rubricPrompt")
    return own or check.row.options.get("rubricPrompt")


async def ask(check: Check, prompt: Any, values: Values) -> str:
    """Raises GraderFailed, also for an empty reply."""
    if check.services.grader is None:
        raise Unsupported("No model is set for assertions that a model grades.")
    text = prompt if isinstance(prompt, str) else str(to_json(prompt))
    if text.startswith("file://"):
        raise Unsupported("Prompts in files are not supported here.")
    reply = await check.services.grader.ask(check.assertion, messages_of(text, values))
    if not reply:
        raise GraderFailed("The model gave an empty reply.")
    return reply


async def _llm_rubric(check: Check) -> AssertionVerdict:
    value = check.value
    is_usable = is_absent(value) or isinstance(value, str | list | dict)
    require(is_usable, "The value must be a text or an object.")
    values = {
        **check.row.vars,
        "output": parsed_output(check.text),
        "rubric": value if is_true(value) else "",
    }
    try:
        reply = await ask(check, rubric_prompt(check) or RUBRIC, values)
    except GraderFailed as no_reply:
        return failed(str(no_reply))
    objects = await find_json_objects(reply)
    if not objects or not isinstance(objects[0], dict):
        return failed("The reply of the grader has no JSON.")
    return _rubric_verdict(check, objects[0])


def _rubric_verdict(check: Check, found: Values) -> AssertionVerdict:
    given = found.get("pass")
    is_passed = True if given is None else given
    if not isinstance(is_passed, bool):
        is_passed = _YES.fullmatch(to_text(is_passed)) is not None
    score = found.get("score", UNDEFINED)
    if not is_number(score):
        number = to_number(score)
        score = number if math.isfinite(number) else int(is_passed)
    threshold = check.assertion.threshold
    limit = to_number(threshold) if is_number(threshold) or isinstance(threshold, str) else math.nan
    if math.isfinite(limit):
        is_passed = is_passed and score >= limit
    reason = to_text(found.get("reason") or "")
    if not check.is_inverse:
        return AssertionVerdict(is_passed=is_passed, score=float(score), reason=reason)
    turned = min(1.0, max(0.0, 1 - (score if math.isfinite(score) else 0)))
    return AssertionVerdict(is_passed=not is_passed, score=turned, reason=reason)


def _asked(check: Check) -> str:
    require(isinstance(check.value, str), "The value must be a text.")
    require(check.row.prompt, "The prompt is not known.")
    return str(check.value)


async def _factuality(check: Check) -> AssertionVerdict:
    """`not-` and thresholds have no effect."""
    values = {
        **check.row.vars,
        "input": check.row.prompt,
        "ideal": _asked(check),
        "completion": parsed_output(check.text),
    }
    try:
        reply = await ask(check, rubric_prompt(check) or FACTUALITY, values)
    except GraderFailed as no_reply:
        return failed(str(no_reply))
    category = await _category(reply)
    if category not in _CATEGORIES:
        return failed("The reply of the grader names no category.")
    name, default = _CATEGORIES[category]
    scores = check.row.options.get("factuality")
    given = scores.get(name) if isinstance(scores, dict) else None
    score = to_number(given) if is_number(given) else float(default)
    return AssertionVerdict(is_passed=score > 0, score=score, reason=reply)


async def _category(reply: str) -> str:
    objects = await find_json_objects(reply)
    found = objects[0].get("category") if objects and isinstance(objects[0], dict) else None
    if found and isinstance(found, str):
        return found.strip().upper()
    letter = _LETTER.search(reply)
    return letter[1].upper() if letter else ""


async def _closed_question(check: Check) -> AssertionVerdict:
    """`not-` has no effect."""
    values = {
        **check.row.vars,
        "input": check.row.prompt,
        "criteria": _asked(check),
        "completion": parsed_output(check.text),
    }
    try:
        reply = await ask(check, rubric_prompt(check) or CLOSED_QUESTION, values)
    except GraderFailed as no_reply:
        return failed(str(no_reply))
    is_met = reply.rstrip().endswith("Y")
    return AssertionVerdict(is_passed=is_met, score=float(is_met), reason=reply)


async def _evaluation(check: Check) -> AssertionVerdict:
    criteria = check.value if isinstance(check.value, list) else [check.value]
    require(all(isinstance(each, str) for each in criteria), "The value must be a text or texts.")
    if not criteria:
        return failed("There is no criterion.")
    require(check.row.prompt, "The prompt is not known.")
    scores, reasons = [], []
    for criterion in criteria:
        try:
            score, reason = await _evaluate(check, criterion)
        except GraderFailed as wrong:
            return failed(str(wrong))
        scores.append(score)
        reasons.append(reason)
    mean = sum(scores) / len(scores)
    is_enough = mean >= check.threshold(_EVALUATION_THRESHOLD)
    return AssertionVerdict(
        is_passed=is_enough is not check.is_inverse,
        score=1 - mean if check.is_inverse else mean,
        reason="\n\n".join(reasons),
    )


async def _evaluate(check: Check, criterion: str) -> tuple[float, str]:
    """Score in 0..1 and reason. Raises GraderFailed."""
    prompts = rubric_prompt(check)
    own = prompts if isinstance(prompts, dict) else {}
    reply = await ask(check, own.get("steps") or EVALUATION_STEPS, {"criteria": criterion})
    steps = _object_in(reply, _STEPS).get("steps")
    if (
        not isinstance(steps, list)
        or not steps
        or not all(isinstance(each, str) and each.strip() for each in steps)
    ):
        raise GraderFailed("The model gave no steps.")
    values = {
        "criteria": criterion,
        "steps": "\n- ".join(steps),
        "maxScore": str(_HIGHEST),
        "input": parsed_output(check.row.prompt),
        "output": parsed_output(check.text),
    }
    found = _object_in(await ask(check, own.get("evaluate") or EVALUATION, values), _RESULT)
    score, reason = found.get("score"), found.get("reason")
    is_usable = is_number(score) or (isinstance(score, str) and score.strip())
    number = to_number(score) if is_usable else math.nan
    if not 0 <= number <= _HIGHEST:
        raise GraderFailed(f"The model gave no score from 0 to {_HIGHEST}.")
    if not isinstance(reason, str) or not reason.strip():
        raise GraderFailed("The model gave no reason.")
    return number / _HIGHEST, reason


def _object_in(reply: str, pattern: re.Pattern[str]) -> Mapping[str, Any]:
    """JSON on one line. Raises GraderFailed."""
    found = pattern.search(reply)
    value = parsed_output(found[0]) if found else None
    if not isinstance(value, dict):
        raise GraderFailed("The reply of the grader is not JSON in the asked form.")
    return value


HANDLERS: Mapping[str, Handler] = {
    "llm-rubric": _llm_rubric,
    "factuality": _factuality,
    "model-graded-factuality": _factuality,
    "model-graded-closedqa": _closed_question,
    "g-eval": _evaluation,
}
