"""Registration, signing in, and account changes.

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
from edison.kit.errors import FieldProblem, Invalid, NotFound, TooMany
from edison.kit.hook import Hook
from edison.settings import Settings
from edison.workspace.accounts import attempts, passwords, reauthentication, revocation, sessions
from edison.workspace.accounts.errors import (
    AccountLocked,
    EmailTaken,
    InvalidCredentials,
    LookAlike,
    RegistrationClosed,
)
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import ProfileChange, RegistrationRequest
from edison.workspace.accounts.types import Caller, RegistrationMode
from edison.workspace.audit import service as audit

on_first_user: Hook[[AsyncSession, UUID], None] = Hook(
    "After the first account was created, in that transaction."
)

ACCOUNT_FAILURES = 5
# Paths whose attempts are counted per client address; the group is the kind of attempt.
COUNTED_PATHS = re.compile(r"/api/v1/(?:auth|invitations/[^/]+)/(login|register)")


async def register(
    database: Database, *, wanted: RegistrationRequest, mode: RegistrationMode, settings: Settings
) -> tuple[User, UserSession]:
    """Create an account for a visitor and sign in."""
    if mode is RegistrationMode.INVITED:
        raise RegistrationClosed
    only_if_first = mode is RegistrationMode.FIRST_ONLY
    if only_if_first:
        async with database.read() as session:
            if await has_users(session):
                raise RegistrationClosed
    password = wanted.password.get_secret_value()
    password_hash = await hash_new_password(database, password=password, settings=settings)
    async with database.write() as session:
        user = await add_user(
            session,
            User(email=wanted.email, name=wanted.name, password_hash=password_hash),
            only_if_first=only_if_first,
        )
        return user, sessions.open_session(session, user, remember_me=False, settings=settings)


async def hash_new_password(database: Database, *, password: str, settings: Settings) -> str:
    """Validate and hash a new password, counted against the limit of the client address."""
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


async def add_user(session: AsyncSession, user: User, *, only_if_first: bool = False) -> User:
    """Raises EmailTaken, LookAlike, or RegistrationClosed when `only_if_first` and an account
    exists.
    """
    accounts = Accounts(session)
    await check_look_alike(session, email=user.email)
    is_first = not await accounts.has_any()
    added = await accounts.add_user(user, only_if_first=only_if_first)
    if added is None:
        raise RegistrationClosed if only_if_first else EmailTaken
    origin.name_user(user_id=added.id, email=added.email)
    audit.record(
        session,
        "user.registered",
        entity=("user", added.id),
        after={"email": added.email, "name": added.name},
    )
    if is_first:
        await on_first_user.fire(session, added.id)
    return added


async def check_look_alike(session: AsyncSession, *, email: str) -> None:
    """Raises LookAlike."""
    if await Accounts(session).find_look_alike(email) is not None:
        raise LookAlike


def mark_verified(session: AsyncSession, user: User, *, proof: str) -> None:
    """Mark the address as verified: the user has proved to receive its mail."""
    user.email_verified_at = clock.now()
    origin.name_user(user_id=user.id, email=user.email)
    audit.record(
        session,
        "user.email_verified",
        entity=("user", user.id),
        after={"email": user.email, "proof": proof},
    )


async def verify_own(session: AsyncSession, user: User, *, kept: UUID | None, proof: str) -> None:
    """Mark the signed-in user's address as verified and revoke all other access."""
    await revocation.end_access(session, user, kept=kept)
    mark_verified(session, user, proof=proof)
    await session.flush()


async def claim(session: AsyncSession, user: User, *, password_hash: str, proof: str) -> None:
    """Hand an unverified account over to the person who proved to own its address."""
    await revocation.hand_over(session, user, proof=proof)
    mark_verified(session, user, proof=proof)
    user.password_hash = password_hash
    await session.flush()


async def sign_in(
    database: Database, *, email: str, password: str, remember_me: bool, settings: Settings
) -> tuple[User, UserSession | None]:
    """Check a password. Response and time are the same for an unknown email and a wrong password.

    Returns no session when the account has a second factor and a code is needed.
    """
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
        if user.has_second_factor:
            origin.name_user(user_id=user.id, email=user.email)
            audit.record(session, "user.password_accepted", entity=("user", user.id))
            return user, None
        return user, await begin_session(
            session, user, remember_me=remember_me, settings=settings, action="user.login"
        )


async def begin_session(
    session: AsyncSession,
    user: User,
    *,
    remember_me: bool,
    settings: Settings,
    action: str,
    is_single_sign_on: bool = False,
) -> UserSession:
    """Open a session for an authenticated user and write the audit entry."""
    origin.name_user(user_id=user.id, email=user.email)
    opened = sessions.open_session(
        session,
        user,
        remember_me=remember_me,
        settings=settings,
        is_single_sign_on=is_single_sign_on,
    )
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
    """Count a malformed sign-in or registration against the client address, like any other attempt.
    Raises TooMany.
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
    """Change name, email or preferences. A changed address is unverified."""
    accounts = Accounts(session)
    user = await _get_user(accounts, user_id)
    wanted = change.model_dump(include=change.model_fields_set)
    if change.has_seen_tour is None:
        wanted.pop("has_seen_tour", None)
    after = {field: value for field, value in wanted.items() if getattr(user, field) != value}
    before = {field: getattr(user, field) for field in after}
    if "email" in after:
        await _check_new_email(session, after["email"])
        user.email_verified_at = None
        user.email_changed_at = clock.now()
        await accounts.remove_confirmations(user_id)
    for field, value in after.items():
        setattr(user, field, value)
    await session.flush()
    audit.record(session, "user.changed", entity=("user", user_id), before=before, after=after)
    return user


async def _check_new_email(session: AsyncSession, email: str | None) -> None:
    if email is None:
        raise Invalid(FieldProblem(field="email", message="An email is needed.", code="required"))
    if await Accounts(session).find_by_email(email) is not None:
        raise EmailTaken
    await check_look_alike(session, email=email)


async def change_password(
    database: Database, *, caller: Caller, current: str | None, new: str, end_tokens: bool
) -> None:
    """Replace the password, end all other sessions, and the tokens if `end_tokens`."""
    problems = passwords.problems_with(new, field="new_password")
    if problems:
        raise Invalid(*problems)
    await reauthentication.check_password(
        database, user=caller.user, password=current, field="current_password"
    )
    password_hash = await passwords.hash_password(new)
    async with database.write() as session:
        stored = await _get_user(Accounts(session), caller.user_id)
        stored.password_hash = password_hash
        ended = await revocation.end_access(
            session, stored, kept=caller.session_id, tokens=end_tokens
        )
        audit.record(
            session,
            "user.password_changed",
            entity=("user", stored.id),
            after={"sessions_ended": ended.sessions, "tokens_ended": ended.tokens},
        )


async def list_sessions(
    session: AsyncSession, *, user_id: UUID, page: PageRequest
) -> Slice[UserSession]:
    return await Accounts(session).list_sessions(user_id, now=clock.now(), page=page)


async def end_session(session: AsyncSession, *, user_id: UUID, session_id: UUID) -> None:
    if not await Accounts(session).remove_session(user_id, session_id):
        raise NotFound("There is no such session.")
    audit.record(session, "session.revoked", entity=("session", session_id))


async def end_other_sessions(session: AsyncSession, *, user: User, kept: UUID | None) -> None:
    ended = await revocation.end_access(session, user, kept=kept, tokens=False)
    audit.record(
        session,
        "session.others_revoked",
        entity=("user", user.id),
        after={"count": ended.sessions},
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


async def delete_expired(session: AsyncSession) -> None:
    """Delete expired sessions, sign-in links and counted attempts."""
    await attempts.forget_ended(session)
    await Accounts(session).remove_expired(clock.now())


async def has_users(session: AsyncSession) -> bool:
    return await Accounts(session).has_any()
