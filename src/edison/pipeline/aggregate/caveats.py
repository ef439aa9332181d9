"""What a verdict on so many cases cannot rule out, in words: breaks that were not drawn."""

from edison.pipeline.aggregate.binomial import upper_share
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.aggregate.table import Floats

# A quarter of the scale: what people would call another answer, not another wording.
MUCH = 0.25


def caveat_of(verdict: Verdict, differences: Floats) -> str | None:
    """None unless the verdict is better or worse; `differences` are without NaN. The sentence is
    about the better one, whichever of the two it is."""
    if verdict not in (Verdict.BETTER, Verdict.WORSE):
        return None
    gains = differences if verdict is Verdict.BETTER else -differences
    cases, broken = len(gains), int((gains <= -MUCH).sum())
    share = f"{100 * upper_share(broken, cases):.0f} %"
    if broken == 0:
        return (
            f"Among {cases} cases none got much worse with the better one; a break in up to "
            f"{share} of cases could have gone unseen."
        )
    return (
        f"Among {cases} cases {broken} got much worse with the better one; a break in up to "
        f"{share} of all cases would fit that."
    )
