"""Base class of optimizers whose edits are written by a model."""

from uuid import UUID

from pydantic import Field

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.refine.optimizer import Optimizer
from edison.pipeline.refine.refiner import Refiner
from edison.pipeline.score.scorer import Tools

_MOST_SEEDS = 2**31


class ModelOptimizer(Optimizer):
    """The options for the model, and its requests."""

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    candidates: int
    temperature: float = Field(
        default=1.0, ge=0, le=2, title="Temperature", json_schema_extra=ADVANCED
    )
    max_tokens: int = Field(
        default=4000,
        ge=200,
        le=100_000,
        title="Max tokens of the reply",
        json_schema_extra=ADVANCED,
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    @property
    def most_proposals(self) -> int:
        return self.candidates

    def refiner(self, tools: Tools, *, seed: int) -> Refiner:
        parameters = Parameters(
            temperature=self.temperature, seed=seed % _MOST_SEEDS, max_tokens=self.max_tokens
        )
        return Refiner(model_id=self.model_id, parameters=parameters, tools=tools)
