"""From the verdicts of assertions to the verdict of a row.

- The score is the mean of the scores, by weight; with no weight at all it is 0.
- A row passes when all assertions do. With a threshold only its score counts.
- An assertion of weight 0 always passes; a set of weight 0 does not.
- Scores with a name are means by weight; weightless ones are 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.javascript import is_number
from edison.pipeline.score.assertions.model import AssertionVerdict

ALL_PASSED = "All assertions passed"


@dataclass(slots=True)
class Sum:
    """Collects the verdicts of a row or a set."""

    threshold: object = None
    total: float = 0.0
    weight: float = 0.0
    failure: str | None = None
    components: list[AssertionVerdict] = field(default_factory=list)
    named: dict[str, float] = field(default_factory=dict)
    named_weights: dict[str, float] = field(default_factory=dict)

    def add(self, verdict: AssertionVerdict, *, metric: str | None, weight: float) -> None:
        self.total += verdict.score * weight
        self.weight += weight
        self.components.append(verdict)
        if metric:
            self._add_named(metric, verdict.score, weight)
        for name, score in verdict.named_scores.items():
            if name != metric:
                self._add_named(name, score, verdict.named_weights.get(name, 1.0) * weight)
        if not verdict.is_passed:
            self.failure = verdict.reason

    def _add_named(self, name: str, score: float, weight: float) -> None:
        self.named[name] = self.named.get(name, 0.0) + score * weight
        self.named_weights[name] = self.named_weights.get(name, 0.0) + weight

    def verdict(self) -> AssertionVerdict:
        score = self.total / self.weight if self.weight > 0 else 0.0
        is_passed = self.failure is None
        reason = self.failure or ALL_PASSED
        if is_number(self.threshold):
            limit = float(str(self.threshold))
            is_passed = score >= limit
            reason = (
                f"The score {score:.2f} is {'at least' if is_passed else 'less than'} {limit:g}."
            )
        return AssertionVerdict(
            is_passed=is_passed,
            score=score,
            reason=reason,
            named_scores=_means(self.named, self.named_weights),
            named_weights=dict(self.named_weights),
            components=tuple(_flat(self.components)),
        )


def _means(sums: Mapping[str, float], weights: Mapping[str, float]) -> dict[str, float]:
    return {
        name: value / weights[name] if weights[name] > 0 else 0.0 for name, value in sums.items()
    }


def _flat(verdicts: Iterable[AssertionVerdict]) -> Iterable[AssertionVerdict]:
    """Components follow the verdict that they are part of."""
    for verdict in verdicts:
        yield replace(verdict, components=())
        yield from verdict.components
