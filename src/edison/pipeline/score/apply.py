"""Applies a configured scorer to an answer, by the rules that hold for every scorer.

- A malformed answer gets the lowest score, negated or not, and costs nothing to score.
- A scorer that does not apply gives no value; its flag says why.
- A scorer that fails gives no value and the flag `scorer_failed`; the run continues. Exceptions
  raised by its `Tools` are not failures of the scorer and propagate to the caller.
- Negation (`not-`) inverts values, except placeholders for a missing value. With several judges,
  each judge's values are inverted before they are averaged.
- The cost of a scorer's model calls is summed here, whatever happens to their answers.
- With a threshold, a value at or above it passes; a pass-or-fail scorer needs none. Without a
  threshold the scorer's own verdict holds, if it has one. A blocked answer never passes.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.fast_frozen import changed
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.average import averaged
from edison.pipeline.score.metered_tools import MeteredTools
from edison.pipeline.score.registry import open_scorer
from edison.pipeline.score.scorer import (
    CriterionScore,
    Flag,
    JudgeScore,
    NotApplicable,
    Scored,
    Scorer,
    Subject,
    Tools,
)

# Weighted means can miss a threshold such as 0.8 by a rounding error.
_ROUNDING = 1e-9

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerConfig:
    """A stored scorer. `threshold` is in 0..1; `weight` is for sums over several scorers."""

    kind: str
    options: Mapping[str, Any]
    threshold: float | None = None
    weight: float = 1.0
    is_negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredScorer:
    """Reusable and safe for concurrent use."""

    config: ScorerConfig
    scorer: Scorer

    @property
    def threshold(self) -> float | None:
        if self.config.threshold is None and self.scorer.is_pass_or_fail:
            return 1.0
        return self.config.threshold


def configure(config: ScorerConfig) -> ConfiguredScorer:
    """Raises Invalid when the scorer does not exist or its configuration is not valid."""
    if config.threshold is not None and not 0 <= config.threshold <= 1:
        raise _unfit("threshold", "A threshold is a number from 0 to 1.")
    if not 0 <= config.weight < math.inf:
        raise _unfit("weight", "A weight is a number that is not negative.")
    return ConfiguredScorer(config=config, scorer=open_scorer(config.kind, config.options))


def _unfit(field: str, message: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code="out_of_range"))


async def apply(configured: ConfiguredScorer, subject: Subject, tools: Tools) -> Scored:
    scorer = configured.scorer
    lent = MeteredTools(tools)
    if subject.malformed is not None:
        scored = scorer.lowest(Flag.MALFORMED, f"The answer is malformed: {subject.malformed}.")
    else:
        scored = await _score(scorer, subject, lent)
    if configured.config.is_negated:
        scored = _negated(scored)
    is_passed, cost_nanos = _is_passed(scored, configured.threshold), lent.cost_nanos
    if is_passed is scored.is_passed and cost_nanos == scored.cost_nanos:
        return scored
    return changed(scored, is_passed=is_passed, cost_nanos=cost_nanos)


async def _score(scorer: Scorer, subject: Subject, lent: MeteredTools) -> Scored:
    try:
        scored = await scorer.score(subject, lent)
        _check(scored)
    except NotApplicable as silent:
        return Scored(value=None, flag=silent.flag, rationale=silent.reason)
    except Exception as error:
        if lent.have_raised(error):
            raise
        _log.exception("scorer failed", scorer=type(scorer).__name__)
        return Scored(
            value=None,
            flag=Flag.SCORER_FAILED,
            rationale=f"The scorer failed: {type(error).__name__}.",
        )
    return scored


def _check(scored: Scored) -> None:
    _check_value(scored.value)
    for criterion in scored.criteria.values():
        _check_value(criterion.value)


def _check_value(value: float | None) -> None:
    if value is not None and not 0 <= value <= 1:
        raise ValueError(f"A score is in 0..1, not {value}.")


def _negated(scored: Scored) -> Scored:
    if scored.judges:
        turned = {label: _turned_judge(judge) for label, judge in scored.judges.items()}
        return averaged(scored, turned)
    if scored.value is None or scored.flag is not None:
        return scored
    return replace(
        scored,
        value=1 - scored.value,
        criteria={name: _turned(criterion) for name, criterion in scored.criteria.items()},
        is_passed=None if scored.is_passed is None else not scored.is_passed,
    )


def _turned_judge(judge: JudgeScore) -> JudgeScore:
    if judge.flag is not None:
        return judge
    return replace(
        judge,
        value=1 - judge.value,
        criteria={name: _turned(criterion) for name, criterion in judge.criteria.items()},
    )


def _turned(criterion: CriterionScore) -> CriterionScore:
    return replace(criterion, value=1 - criterion.value)


def _is_passed(scored: Scored, threshold: float | None) -> bool | None:
    if scored.flag is Flag.BLOCKED:
        return False
    if scored.value is None:
        return None
    if threshold is None:
        return scored.is_passed
    return scored.value >= threshold - _ROUNDING
