"""Graded assertions about similarity in meaning and about the context of an answer."""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from edison.pipeline.score.assertions.code import transformed
from edison.pipeline.score.assertions.graded import ask, failed, parsed_output, rubric_prompt
from edison.pipeline.score.assertions.grading_prompts import (
    CONTEXT_RECALL,
    CONTEXT_RELEVANCE,
    INSUFFICIENT,
    QUESTION,
    STATEMENTS,
    SUPPORT,
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

_THRESHOLD = 0.5
_SIMILARITY = 0.75
_QUESTIONS = 3
_FINAL = "final verdict for each statement in order:"
_MARKER = re.compile(r"\d+[.)]")
_EPSILON = sys.float_info.epsilon


async def _embedded(check: Check, text: str) -> Sequence[float]:
    """Raises GraderFailed."""
    if check.services.grader is None:
        raise Unsupported("No model is set for assertions that compare meaning.")
    return await check.services.grader.embed(check.assertion, text)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=False))


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    sizes = math.sqrt(_dot(one, one)) * math.sqrt(_dot(other, other))
    return _dot(one, other) / sizes if sizes else math.nan


async def _similar(check: Check) -> AssertionVerdict:
    values = check.value if isinstance(check.value, list) else [check.value]
    require(values and all(isinstance(each, str) for each in values), "The value must be a text.")
    verdicts = []
    try:
        for value in values:
            verdict = await _compared(check, value)
            if verdict.is_passed is not check.is_inverse:
                return verdict
            verdicts.append(verdict)
    except GraderFailed as wrong:
        return failed(str(wrong))
    best = min if check.is_inverse else max
    return best(verdicts, key=lambda each: each.score)


async def _compared(check: Check, value: str) -> AssertionVerdict:
    wanted, found = await _embedded(check, value), await _embedded(check, check.text)
    threshold = check.threshold(_SIMILARITY)
    metric = check.assertion.base_type.partition(":")[2]
    if metric == "euclidean":
        distance = math.dist(wanted, found)
        is_near = distance <= threshold + _EPSILON
        is_far = distance >= threshold - _EPSILON
        score = 1 / (1 + distance)
    else:
        score = _dot(wanted, found) if metric == "dot" else _cosine(wanted, found)
        is_near = score >= threshold - _EPSILON
        is_far = score <= threshold + _EPSILON
    return AssertionVerdict(
        is_passed=is_far if check.is_inverse else is_near,
        score=1 - score if check.is_inverse else score,
        reason=f"The similarity is {score:.2f}.",
    )


def _measured(check: Check, score: float) -> AssertionVerdict:
    is_enough = score >= check.threshold(_THRESHOLD) - _EPSILON
    return AssertionVerdict(
        is_passed=is_enough is not check.is_inverse,
        score=1 - score if check.is_inverse else score,
        reason=f"The score is {score:.2f}.",
    )


async def _answer_relevance(check: Check) -> AssertionVerdict:
    require(isinstance(check.output, str), "The answer must be a text.")
    require(check.row.prompt, "The prompt is not known.")
    query = check.row.vars.get("query")
    asked = query if isinstance(query, str) else check.row.prompt
    values = {"answer": parsed_output(check.output)}
    try:
        questions = [
            await ask(check, rubric_prompt(check) or QUESTION, values) for _ in range(_QUESTIONS)
        ]
        wanted = await _embedded(check, asked)
        found = [_cosine(wanted, await _embedded(check, each)) for each in questions]
    except GraderFailed as wrong:
        return failed(str(wrong))
    return _measured(check, sum(found) / len(found))


async def _context(check: Check, default: str = "") -> str | list[str]:
    found: Any = check.row.vars.get("context") or default
    code = check.assertion.settings.get("contextTransform")
    if isinstance(code, str):
        found = await transformed(code, check.output, check.row)
    texts = found if isinstance(found, list) else [found]
    if not texts or not all(isinstance(each, str) and each for each in texts):
        raise RowError("The context is missing: a text or texts in the variable “context”.")
    return found if isinstance(found, list) else str(found)


def _joined(context: str | list[str]) -> str:
    return context if isinstance(context, str) else "\n\n".join(context)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _sentences(text: str) -> list[str]:
    lines = _lines(text)
    parts = lines if len(lines) > 1 else re.split(r"(?<=[.!?])\s+", text)
    stripped = (part.strip() for part in parts)
    return [part for part in stripped if part and not _MARKER.fullmatch(part)]


async def _context_recall(check: Check) -> AssertionVerdict:
    require(isinstance(check.value, str), "The value must be a text.")
    require(check.row.prompt, "The prompt is not known.")
    context = await _context(check, check.row.prompt)
    values = {**check.row.vars, "context": _joined(context), "groundTruth": check.value}
    try:
        reply = await ask(check, rubric_prompt(check) or CONTEXT_RECALL, values)
    except GraderFailed as wrong:
        return failed(str(wrong))
    marked = [line.lower() for line in _lines(reply) if "attributed]" in line.lower()]
    marked = [line for line in marked if "[attributed]" in line or "[not attributed]" in line]
    attributed = [line for line in marked if "[not attributed]" not in line]
    return _measured(check, len(attributed) / len(marked) if marked else 0.0)


def _query(check: Check) -> str:
    query = check.row.vars.get("query")
    require(isinstance(query, str), "The variable “query” is missing.")
    return str(query)


async def _context_relevance(check: Check) -> AssertionVerdict:
    query, context = _query(check), await _context(check)
    values = {"context": _joined(context), "query": query}
    try:
        reply = await ask(check, rubric_prompt(check) or CONTEXT_RELEVANCE, values)
    except GraderFailed as wrong:
        return failed(str(wrong))
    is_listed = isinstance(context, list) or len(_lines(context)) > 1
    units = (
        [each for each in context if each.strip()]
        if isinstance(context, list)
        else _sentences(context)
    )
    relevant: set[str] = set()
    if INSUFFICIENT not in reply:
        relevant = set(_lines(reply) if is_listed else _sentences(reply))
    return _measured(check, min(len(relevant), len(units)) / len(units) if units else 0.0)


async def _context_faithfulness(check: Check) -> AssertionVerdict:
    query = _query(check)
    require(isinstance(check.output, str), "The answer must be a text.")
    context = await _context(check)
    own = rubric_prompt(check)
    require(own is None or isinstance(own, list), "rubricPrompt must be a list of two prompts.")
    prompts = [each.get("content") if isinstance(each, dict) else each for each in own or []]
    first, second = (*prompts, None, None)[:2]
    values = {**check.row.vars, "question": query, "answer": parsed_output(check.output)}
    try:
        statements = _lines(await ask(check, first or STATEMENTS, values))
        values = {**check.row.vars, "context": _joined(context), "statements": statements}
        reply = await ask(check, second or SUPPORT, values)
    except GraderFailed as wrong:
        return failed(str(wrong))
    return _measured(check, _supported(reply.lower().strip(), len(statements)))


def _supported(verdicts: str, statements: int) -> float:
    """Share of the statements that the context supports; those without a verdict are not."""
    if _FINAL in verdicts:
        found = [each for each in verdicts.partition(_FINAL)[2].split(".") if each.strip()]
        count, wrong = len(found), sum("yes" not in each for each in found)
    else:
        wrong = verdicts.count("verdict: no")
        count = wrong + verdicts.count("verdict: yes")
    if not count or not statements:
        return 0.0
    missing = max(0, statements - count)
    return min(1.0, max(0.0, 1 - (wrong + missing) / statements))


HANDLERS: Mapping[str, Handler] = {
    "similar": _similar,
    "similar:cosine": _similar,
    "similar:dot": _similar,
    "similar:euclidean": _similar,
    "answer-relevance": _answer_relevance,
    "context-recall": _context_recall,
    "context-relevance": _context_relevance,
    "context-faithfulness": _context_faithfulness,
}
