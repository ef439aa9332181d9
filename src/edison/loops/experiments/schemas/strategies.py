"""Response bodies of strategies."""

from typing import Annotated, Any

from pydantic import Field

from edison.api.schema import Schema


class StrategyKindRead(Schema):
    """A kind of strategy. `options_schema` is the JSON Schema of its options, without the refiner
    and the number of candidates, which an experiment has itself. `uses_refiner`: it calls a model.
    """

    kind: Annotated[str, Field(examples=["refine"])]
    title: str
    description: str
    uses_refiner: bool
    options_schema: dict[str, Any]
