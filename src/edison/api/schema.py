"""The base of every request and response body."""

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

# FastAPI gives every `body` an alias, which means nothing there, and keeps what pydantic says about
# it to itself while a route is declared. The checks of schemas are made later than that.
warnings.filterwarnings(
    "ignore", "The 'alias' attribute with value 'body'", UnsupportedFieldAttributeWarning
)


class Schema(BaseModel):
    """Unknown fields are refused, so that a typo is an error and not a silent default. What checks
    them is made when it is first needed: there are hundreds, and a start waits for none.
    """

    model_config = ConfigDict(extra="forbid", from_attributes=True, defer_build=True)


# All but line breaks and tabs.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def without_control_characters(value: str) -> str:
    """Line breaks and tabs may stay; NUL breaks PostgreSQL, direction overrides deceive readers.

    Runs before lengths are checked in most fields, so on texts as long as a body may be.
    """
    if _CONTROL.search(value):
        raise ValueError("must not contain control or text-direction characters")
    return value


CleanText = Annotated[str, AfterValidator(without_control_characters)]
Line = Annotated[CleanText, StringConstraints(strip_whitespace=True, pattern=r"^[^\r\n]*$")]

# A string in JSON, where a number would lose its exactness in many clients.
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
    """Shape of every error."""

    error: ErrorInfo
