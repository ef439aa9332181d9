"""Types and schemas shared by the endpoints of resources."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from edison.api.schema import CleanText, Schema

# Which resources a list shows.
Status = Literal["active", "archived", "all"]
# Null when blank.
Description = Annotated[
    Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=1000)] | None,
    AfterValidator(lambda text: text or None),
]


class ResourceChange(Schema):
    """Base of requests that rename or describe: a name can be left out, but not removed."""

    MISSING_NAME: ClassVar[str] = "A name is needed."

    @field_validator("name", check_fields=False)
    @classmethod
    def _is_needed(cls, value: str | None) -> str:
        if value is None:
            raise ValueError(cls.MISSING_NAME)
        return value


class SavedVersionReference(Schema):
    id: UUID
    number: int
    label: Annotated[str, Field(examples=["v3"])]


class SavedVersionRead(SavedVersionReference):
    author: str | None
    created_at: datetime


class ChangeRead(Schema):
    """A value that differs. `path` consists of names of fields and, in lists of criteria, names of
    criteria. Null for a side without the value.
    """

    kind: Literal["added", "removed", "changed"]
    path: Annotated[list[str], Field(examples=[["criteria", "Accuracy", "weight"]])]
    before: Any
    after: Any


class ChangesRead(Schema):
    left: Annotated[str, Field(examples=["v1"])]
    right: Annotated[str, Field(examples=["v2"])]
    changes: list[ChangeRead]
