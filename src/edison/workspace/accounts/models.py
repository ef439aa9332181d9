"""People and the ways they prove who they are."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from edison.db.base import Base, Identified, Timestamped


class User(Identified, Timestamped, Base):
    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("email"),)

    # Stored in lower case, so that the constraint holds for any spelling.
    email: Mapped[str] = mapped_column(String(255))
    name: Mapped[str | None] = mapped_column(String(255))
    # None: signs in by link or single sign-on only.
    password_hash: Mapped[str | None] = mapped_column(String(100))
    is_local_owner: Mapped[bool] = mapped_column(default=False)

    @property
    def has_password(self) -> bool:
        return self.password_hash is not None


class UserSession(Identified, Base):
    """A signed-in browser; its id is the `jti` of the cookie's token."""

    __tablename__ = "user_sessions"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    remember_me: Mapped[bool]
    user_agent: Mapped[str | None] = mapped_column(String(400))
    address: Mapped[str | None] = mapped_column(String(64))


class TokenScope(StrEnum):
    """What a personal access token may do, each including the one before."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class AccessToken(Identified, Base):
    """A personal access token; only its hash is kept."""

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
    expires_at: Mapped[datetime | None]


class SignInLink(Identified, Base):
    """Printed by `edison serve`: lets whoever sits at this machine in, once."""

    __tablename__ = "sign_in_links"
    __table_args__ = (UniqueConstraint("digest"),)

    digest: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ExternalIdentity(Identified, Base):
    """An account at an identity provider that signs in as one of our users."""

    __tablename__ = "external_identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]


class AttemptWindow(Base):
    """How often something guarded against guessing was tried lately."""

    __tablename__ = "attempt_windows"
    __table_args__ = (CheckConstraint("count >= 0", name="count_not_negative"),)

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[datetime] = mapped_column(index=True)
