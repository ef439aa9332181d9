"""Bodies of the account routes."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from edison.api.schema import Line, Schema
from edison.workspace.accounts.models import TokenScope, UserSession


def _normal_email(value: str) -> str:
    """One spelling per address: the domain as DNS has it, all in lower case."""
    try:
        parts = validate_email(value, check_deliverability=False)
    except EmailNotValidError as wrong:
        raise ValueError("Enter a valid email address.") from wrong
    return parts.normalized.lower()


Email = Annotated[str, StringConstraints(max_length=255), AfterValidator(_normal_email)]
PersonName = Annotated[Line, StringConstraints(min_length=1, max_length=255)]
Password = Annotated[SecretStr, Field(min_length=1, max_length=1000)]


class AuthConfig(Schema):
    """What the sign-in page may offer."""

    registration_open: bool
    oidc_name: str | None
    terms_url: str | None
    first_run: bool


class Registration(Schema):
    email: Annotated[Email, Field(examples=["ada@example.org"])]
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]
    name: Annotated[PersonName | None, Field(examples=["Ada Lovelace"])] = None


class Credentials(Schema):
    email: Annotated[str, Field(max_length=255, examples=["ada@example.org"])]
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]
    remember_me: bool = False


class LinkToken(Schema):
    token: Annotated[str, Field(max_length=100)]


class UserRead(Schema):
    id: UUID
    email: str
    name: str | None
    has_password: bool
    is_local_owner: bool
    created_at: datetime


class SessionInfo(Schema):
    id: UUID
    expires_at: datetime
    remember_me: bool


class SignedInRead(Schema):
    """Who is signed in; `session` is null for a personal access token."""

    user: UserRead
    session: SessionInfo | None


class ProfileChange(Schema):
    """Fields left out stay as they are."""

    name: PersonName | None = None
    email: Email | None = None


class PasswordChange(Schema):
    current_password: Password | None = None
    new_password: Password


class SessionRead(Schema):
    id: UUID
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    user_agent: str | None
    address: str | None
    is_current: bool
    remember_me: bool

    @classmethod
    def of(cls, row: UserSession, *, current: UUID | None) -> "SessionRead":
        values = {name: getattr(row, name) for name in cls.model_fields if name != "is_current"}
        return cls(**values, is_current=row.id == current)


class TokenRequest(Schema):
    name: Annotated[Line, StringConstraints(min_length=1, max_length=100)]
    scope: TokenScope = TokenScope.READ
    expires_in_days: Annotated[int | None, Field(ge=1, le=365)] = 90


class TokenRead(Schema):
    id: UUID
    name: str
    scope: TokenScope
    last_four: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None


class TokenCreated(TokenRead):
    """The only time the token itself is shown."""

    token: str
