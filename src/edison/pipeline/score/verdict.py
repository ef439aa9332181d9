"""Parses a judge's verdict strictly.

A verdict is a JSON object, alone or in one fenced block, with exactly the requested keys:

- on a rubric, `{"rationales": {criterion: text}, "scores": {criterion: number}}` with every
  criterion once and every score on its criterion's scale;
- on two answers, `{"reasons": [text], "winner": "A" | "B" | "tie"}`;
- on one question, `{"rationale": text, "score": number}`.

A looser parser would be open to prompt injection.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.rubric import Criterion
from edison.pipeline.score.scorer import CriterionScore

LONGEST_VERDICT = 100_000

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL | re.IGNORECASE)
_KEYS = ("rationales", "scores")
_WINNERS: Mapping[str, Literal["A", "B", "tie"]] = {"A": "A", "B": "B", "tie": "tie"}


class UnreadableVerdict(ValueError):
    """The message is a sentence that tells the judge what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which of two answers is better, by the names under which they were shown."""

    winner: Literal["A", "B", "tie"]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A score on one question."""

    score: float
    rationale: str | None


def read_verdict(text: str, criteria: Sequence[Criterion]) -> dict[str, CriterionScore]:
    """Returns every criterion's score, in the rubric's order. Raises UnreadableVerdict."""
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


def read_choice(text: str) -> Choice:
    """Raises UnreadableVerdict."""
    verdict = _members(_json(text), ("reasons", "winner"), "It")
    winner, reasons = verdict["winner"], verdict["reasons"]
    if not isinstance(winner, str) or winner not in _WINNERS:
        raise UnreadableVerdict('"winner" must be "A", "B" or "tie".')
    if not isinstance(reasons, list) or not all(isinstance(each, str) for each in reasons):
        raise UnreadableVerdict('"reasons" must be a list of texts.')
    return Choice(
        winner=_WINNERS[winner],
        reasons=tuple(stripped for each in reasons if (stripped := each.strip())),
    )


def read_rating(text: str, maximum: int) -> Rating:
    """Returns a score from 0 to `maximum`. Raises UnreadableVerdict."""
    verdict = _members(_json(text), ("rationale", "score"), "It")
    score, rationale = verdict["score"], verdict["rationale"]
    if not _is_number_to(maximum, score):
        raise UnreadableVerdict(f'"score" must be a number from 0 to {maximum}.')
    if not isinstance(rationale, str):
        raise UnreadableVerdict('"rationale" must be a text.')
    return Rating(score=float(score), rationale=rationale.strip() or None)


def _json(text: str) -> Any:
    if len(text) > LONGEST_VERDICT:
        raise UnreadableVerdict("It is far too long.")
    try:
        return read_json(unfenced(text), allows_repeated_keys=False)
    except NotJson as wrong:
        raise UnreadableVerdict(f"It is not JSON alone: {wrong}.") from wrong


def unfenced(text: str) -> str:
    """Removes the fence if the text is one fenced block."""
    stripped = text.strip()
    fenced = _FENCED.fullmatch(stripped)
    return fenced[1] if fenced else stripped


def _members(value: Any, keys: Iterable[str], what: str) -> Mapping[str, Any]:
    wanted = list(keys)
    if not isinstance(value, dict) or value.keys() != set(wanted):
        listed = ", ".join(f'"{key}"' for key in wanted)
        raise UnreadableVerdict(f"{what} must be an object with exactly the keys {listed}.")
    return value


def _criterion_score(criterion: Criterion, score: Any, rationale: Any) -> CriterionScore:
    maximum = criterion.scale.maximum
    if not _is_number_to(maximum, score):
        raise UnreadableVerdict(
            f'The score of "{criterion.name}" must be a number from 0 to {maximum}.'
        )
    if not isinstance(rationale, str):
        raise UnreadableVerdict(f'The rationale of "{criterion.name}" must be a text.')
    return CriterionScore(
        value=score / maximum, raw=float(score), rationale=rationale.strip() or None
    )


def _is_number_to(maximum: int, value: Any) -> bool:
    # In Python a bool is an int; here it is not a number.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= maximum
