"""Response bodies of the test on held-out cases: the finalist, its safety, cheaper models."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.pipeline.aggregate.results import PairedTest
from edison.pipeline.refine.search import GateReason


class SafetyTestRead(Schema):
    """A safety scorer in the test of the finalist: the held-out difference with its interval, and
    whether the finalist counts as less safe.
    """

    name: str
    difference: float | None
    low: float | None
    high: float | None
    is_less_safe: bool


class FinalistTestRead(Schema):
    """The only test of the finalist, on held-out cases it never saw. `train_gain` is what it looked
    better by on the training cases. `low` and `high` are the interval of the held-out `difference`
    at `alpha`, the level of this `look`. `less_safe` names the safety scorers on which the finalist
    is not shown to be as good, `safety` has the figures of all of them.
    """

    reason: GateReason
    train_gain: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    test: PairedTest | None
    look: int
    alpha: float
    cases: int
    min_gain: float
    less_safe: list[str]
    safety: Annotated[list[SafetyTestRead], Field(default_factory=list)]


class CheaperModelRead(Schema):
    """A model that may be cheaper, on the held-out cases against the incumbent: `difference` of
    means, with the 90 % interval. `is_as_good` is null where it was not tested, because a more
    expensive one was not as good. `reason` is a sentence.
    """

    model_id: UUID
    name: str
    cost_usd: Usd
    difference: float | None
    low: float | None
    high: float | None
    is_as_good: bool | None
    reason: str


class CheaperModelsRead(Schema):
    """Cheaper models with the prompt `candidate`, compared with the incumbent: the base on its own
    model. As good means: lower by less than `margin`. `cost_usd` is per answer. `chosen` is the
    cheapest model that is shown to be as good; `saving` its share of the incumbent's cost.
    """

    incumbent: str
    cost_usd: Usd
    candidate: int
    margin: float
    trials: list[CheaperModelRead]
    chosen: UUID | None
    saving: float | None
