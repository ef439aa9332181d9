"""What an optimization is asked to do."""

from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from edison.api.schema import CleanText, Schema, Usd
from edison.library.models.schemas import ParameterValues
from edison.pipeline.refine.search import WORTHWHILE
from edison.runs.plan.schemas import ScorerRequest

MOST_SEED = 2**31 - 1
DEFAULT_OPTIMIZATION_BUDGET_USD = Decimal("5.00")


class OptimizationModelChoice(Schema):
    """A model that answers the cases, with parameters."""

    model_id: UUID
    parameters: ParameterValues | None = None


class OptimizationStrategy(Schema):
    """`kind` is one of `GET …/optimizations/kinds`, `options` are that kind's settings. A strategy
    that calls a model names it in `options.model_id`.
    """

    kind: Annotated[str, Field(max_length=40, examples=["evolve"])] = "evolve"
    options: Annotated[dict[str, Any], Field(default_factory=dict)]


class OptimizationConfig(Schema):
    """An optimization without its name. Candidates are chosen on the training cases of the dataset;
    the one chosen is tested once on the held-out cases. Without `version_id`, the latest version of
    the prompt is improved.
    """

    prompt_id: UUID
    version_id: UUID | None = None
    dataset_id: UUID
    goal: Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=2000)] = ""
    models: Annotated[list[OptimizationModelChoice], Field(min_length=1, max_length=4)]
    cheaper_models: Annotated[
        list[OptimizationModelChoice],
        Field(
            default_factory=list,
            max_length=4,
            description="Models to test on held-out cases against the only one of `models`: the "
            "cheapest that is shown to be as good is recommended",
        ),
    ]
    scorers: Annotated[list[ScorerRequest], Field(min_length=1, max_length=20)]
    strategy: OptimizationStrategy = Field(
        default_factory=lambda: OptimizationStrategy.model_validate({})
    )
    generations: Annotated[int, Field(ge=1, le=50)] = 5
    patience: Annotated[
        int, Field(ge=1, le=50, description="Generations without a better candidate")
    ] = 3
    target_score: Annotated[
        float | None, Field(gt=0, le=1, description="Mean training score that ends the search")
    ] = None
    min_gain: Annotated[
        float, Field(ge=0, le=0.5, description="The smallest worthwhile gain on held-out cases")
    ] = WORTHWHILE
    max_train_cases: Annotated[int, Field(ge=5, le=1000)] = 100
    max_holdout_cases: Annotated[int, Field(ge=7, le=2000)] = 200
    budget_usd: Annotated[Usd, Field(gt=0)] = DEFAULT_OPTIMIZATION_BUDGET_USD
    seed: Annotated[
        int | None, Field(ge=0, le=MOST_SEED, description="Null draws one; equal seeds repeat")
    ] = None
