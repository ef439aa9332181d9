"""Base class of all request and response bodies."""

import re
import warnings
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.warnings import UnsupportedFieldAttributeWarning

# FastAPI gives every `body` parameter a meaningless alias, and suppresses pydantic's warning only
# while a route is declared. Schemas are built later, because of `defer_build`.
warnings.filterwarnings(
    "ignore", "The 'alias' attribute with value 'body'", UnsupportedFieldAttributeWarning
)


class Schema(BaseModel):
    """Unknown fields are rejected, so that a typo is an error instead of a silent default.
    Validators are built on first use, which keeps start-up fast with hundreds of schemas.
    """

    model_config = ConfigDict(extra="forbid", from_attributes=True, defer_build=True)


# Except line breaks and tabs.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def without_control_characters(value: str) -> str:
    """Removes control characters except line breaks and tabs. NUL is invalid in PostgreSQL;
    direction overrides can mislead readers.

    In most fields this runs before lengths are checked, on texts as long as a body may be.
    """
    if _CONTROL.search(value):
        raise ValueError("must not contain control or text-direction characters")
    return value


CleanText = Annotated[str, AfterValidator(without_control_characters)]
Line = Annotated[CleanText, StringConstraints(strip_whitespace=True, pattern=r"^[^\r\n]*$")]

# A string in JSON, because many clients would parse a number with lost precision.
Usd = Annotated[
    Decimal,
    Field(ge=0, le=1_000_000_000, decimal_places=9),
    PlainSerializer(lambda amount: format(amount, "f"), return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^\d{1,10}(\.\d{1,9})?$",
            "description": "US dollars, exact to a nano-dollar",
            "examples": ["0.000425"],
        }
    ),
]

Item = TypeVar("Item")


class Page(Schema, Generic[Item]):
    """One page of a list. Pass `next` as `cursor` for the next page."""

    items: list[Item]
    next: str | None
    total: int | None


class ErrorDetail(Schema):
    field: str
    message: str
    code: str


class ErrorInfo(Schema):
    code: str
    message: str
    details: list[ErrorDetail] | dict[str, object] | None
    path: str | None
    timestamp: datetime
    traceId: str | None  # noqa: N815 - the published error shape


class ErrorBody(Schema):
    """The shape of every error."""

    error: ErrorInfo
