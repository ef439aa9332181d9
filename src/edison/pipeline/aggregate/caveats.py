"""What a verdict on so many cases cannot rule out, in words: breaks that were not drawn."""

from edison.pipeline.aggregate.binomial import upper_share
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.aggregate.table import Floats

# A quarter of the scale: what people would call another answer, not another wording.
MUCH = 0.25


def caveat_of(verdict: Verdict, differences: Floats) -> str | None:
    """None unless the verdict is better or worse; `differences` are without NaN."""
    if verdict is Verdict.BETTER:
        seen = int((differences <= -MUCH).sum())
        return _sentence(seen, len(differences), change="worse", event="a break")
    if verdict is Verdict.WORSE:
        seen = int((differences >= MUCH).sum())
        return _sentence(seen, len(differences), change="better", event="a gain")
    return None


def _sentence(seen: int, cases: int, *, change: str, event: str) -> str:
    share = f"{100 * upper_share(seen, cases):.0f} %"
    if seen == 0:
        return (
            f"Among {cases} cases none got much {change}; {event} in up to {share} of cases could "
            "have gone unseen."
        )
    return (
        f"Among {cases} cases {seen} got much {change}; {event} in up to {share} of all cases "
        "would fit that."
    )
