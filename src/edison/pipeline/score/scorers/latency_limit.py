"""Whether the model answered within a time limit."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)


class LatencyLimit(Scorer):
    """1 when the model took no longer than the limit, else 0. Queue time does not count. An answer
    from the cache counts with the time of the original call.
    """

    title: ClassVar[str] = "Latency limit"
    description: ClassVar[str] = "The model answered within a time."
    group: ClassVar[ScorerGroup] = ScorerGroup.LIMITS
    example: ClassVar[str] = "At most 2 seconds: an answer after 3.1 seconds gives 0."
    is_pass_or_fail: ClassVar[bool] = True

    limit_seconds: float = Field(gt=0, le=3600, title="At most, in seconds")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        seconds = subject.latency_seconds
        if seconds is None:
            raise NotApplicable(Flag.NOT_MEASURED, "The latency is unknown.")
        return Scored(
            value=float(seconds <= self.limit_seconds),
            raw=str(seconds),
            rationale=f"{seconds:.2f} s of {self.limit_seconds:g} s.",
        )
