"""Queries of users, their identities at providers, sessions and tokens."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.kit import clock, ids
from edison.workspace.accounts.addresses import skeleton
from edison.workspace.accounts.models import (
    AccessToken,
    EmailConfirmation,
    ExternalIdentity,
    SignInLink,
    User,
    UserSession,
)
from edison.workspace.events.service import access_changed

_SESSIONS = Sorting(
    columns={"last_seen_at": UserSession.last_seen_at}, default="-last_seen_at", id=UserSession.id
)
_TOKENS = Sorting(
    columns={"created_at": AccessToken.created_at}, default="-created_at", id=AccessToken.id
)


class Accounts:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def has_any(self) -> bool:
        return bool(await self._session.scalar(select(exists().where(User.id.is_not(None)))))

    async def find(self, user_id: UUID) -> User | None:
        return await self._session.get(User, user_id)

    async def find_by_email(self, email: str) -> User | None:
        return await self._session.scalar(select(User).where(User.email == email))

    async def find_by_identity(self, *, issuer: str, subject: str) -> User | None:
        """The account linked to a person at an identity provider."""
        return await self._session.scalar(
            select(User)
            .join(ExternalIdentity, ExternalIdentity.user_id == User.id)
            .where(ExternalIdentity.issuer == issuer, ExternalIdentity.subject == subject)
        )

    async def link_identity(self, user_id: UUID, *, issuer: str, subject: str) -> None:
        """Idempotent: the same person may sign in twice at the same moment."""
        await self._session.execute(
            upsert.insert(self._session, ExternalIdentity)
            .values(
                id=ids.new_id(),
                user_id=user_id,
                issuer=issuer,
                subject=subject,
                created_at=clock.now(),
            )
            .on_conflict_do_nothing(index_elements=["issuer", "subject"])
        )

    async def find_local_owner(self) -> User | None:
        return await self._session.scalar(select(User).where(User.is_local_owner))

    async def find_look_alike(self, email: str) -> User | None:
        """Another account whose address looks like this one."""
        return await self._session.scalar(
            select(User).where(User.email_skeleton == skeleton(email), User.email != email).limit(1)
        )

    async def add_user(self, user: User, *, only_if_first: bool = False) -> User | None:
        """None when the email is taken, including by a concurrent request.

        `only_if_first` also refuses when any account exists. Of several concurrent requests one
        succeeds: the unique `is_first` decides.
        """
        values = {
            "id": user.id or ids.new_id(),
            "email": user.email,
            "email_skeleton": skeleton(user.email),
            "email_verified_at": user.email_verified_at,
            "name": user.name,
            "password_hash": user.password_hash,
            "is_local_owner": user.is_local_owner or False,
        }
        insert = upsert.insert(self._session, User)
        if only_if_first:
            now = clock.now()
            values |= {"is_first": True, "created_at": now, "updated_at": now}
            columns = [
                literal(value, User.__table__.c[name].type) for name, value in values.items()
            ]
            is_empty = ~exists(select(User.id).correlate(None))
            insert = insert.from_select(list(values), select(*columns).where(is_empty))
        else:
            insert = insert.values(**values)
        added: User | None = await self._session.scalar(
            insert.on_conflict_do_nothing().returning(User)
        )
        return added

    async def find_session(self, session_id: UUID) -> tuple[UserSession, User] | None:
        row = await self._session.execute(
            select(UserSession, User)
            .join(User, User.id == UserSession.user_id)
            .where(UserSession.id == session_id)
        )
        found = row.one_or_none()
        return None if found is None else (found[0], found[1])

    async def find_token(self, digest: str) -> tuple[AccessToken, User] | None:
        row = await self._session.execute(
            select(AccessToken, User)
            .join(User, User.id == AccessToken.user_id)
            .where(AccessToken.digest == digest)
        )
        found = row.one_or_none()
        return None if found is None else (found[0], found[1])

    async def list_sessions(
        self, user_id: UUID, *, now: datetime, page: PageRequest
    ) -> Slice[UserSession]:
        statement = select(UserSession).where(
            UserSession.user_id == user_id, UserSession.expires_at > now
        )
        return await paginate(self._session, statement, page=page, sorting=_SESSIONS)

    async def list_tokens(self, user_id: UUID, *, page: PageRequest) -> Slice[AccessToken]:
        statement = select(AccessToken).where(AccessToken.user_id == user_id)
        return await paginate(self._session, statement, page=page, sorting=_TOKENS)

    async def remove_session(self, user_id: UUID, session_id: UUID) -> bool:
        access_changed(self._session)
        removed = await self._session.scalar(
            delete(UserSession)
            .where(UserSession.id == session_id, UserSession.user_id == user_id)
            .returning(UserSession.id)
        )
        return removed is not None

    async def remove_sessions_except(self, user_id: UUID, kept: UUID | None) -> int:
        access_changed(self._session)
        statement = delete(UserSession).where(UserSession.user_id == user_id)
        if kept is not None:
            statement = statement.where(UserSession.id != kept)
        return len((await self._session.scalars(statement.returning(UserSession.id))).all())

    async def remove_tokens(self, user_id: UUID) -> int:
        access_changed(self._session)
        statement = delete(AccessToken).where(AccessToken.user_id == user_id)
        return len((await self._session.scalars(statement.returning(AccessToken.id))).all())

    async def remove_identities(self, user_id: UUID) -> None:
        await self._session.execute(
            delete(ExternalIdentity).where(ExternalIdentity.user_id == user_id)
        )

    async def remove_links(self) -> None:
        await self._session.execute(delete(SignInLink))

    async def remove_confirmations(self, user_id: UUID) -> None:
        await self._session.execute(
            delete(EmailConfirmation).where(EmailConfirmation.user_id == user_id)
        )

    async def find_confirmation(self, digest: str, *, now: datetime) -> User | None:
        """The account whose current address the mailed link verifies."""
        return await self._session.scalar(
            select(User)
            .join(EmailConfirmation, EmailConfirmation.user_id == User.id)
            .where(_is_usable(digest, now), EmailConfirmation.email == User.email)
        )

    async def use_confirmation(self, digest: str, *, now: datetime) -> bool:
        """True for exactly one of any concurrent callers."""
        used = await self._session.scalar(
            delete(EmailConfirmation).where(_is_usable(digest, now)).returning(EmailConfirmation.id)
        )
        return used is not None

    async def remove_expired(self, now: datetime) -> None:
        for table in (UserSession, SignInLink, EmailConfirmation):
            await self._session.execute(delete(table).where(table.expires_at <= now))

    async def remove_token(self, user_id: UUID, token_id: UUID) -> AccessToken | None:
        access_changed(self._session)
        return await self._session.scalar(
            delete(AccessToken)
            .where(AccessToken.id == token_id, AccessToken.user_id == user_id)
            .returning(AccessToken)
        )

    async def use_link(self, digest: str, *, now: datetime) -> bool:
        """True for exactly one of any concurrent callers."""
        used = await self._session.scalar(
            update(SignInLink)
            .where(
                SignInLink.digest == digest,
                SignInLink.used_at.is_(None),
                SignInLink.expires_at > now,
            )
            .values(used_at=now)
            .returning(SignInLink.id)
        )
        return used is not None


def _is_usable(digest: str, now: datetime) -> ColumnElement[bool]:
    return and_(EmailConfirmation.digest == digest, EmailConfirmation.expires_at > now)
