"""Schemas of the two-factor endpoints."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.workspace.accounts.schemas import Password

Code = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        description="Six digits of the authenticator app, or a recovery code",
        examples=["492039"],
    ),
]


class SecondFactorRead(Schema):
    """`recovery_codes_left` counts the unused ones of ten."""

    enabled_at: datetime | None
    recovery_codes_left: int


class EnrolmentRequest(Schema):
    """`password` is required for accounts that have one."""

    password: Password | None = None


class EnrolmentRead(Schema):
    """Returned until a code confirms the secret."""

    secret: Annotated[str, Field(description="To type into an app that cannot scan")]
    uri: str
    qr_svg: Annotated[str, Field(description="The same as a QR code: an SVG document")]


class CodeEntry(Schema):
    code: Code


class PasswordAndCode(Schema):
    """`password` is required for accounts that have one."""

    password: Password | None = None
    code: Code


class RecoveryCodes(Schema):
    """The codes, returned only once. Each replaces one code of the authenticator app."""

    recovery_codes: list[str]
