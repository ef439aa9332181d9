"""Registering, signing in, and looking after one's account.

Sign-in and registration take a `Database` instead of a session: hashing a password takes a quarter
of a second, during which no transaction may be open (SQLite would block every other writer), and a
failed attempt must be counted although the request is refused.
"""

import re
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit import clock, ids, origin
from edison.kit.errors import FieldProblem, Forbidden, Invalid, NotFound, TooMany
from edison.settings import Settings
from edison.workspace.accounts import attempts, passwords, sessions
from edison.workspace.accounts.errors import AccountLocked, EmailTaken, InvalidCredentials
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import ProfileChange
from edison.workspace.audit import service as audit

ACCOUNT_FAILURES = 5
# Where attempts are counted per address, and as what.
COUNTED_PATHS = re.compile(r"/api/v1/(?:auth|invitations/[^/]+)/(login|register)")


async def register(
    database: Database, *, email: str, password: str, name: str | None, settings: Settings
) -> tuple[User, UserSession]:
    """Create an account for a visitor and sign it in."""
    password_hash = await hash_new_password(database, password=password, settings=settings)
    async with database.write() as session:
        user = await add_user(session, User(email=email, name=name, password_hash=password_hash))
        return user, sessions.open_session(session, user, remember_me=False, settings=settings)


async def hash_new_password(database: Database, *, password: str, settings: Settings) -> str:
    """A visitor's password, checked, counted against the limit of their address, and hashed."""
    check_password(password)
    address = origin.current().address
    async with database.write() as session:
        wait = await attempts.count(
            session, f"register:address:{address}", limit=settings.login_attempts
        )
    if wait is not None:
        raise TooMany("Too many registrations from this address.", retry_after_seconds=wait)
    return await passwords.hash_password(password)


def check_password(password: str) -> None:
    problems = passwords.problems_with(password)
    if problems:
        raise Invalid(*problems)


async def add_user(session: AsyncSession, user: User) -> User:
    added = await Accounts(session).add_user(user)
    if added is None:
        raise EmailTaken
    origin.name_user(user_id=added.id, email=added.email)
    audit.record(
        session,
        "user.registered",
        entity=("user", added.id),
        after={"email": added.email, "name": added.name},
    )
    return added


async def sign_in(
    database: Database, *, email: str, password: str, remember_me: bool, settings: Settings
) -> tuple[User, UserSession]:
    """Check a password: same answer and same time whether the email or the password is wrong."""
    email = email.strip().lower()
    account_key = f"login:account:{ids.digest(email)}"
    address_key = f"login:address:{origin.current().address}"
    await _count_attempt(database, account_key, address_key, settings=settings)
    async with database.read() as session:
        user = await Accounts(session).find_by_email(email)
    is_right = await passwords.matches(password, user.password_hash if user else None)
    if user is None or not is_right:
        await audit.record_denied(
            database, "user.login_failed", entity=("user", user.id if user else None)
        )
        raise InvalidCredentials
    async with database.write() as session:
        await attempts.forget(session, account_key)
        await attempts.take_back(session, address_key)
        return user, await begin_session(
            session, user, remember_me=remember_me, settings=settings, action="user.login"
        )


async def begin_session(
    session: AsyncSession, user: User, *, remember_me: bool, settings: Settings, action: str
) -> UserSession:
    """Open a session for somebody whose identity is proven, and write down how."""
    origin.name_user(user_id=user.id, email=user.email)
    opened = sessions.open_session(session, user, remember_me=remember_me, settings=settings)
    audit.record(session, action, entity=("user", user.id))
    return opened


async def _count_attempt(
    database: Database, account_key: str, address_key: str, *, settings: Settings
) -> None:
    async with database.write() as session:
        locked = await attempts.count(session, account_key, limit=ACCOUNT_FAILURES)
        if locked is not None:
            minutes = -(-locked // 60)
            raise AccountLocked(
                f"Account temporarily locked. Try again in {minutes} minutes.",
                retry_after_seconds=locked,
            )
        wait = await attempts.count(session, address_key, limit=settings.login_attempts)
        if wait is not None:
            raise TooMany("Too many sign-in attempts. Please wait.", retry_after_seconds=wait)


async def count_malformed(database: Database, *, path: str, settings: Settings) -> None:
    """Count a sign-in or registration that was not understood against its address, like any other
    attempt. Raises TooMany.
    """
    counted = COUNTED_PATHS.fullmatch(path)
    if counted is None:
        return
    key = f"{counted[1]}:address:{origin.current().address}"
    async with database.write() as session:
        wait = await attempts.count(session, key, limit=settings.login_attempts)
    if wait is not None:
        raise TooMany("Too many attempts. Please wait.", retry_after_seconds=wait)


async def sign_out(session: AsyncSession, *, user_id: UUID, session_id: UUID | None) -> None:
    if session_id is not None:
        await Accounts(session).remove_session(user_id, session_id)
    audit.record(session, "user.logout", entity=("user", user_id))


async def change_profile(session: AsyncSession, *, user_id: UUID, change: ProfileChange) -> User:
    accounts = Accounts(session)
    user = await _get_user(accounts, user_id)
    before, after = {}, {}
    for field in change.model_fields_set:
        value = getattr(change, field)
        if field == "email":
            if value is None:
                raise Invalid(
                    FieldProblem(field="email", message="An email is needed.", code="required")
                )
            other = await accounts.find_by_email(value)
            if other is not None and other.id != user_id:
                raise EmailTaken
        if getattr(user, field) != value:
            before[field], after[field] = getattr(user, field), value
            setattr(user, field, value)
    await session.flush()
    audit.record(session, "user.changed", entity=("user", user_id), before=before, after=after)
    return user


async def change_password(
    database: Database, *, user: User, current: str | None, new: str, keep_session: UUID | None
) -> None:
    """Replace the password and sign every other browser out."""
    problems = passwords.problems_with(new, field="new_password")
    if problems:
        raise Invalid(*problems)
    guesses_key = f"password:account:{user.id}"
    if user.has_password:
        async with database.write() as session:
            wait = await attempts.count(session, guesses_key, limit=ACCOUNT_FAILURES)
        if wait is not None:
            raise TooMany("Too many wrong passwords. Please wait.", retry_after_seconds=wait)
        if not await passwords.matches(current or "", user.password_hash):
            await audit.record_denied(database, "user.password_refused", entity=("user", user.id))
            raise Invalid(
                FieldProblem(
                    field="current_password", message="This is not your password.", code="wrong"
                )
            )
    password_hash = await passwords.hash_password(new)
    async with database.write() as session:
        accounts = Accounts(session)
        stored = await _get_user(accounts, user.id)
        stored.password_hash = password_hash
        await attempts.forget(session, guesses_key)
        await accounts.remove_sessions_except(user.id, keep_session)
        audit.record(session, "user.password_changed", entity=("user", user.id))


async def drop_password(session: AsyncSession, *, user: User) -> None:
    """Leave other ways to sign in only, and sign every browser out."""
    user.password_hash = None
    await Accounts(session).remove_sessions_except(user.id, None)
    audit.record(session, "user.password_dropped", entity=("user", user.id))


async def list_sessions(
    session: AsyncSession, *, user_id: UUID, page: PageRequest
) -> Slice[UserSession]:
    return await Accounts(session).list_sessions(user_id, now=clock.now(), page=page)


async def end_session(session: AsyncSession, *, user_id: UUID, session_id: UUID) -> None:
    if not await Accounts(session).remove_session(user_id, session_id):
        raise NotFound("There is no such session.")
    audit.record(session, "session.revoked", entity=("session", session_id))


async def end_other_sessions(session: AsyncSession, *, user_id: UUID, kept: UUID | None) -> None:
    count = await Accounts(session).remove_sessions_except(user_id, kept)
    audit.record(
        session, "session.others_revoked", entity=("user", user_id), after={"count": count}
    )


async def _get_user(accounts: Accounts, user_id: UUID) -> User:
    user = await accounts.find(user_id)
    if user is None:
        raise NotFound("This account no longer exists.")
    return user


async def find_user_by_email(session: AsyncSession, *, email: str) -> User | None:
    return await Accounts(session).find_by_email(email.strip().lower())


async def get_user_by_email(session: AsyncSession, *, email: str) -> User:
    user = await find_user_by_email(session, email=email)
    if user is None:
        raise NotFound(f"There is no account {email}.")
    return user


async def forget_ended(session: AsyncSession) -> None:
    """Delete sessions, sign-in links and counted attempts whose time is over."""
    await attempts.forget_ended(session)
    await Accounts(session).remove_expired(clock.now())


async def has_users(session: AsyncSession) -> bool:
    return await Accounts(session).has_any()


def check_registration_is_open(settings: Settings) -> None:
    if settings.registration == "invited":
        raise Forbidden("Registration is by invitation only. Ask a project admin for a link.")
