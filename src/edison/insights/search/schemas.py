"""Bodies of the search in a project."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema

LONGEST_SEARCH = 200


class FoundKind(StrEnum):
    PROMPT = "prompt"
    DATASET = "dataset"
    SCORER = "scorer"
    MODEL = "model"
    RUN = "run"
    EXPERIMENT = "experiment"
    OPTIMIZATION = "optimization"
    AB_TEST = "ab_test"
    MONITOR = "monitor"


class FoundRead(Schema):
    kind: FoundKind
    id: UUID
    name: str
    at: Annotated[datetime, Field(description="When it was changed; a run: created")]
