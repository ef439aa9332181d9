r"""Parses the verdict of a user's grader prompt, in the configured form.

A verdict is parsed like any answer: text in `<thinking>` is ignored, and when the prompt asks for a
`<response>` section, only that section counts. Of the rest,

- a JSON object, alone or in one fenced block, holds the verdict under exactly one of the keys
  `score`, `grade`, `rating`, `verdict`, `passed`, `pass`, and its reasons under `rationale`,
  `reason`, `reasons`, `reasoning`, `explanation` or `feedback`;
- otherwise the first line is the verdict, alone or after a label such as `Score:`, and the
  following lines are the reasons.

Verdicts are `0.8` from 0 to 1, `4` or `4/5` from 1 to 5, or `pass` and `fail`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.expected_output import ExpectedOutput
from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.parse import find_response
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict, unfenced

_THINKING = re.compile(r"\s*<thinking>.*?</thinking>", re.IGNORECASE | re.ASCII | re.DOTALL)
_LABELLED = re.compile(r"(?:score|grade|rating|verdict|result)[ \t]*[:=][ \t]*", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,9})?|\.\d{1,9}", re.ASCII)
_VERDICT_KEYS = ("score", "grade", "rating", "verdict", "passed", "pass")
_REASON_KEYS = ("rationale", "reason", "reasons", "reasoning", "explanation", "feedback")
_PASS = {"pass": 1.0, "passed": 1.0, "fail": 0.0, "failed": 0.0}


class GradeForm(StrEnum):
    """Share: a number from 0 to 1. One to five: a grade. Pass fail: pass or fail."""

    # Stored with scorers; never rename. Forms show the text above.
    SHARE = "share"
    ONE_TO_FIVE = "one_to_five"
    PASS_FAIL = "pass_fail"  # noqa: S105 - not a password

    @property
    def wanted(self) -> str:
        """Instruction for the grader; completes a sentence after "with"."""
        return {
            GradeForm.SHARE: "a number from 0 to 1 alone on the first line",
            GradeForm.ONE_TO_FIVE: "a whole number from 1 to 5 alone on the first line",
            GradeForm.PASS_FAIL: "the word pass or the word fail alone on the first line",
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """`value` is in 0..1, `raw` on the grader's own scale; a pass is 1."""

    value: float
    raw: float
    rationale: str | None


def read_grade(text: str, form: GradeForm, wanted: ExpectedOutput) -> Grade:
    """Raises UnreadableVerdict."""
    if len(text) > LONGEST_VERDICT:
        raise UnreadableVerdict("It is far too long.")
    said = _said(text, wanted)
    try:
        members = read_json(unfenced(said), allows_repeated_keys=False)
    except NotJson:
        members = None
    if isinstance(members, dict):
        verdict, rationale = _from_members(members)
    else:
        first, _, rest = said.strip().partition("\n")
        verdict, rationale = _LABELLED.sub("", first.strip().strip("*_ "), count=1), rest
    raw = _raw(verdict, form)
    value = (raw - 1) / 4 if form is GradeForm.ONE_TO_FIVE else raw
    return Grade(value=value, raw=raw, rationale=rationale.strip() or None)


def _said(text: str, wanted: ExpectedOutput) -> str:
    if not wanted.wants_response:
        thought = _THINKING.match(text)
        return text[thought.end() :] if thought else text
    found = find_response(text)
    if found is None:
        raise UnreadableVerdict("It has no <response> section.")
    return found


def _from_members(members: Mapping[str, Any]) -> tuple[Any, str]:
    found = [key for key in _VERDICT_KEYS if key in members]
    if len(found) != 1:
        listed = ", ".join(_VERDICT_KEYS)
        raise UnreadableVerdict(f"Its JSON must have exactly one of the keys {listed}.")
    reasons = [members[key] for key in _REASON_KEYS if isinstance(members.get(key), str)]
    return members[found[0]], "\n".join(reasons)


def _raw(verdict: Any, form: GradeForm) -> float:
    if form is GradeForm.PASS_FAIL:
        raw = _passed(verdict)
    else:
        raw = _number(verdict, "/5" if form is GradeForm.ONE_TO_FIVE else "/1")
        if raw is not None and form is GradeForm.ONE_TO_FIVE and raw not in {1, 2, 3, 4, 5}:
            raw = None
        if raw is not None and form is GradeForm.SHARE and not 0 <= raw <= 1:
            raw = None
    if raw is None:
        raise UnreadableVerdict(f"It must begin with {form.wanted}.")
    return raw


def _passed(verdict: Any) -> float | None:
    if isinstance(verdict, bool):
        return float(verdict)
    return _PASS.get(verdict.strip(" .*_").lower()) if isinstance(verdict, str) else None


def _number(verdict: Any, suffix: str) -> float | None:
    if isinstance(verdict, bool):
        return None
    if isinstance(verdict, int | float):
        return float(verdict)
    if not isinstance(verdict, str):
        return None
    plain = verdict.strip(" *_").replace(" ", "").removesuffix(suffix)
    return float(plain) if _NUMBER.fullmatch(plain) else None
