"""Schemas of the account endpoints."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from edison.api.schema import Line, Schema
from edison.workspace.accounts.addresses import normalise_unmistakable
from edison.workspace.accounts.models import AccessToken, TokenScope, UserSession

Email = Annotated[str, StringConstraints(max_length=255), AfterValidator(normalise_unmistakable)]
PersonName = Annotated[Line, StringConstraints(min_length=1, max_length=255)]
Password = Annotated[SecretStr, Field(min_length=1, max_length=1000)]


class AuthConfig(Schema):
    """The sign-in methods that this installation offers."""

    registration_open: bool
    registration: Annotated[
        Literal["open", "invited", "auto"], Field(description="EDISON_REGISTRATION as it is set")
    ]
    sends_mail: bool
    oidc_name: str | None
    terms_url: str | None
    first_run: bool


class RegistrationRequest(Schema):
    email: Annotated[Email, Field(examples=["ada@example.org"])]
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]
    name: Annotated[PersonName | None, Field(examples=["Ada Lovelace"])] = None


class SignInRequest(Schema):
    email: Annotated[str, Field(max_length=255, examples=["ada@example.org"])]
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]
    remember_me: bool = False


class LinkToken(Schema):
    token: Annotated[str, Field(max_length=100)]


class UserRead(Schema):
    id: UUID
    email: str
    name: str | None
    is_email_verified: bool
    has_password: bool
    has_second_factor: bool
    is_local_owner: bool
    has_seen_tour: Annotated[bool, Field(description="Started or declined the guided tour")]
    created_at: datetime


class SessionInfo(Schema):
    id: UUID
    expires_at: datetime
    remember_me: bool


class SignedInRead(Schema):
    """The signed-in user; `session` is null for a personal access token."""

    user: UserRead
    session: SessionInfo | None


class SecondFactorStep(Schema):
    """The password was right and a second-factor code is required. Send it with the challenge to
    `/auth/login/second-factor`.
    """

    challenge: str
    expires_at: datetime


class SecondFactorAnswer(Schema):
    challenge: Annotated[str, Field(max_length=4000)]
    code: Annotated[str, Field(min_length=1, max_length=40, examples=["492039"])]


class EmailConfirmationUse(Schema):
    """`password` is required when the browser is not signed in to the account."""

    token: Annotated[str, Field(max_length=100)]
    password: Password | None = None


class ProfileChange(Schema):
    """Fields left out are not changed."""

    name: PersonName | None = None
    email: Email | None = None
    has_seen_tour: Annotated[
        bool | None, Field(description="False offers the guided tour again; null changes nothing")
    ] = None


class PasswordChange(Schema):
    current_password: Password | None = None
    new_password: Password
    end_tokens: Annotated[bool, Field(description="Also end all personal access tokens")] = False


class PasswordResetRequest(Schema):
    email: Annotated[str, Field(max_length=255, examples=["ada@example.org"])]


class PasswordResetUse(Schema):
    token: Annotated[str, Field(max_length=4000)]
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]


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
    expires_in_days: Annotated[
        int | None, Field(ge=1, le=365, description="null: it never expires")
    ] = 90
    project_ids: Annotated[
        list[UUID] | None,
        Field(min_length=1, max_length=100, description="The only projects it works in"),
    ] = None


class TokenProject(Schema):
    """`name` is null when the account is no longer a member."""

    id: UUID
    name: str | None


class TokenRead(Schema):
    id: UUID
    name: str
    scope: TokenScope
    last_four: str
    created_at: datetime
    last_used_at: datetime | None
    last_used_address: str | None
    expires_at: datetime | None
    projects: Annotated[
        list[TokenProject] | None, Field(description="null: all projects of the account")
    ]

    @classmethod
    def of(cls, row: AccessToken, *, names: Mapping[UUID, str]) -> "TokenRead":
        """`names` of the projects that the account is a member of."""
        values = {name: getattr(row, name) for name in cls.model_fields if name != "projects"}
        limits = row.project_ids
        projects = None
        if limits is not None:
            wanted = [UUID(each) for each in limits]
            projects = [TokenProject(id=each, name=names.get(each)) for each in wanted]
        return cls(**values, projects=projects)


class TokenCreated(TokenRead):
    """Contains the token itself, which is returned only once."""

    token: str
