"""Bodies of the dataset routes."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema


class DatasetRead(Schema):
    id: UUID
    name: Annotated[str, Field(examples=["Golden"])]
    kind: Literal["golden", "synthetic", "adversarial", "questions", "manual"]
    created_at: datetime
