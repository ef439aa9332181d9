"""Averages the scores of several judges, per criterion."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from edison.pipeline.score.scorer import CriterionScore, JudgeScore, Scored


def averaged(scored: Scored, judges: Mapping[str, JudgeScore]) -> Scored:
    """Returns the score with the judges' means. A judge without a verdict counts with the lowest
    score, and sets the flag of the result.
    """
    each = list(judges.values())
    return replace(
        scored,
        value=fmean(judge.value for judge in each),
        criteria={name: _mean(name, each) for name in each[0].criteria},
        judges=judges,
        flag=next((judge.flag for judge in each if judge.flag is not None), None),
    )


def _mean(name: str, judges: Sequence[JudgeScore]) -> CriterionScore:
    """Without a rationale: each judge has its own."""
    scores = [judge.criteria[name] for judge in judges]
    return CriterionScore(
        value=fmean(score.value for score in scores), raw=fmean(score.raw for score in scores)
    )
