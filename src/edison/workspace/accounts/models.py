"""Tables of users, sessions, tokens and second factors."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column, validates

from edison.db.base import Base, Identified, JsonColumn, Timestamped
from edison.db.sealed import SEALED
from edison.workspace.accounts.addresses import skeleton


class User(Identified, Timestamped, Base):
    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("email"), Index(None, "is_first", unique=True))

    # Lower case, so that the unique constraint is case insensitive.
    email: Mapped[str] = mapped_column(String(255))
    # Equal for addresses that look alike.
    email_skeleton: Mapped[str] = mapped_column(String(255), index=True)
    # None while the address is unverified.
    email_verified_at: Mapped[datetime | None]
    # None while the address is the one the account was created with.
    email_changed_at: Mapped[datetime | None]
    name: Mapped[str | None] = mapped_column(String(255))
    # None for accounts that sign in only by link or single sign-on.
    password_hash: Mapped[str | None] = mapped_column(String(100))
    is_local_owner: Mapped[bool] = mapped_column(default=False)
    # True for the first account of the installation, null for all others; unique.
    is_first: Mapped[bool | None]
    # When two-factor authentication was turned on; None while it is off.
    second_factor_at: Mapped[datetime | None]
    # Started or declined the guided tour, which is offered until then.
    has_seen_tour: Mapped[bool] = mapped_column(default=False, server_default=false())

    @validates("email")
    def _follow_email(self, _: str, email: str) -> str:
        self.email_skeleton = skeleton(email)
        return email

    @property
    def has_password(self) -> bool:
        return self.password_hash is not None

    @property
    def is_email_verified(self) -> bool:
        return self.email_verified_at is not None

    @property
    def has_second_factor(self) -> bool:
        return self.second_factor_at is not None


class UserSession(Identified, Base):
    """A signed-in browser. Its id is the `jti` of the cookie's token."""

    __tablename__ = "user_sessions"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    remember_me: Mapped[bool]
    user_agent: Mapped[str | None] = mapped_column(String(400))
    address: Mapped[str | None] = mapped_column(String(64))
    # Opened by an identity provider, which is responsible for the second factor.
    is_single_sign_on: Mapped[bool] = mapped_column(default=False)


class TokenScope(StrEnum):
    """Permissions of a personal access token; each scope includes the one before."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class AccessToken(Identified, Base):
    """A personal access token; only its hash is stored."""

    __tablename__ = "access_tokens"
    __table_args__ = (
        UniqueConstraint("digest"),
        CheckConstraint("scope IN ('read', 'write', 'admin')", name="scope"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    scope: Mapped[str] = mapped_column(String(10))
    digest: Mapped[str] = mapped_column(String(64))
    last_four: Mapped[str] = mapped_column(String(4))
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    last_used_address: Mapped[str | None] = mapped_column(String(64))
    expires_at: Mapped[datetime | None]
    # Ids of the only projects the token is valid for; None for all of the user's projects. Not
    # foreign keys: a token whose last project was deleted must not become valid for all projects.
    project_ids: Mapped[list[str] | None] = mapped_column(JsonColumn)

    def reaches(self, project_id: UUID) -> bool:
        return self.project_ids is None or str(project_id) in self.project_ids


class SignInLink(Identified, Base):
    """Printed by `edison serve`: signs in the user of this machine, once."""

    __tablename__ = "sign_in_links"
    __table_args__ = (UniqueConstraint("digest"),)

    digest: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class EmailConfirmation(Identified, Base):
    """A mailed link that verifies an address. Deleted when used."""

    __tablename__ = "email_confirmations"
    __table_args__ = (UniqueConstraint("digest"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    email: Mapped[str] = mapped_column(String(255))
    digest: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class SecondFactor(Base):
    """The secret shared with a user's authenticator app. In force once `User.second_factor_at` is
    set.
    """

    __tablename__ = "second_factors"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    sealed_secret: Mapped[str] = mapped_column(Text, info=SEALED)
    # Time step of the last accepted code; codes of this and earlier steps are refused.
    last_step: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]


class RecoveryCode(Identified, Base):
    """Single-use replacement for a code of the authenticator app; only its hash is stored."""

    __tablename__ = "recovery_codes"
    __table_args__ = (UniqueConstraint("user_id", "digest"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(String(64))
    used_at: Mapped[datetime | None]


class ExternalIdentity(Identified, Base):
    """An account at an identity provider, linked to a user."""

    __tablename__ = "external_identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]


class AttemptWindow(Base):
    """Number of recent attempts at something that is protected against guessing."""

    __tablename__ = "attempt_windows"
    __table_args__ = (CheckConstraint("count >= 0", name="count_not_negative"),)

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[datetime] = mapped_column(index=True)
