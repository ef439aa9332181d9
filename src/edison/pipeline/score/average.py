"""Several judges' scores as one: the mean over the judges, criterion by criterion."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from edison.pipeline.score.scorer import CriterionScore, JudgeScore, Scored


def averaged(scored: Scored, judges: Mapping[str, JudgeScore]) -> Scored:
    """The score with the judges' means. One who gave no verdict counts with the lowest score that
    stands in for it, and gives the whole its flag.
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
