"""Bodies of the route that tries a model."""

from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.library.models.schemas import ParameterValues

LONGEST_TEXT = 400_000


class TryRequest(Schema):
    """Parameters left out are the model's own. Without `is_cache_bypassed` a question that was
    asked before is answered from the cache, at no cost.
    """

    prompt: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_TEXT, examples=["Say hello in three languages."]),
    ]
    system: Annotated[str | None, Field(max_length=LONGEST_TEXT)] = None
    parameters: ParameterValues | None = None
    is_cache_bypassed: bool = False
