"""Request body for trying a model."""

from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.library.models.schemas import ParameterValues

LONGEST_TEXT = 400_000


class TryRequest(Schema):
    """Parameters left out default to the model's own. Unless `is_cache_bypassed`, a repeated
    request is answered from the cache at no cost.
    """

    prompt: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_TEXT, examples=["Say hello in three languages."]),
    ]
    system: Annotated[str | None, Field(max_length=LONGEST_TEXT)] = None
    parameters: ParameterValues | None = None
    is_cache_bypassed: bool = False
