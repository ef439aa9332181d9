"""Reads a judge's verdict, and takes nothing for one that is not.

A verdict is the JSON object `{"rationales": {criterion: text}, "scores": {criterion: number}}`,
alone or in one fenced block, with exactly these keys and every criterion once, and every score on
its criterion's scale. Anything looser could be talked into saying something else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.rubric import Criterion
from edison.pipeline.score.scorer import CriterionScore

LONGEST_VERDICT = 100_000

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
_KEYS = ("rationales", "scores")


class UnreadableVerdict(ValueError):
    """Its text is a sentence that tells the judge what is wrong."""


def read_verdict(text: str, criteria: Sequence[Criterion]) -> dict[str, CriterionScore]:
    """Every criterion's score, in the rubric's order. Raises UnreadableVerdict."""
    if len(text) > LONGEST_VERDICT:
        raise UnreadableVerdict("It is far too long.")
    verdict = _members(_json(text), _KEYS, "It")
    names = [criterion.name for criterion in criteria]
    scores = _members(verdict["scores"], names, '"scores"')
    rationales = _members(verdict["rationales"], names, '"rationales"')
    return {
        criterion.name: _criterion_score(
            criterion, scores[criterion.name], rationales[criterion.name]
        )
        for criterion in criteria
    }


def _json(text: str) -> Any:
    stripped = text.strip()
    fenced = _FENCED.fullmatch(stripped)
    try:
        return read_json(fenced[1] if fenced else stripped, allows_repeated_keys=False)
    except NotJson as wrong:
        raise UnreadableVerdict(f"It is not JSON alone: {wrong}.") from wrong


def _members(value: Any, keys: Iterable[str], what: str) -> Mapping[str, Any]:
    wanted = list(keys)
    if not isinstance(value, dict) or value.keys() != set(wanted):
        listed = ", ".join(f'"{key}"' for key in wanted)
        raise UnreadableVerdict(f"{what} must be an object with exactly the keys {listed}.")
    return value


def _criterion_score(criterion: Criterion, score: Any, rationale: Any) -> CriterionScore:
    maximum = criterion.scale.maximum
    # A bool is an int to Python, but no number to anybody else.
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= maximum:
        raise UnreadableVerdict(
            f'The score of "{criterion.name}" must be a number from 0 to {maximum}.'
        )
    if not isinstance(rationale, str):
        raise UnreadableVerdict(f'The rationale of "{criterion.name}" must be a text.')
    return CriterionScore(
        value=score / maximum, raw=float(score), rationale=rationale.strip() or None
    )
