"""Validates the return value of a custom scorer. The value is untrusted, so nothing is converted:
types are compared and sizes checked before the content is read.
"""

import math
from typing import Any

from edison.pipeline.score.scorer import CriterionScore, Scored

MOST_CRITERIA = 20
_LONGEST_NAME = 80
_LONGEST_REASON = 2_000
_SCORE = "score"
_REASON = "reason"


class UnusableResult(ValueError):
    """The message is a sentence for the author of the code."""


def read_result(value: Any) -> Scored:
    """Raises UnusableResult."""
    if type(value) is not dict:
        return Scored(value=_share(value, "score() must return"))
    if _SCORE not in value:
        raise UnusableResult("The dict that score() returned has no “score”.")
    if len(value) > MOST_CRITERIA + 2:
        raise UnusableResult(f"score() may return at most {MOST_CRITERIA} criteria.")
    return Scored(
        value=_share(value[_SCORE], "“score” must be"),
        rationale=_reason(value.get(_REASON)),
        criteria={
            _name(name): _criterion(name, each)
            for name, each in value.items()
            if name not in {_SCORE, _REASON}
        },
    )


def _criterion(name: str, value: Any) -> CriterionScore:
    share = _share(value, f"“{name}” must be")
    return CriterionScore(value=share, raw=share)


def _share(value: Any, what: str) -> float:
    """A number from 0 to 1. An integer can be too large to convert to a float."""
    if type(value) is bool:
        return float(value)
    if type(value) not in {int, float}:
        raise UnusableResult(f"{what} a number from 0 to 1, not {_type_name(value)}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise UnusableResult(f"{what} a number from 0 to 1, not {value}.")
    if not 0 <= value <= 1:
        raise UnusableResult(f"{what} a number from 0 to 1, not {_size(value)}.")
    return float(value)


def _type_name(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _size(value: int | float) -> str:
    return f"{value:g}" if abs(value) < 10**15 else "a far larger one"


def _reason(value: Any) -> str | None:
    if value is None:
        return None
    if type(value) is not str:
        raise UnusableResult("“reason” must be a text.")
    return value[:_LONGEST_REASON] or None


def _name(name: Any) -> str:
    if type(name) is not str or not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise UnusableResult(
            f"A criterion's name is a text of at most {_LONGEST_NAME} characters on one line."
        )
    return name
