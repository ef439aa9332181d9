"""Whether the answer's cost is within a limit."""

from decimal import Decimal
from typing import ClassVar

from pydantic import Field

from edison.kit.money import nanos_from_usd, usd_from_nanos
from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)


class CostLimit(Scorer):
    """1 when the answer, including all attempts, cost no more than the limit, else 0. An answer
    from the cache costs nothing.
    """

    title: ClassVar[str] = "Cost limit"
    description: ClassVar[str] = "The answer cost no more than an amount."
    group: ClassVar[ScorerGroup] = ScorerGroup.LIMITS
    example: ClassVar[str] = "At most $0.01: an answer that cost $0.004 gives 1."
    is_pass_or_fail: ClassVar[bool] = True

    limit_usd: Decimal = Field(ge=0, le=1000, decimal_places=9, title="At most, in US dollars")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        cost_nanos = subject.cost_nanos
        if cost_nanos is None:
            raise NotApplicable(Flag.NOT_MEASURED, "No price is known for the model.")
        is_within = cost_nanos <= nanos_from_usd(self.limit_usd)
        return Scored(
            value=float(is_within),
            raw=str(cost_nanos),
            rationale=f"${usd_from_nanos(cost_nanos)} of ${self.limit_usd}.",
        )
