"""Assertions of OpenAI's graders and evals: a model chooses a label, or gives a number.

`model-label` asks the `rubricPrompt` and reads one of the labels in `config.scores`, which says how
much each counts; `model-score` reads a number in `config.range`.
"""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from edison.pipeline.render.nunjucks.javascript import is_number
from edison.pipeline.score.assertions.graded import ask, failed, parsed_output, rubric_prompt
from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    GraderFailed,
    Handler,
    require,
)

FIRST_LINE, LAST_LINE = "first line", "last line"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBERS_OF = ("result", "score")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ENOUGH = 0.5


async def _label(check: Check) -> AssertionVerdict:
    config = _config(check)
    scores: dict[str, Any] = config.get("scores") or {}
    require(isinstance(scores, dict) and scores, "“config” needs the scores of labels.")
    require(all(map(is_number, scores.values())), "The scores of labels must be numbers.")
    try:
        reply = await _ask(check)
    except GraderFailed as no_reply:
        return failed(str(no_reply))
    chosen = chosen_label(reply, list(scores), is_last=config.get("reads") == LAST_LINE)
    if chosen is None:
        return failed(f"The grader chose none of {', '.join(scores)}.")
    return _verdict(check, float(scores[chosen]), f"The grader chose “{chosen}”.")


async def _number(check: Check) -> AssertionVerdict:
    bounds = _config(check).get("range", [0, 1])
    is_range = isinstance(bounds, list) and len(bounds) == 2 and all(map(is_number, bounds))
    require(is_range and bounds[0] < bounds[1], "“range” must be two numbers, the lower first.")
    low, high = bounds
    try:
        reply = await _ask(check)
    except GraderFailed as no_reply:
        return failed(str(no_reply))
    found = _read_number(reply)
    if found is None:
        return failed("The reply of the grader has no number.")
    share = (min(max(found, low), high) - low) / (high - low)
    return _verdict(check, share, f"The grader gave {found:g} of {low:g} to {high:g}.")


def _config(check: Check) -> Mapping[str, Any]:
    found = check.assertion.settings.get("config")
    return found if isinstance(found, dict) else {}


async def _ask(check: Check) -> str:
    """Raises GraderFailed."""
    prompt = rubric_prompt(check)
    require(prompt, "“rubricPrompt” is missing.")
    return await ask(check, prompt, {**check.row.vars, "output": check.text})


def _verdict(check: Check, score: float, reason: str) -> AssertionVerdict:
    is_enough = score >= check.threshold(_ENOUGH)
    return AssertionVerdict(
        is_passed=is_enough is not check.is_inverse,
        score=1 - score if check.is_inverse else score,
        reason=reason,
    )


def chosen_label(reply: str, labels: Sequence[str], *, is_last: bool) -> str | None:
    """The label that a line begins or ends with, as in openai/evals: lines from the first on, or
    from the last on; punctuation does not count.
    """
    lines = reply.strip().splitlines()
    for line in reversed(lines) if is_last else lines:
        plain = line.strip().translate(_NO_PUNCTUATION).strip()
        if not plain:
            continue
        for label in sorted(labels, key=len, reverse=True):
            wanted = label.translate(_NO_PUNCTUATION).strip() or label
            if plain.startswith(wanted) or plain.endswith(wanted):
                return label
    return None


def _read_number(reply: str) -> float | None:
    parsed = parsed_output(reply)
    if isinstance(parsed, dict):
        named = [parsed[name] for name in _NUMBERS_OF if is_number(parsed.get(name))]
        return float(named[0]) if named else None
    found = _NUMBER.search(reply)
    return None if found is None else float(found.group())


HANDLERS: Mapping[str, Handler] = {"model-label": _label, "model-score": _number}
