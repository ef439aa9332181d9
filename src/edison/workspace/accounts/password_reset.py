"""A new password for a person who forgot theirs, by a link: valid for one hour, until it is used.

The link is a signed token with a hash of the stored password and of the address, so it becomes
invalid when either changes. It proves that its holder receives the mail, not that they created the
account: an unverified account is handed over to them. The second factor stays and is asked for at
the next sign-in.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids, origin
from edison.kit.errors import TooMany
from edison.settings import Settings
from edison.workspace.accounts import attempts, passwords, revocation, service
from edison.workspace.accounts.errors import ResetExpired
from edison.workspace.accounts.models import User
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.signing_keys import SigningKeys
from edison.workspace.audit import service as audit
from edison.workspace.mail.schemas import Letter

VALID_FOR = timedelta(hours=1)
PURPOSE = "password_reset"
MAILS_PER_WINDOW = 3


async def request_reset(
    database: Database, *, email: str, keys: SigningKeys, site: str, settings: Settings
) -> Letter | None:
    """The mail with the link. None for an unknown address, for an account that signs in without a
    password, and after several mails; callers answer all of these alike. Raises TooMany after many
    requests from one client address.
    """
    async with database.write() as session:
        await _count_request(session, settings)
        user = await service.find_user_by_email(session, email=email)
        is_sent = user is not None and await _may_send(session, user)
        audit.record(
            session,
            "user.password_reset_requested",
            entity=("user", None if user is None else user.id),
            after={"is_sent": is_sent},
        )
        if user is None or not is_sent:
            return None
        return _letter(user.email, link_for(user, keys=keys, site=site))


async def _may_send(session: AsyncSession, user: User) -> bool:
    key = f"password_reset:account:{user.id}"
    return user.has_password and await attempts.count(session, key, limit=MAILS_PER_WINDOW) is None


async def _count_request(session: AsyncSession, settings: Settings) -> None:
    key = f"password_reset:address:{origin.current().address}"
    wait = await attempts.count(session, key, limit=settings.login_attempts)
    if wait is not None:
        raise TooMany("Too many requests from this address.", retry_after_seconds=wait)


def link_for(user: User, *, keys: SigningKeys, site: str) -> str:
    now = clock.now()
    token = keys.sign(
        {
            "sub": str(user.id),
            "jti": str(ids.new_id()),
            "iat": now,
            "exp": now + VALID_FOR,
            # Other tokens are signed with the same keys.
            "purpose": PURPOSE,
            "stamp": _stamp_of(user),
        }
    )
    return f"{site}/reset-password#token={token}"


async def reset(database: Database, *, token: str, password: str, keys: SigningKeys) -> None:
    """Sets the password and revokes all sessions and tokens. Raises ResetExpired."""
    service.check_password(password)
    async with database.read() as session:
        await _find(session, token, keys)
    password_hash = await passwords.hash_password(password)
    async with database.write() as session:
        user = await _find(session, token, keys)
        origin.name_user(user_id=user.id, email=user.email)
        if user.is_email_verified:
            await set_password(session, user, password_hash=password_hash)
        else:
            await service.claim(session, user, password_hash=password_hash, proof="mail")


async def set_password(session: AsyncSession, user: User, *, password_hash: str) -> None:
    user.password_hash = password_hash
    ended = await revocation.end_access(session, user)
    audit.record(
        session,
        "user.password_reset",
        entity=("user", user.id),
        after={"sessions_ended": ended.sessions, "tokens_ended": ended.tokens},
    )


async def _find(session: AsyncSession, token: str, keys: SigningKeys) -> User:
    claims = keys.read(token)
    if claims is None or claims.get("purpose") != PURPOSE:
        raise ResetExpired
    user_id = ids.parse_id(claims["sub"])
    user = None if user_id is None else await Accounts(session).find(user_id)
    if user is None or claims.get("stamp") != _stamp_of(user):
        raise ResetExpired
    return user


def _stamp_of(user: User) -> str:
    return ids.digest(f"{user.password_hash}:{user.email}")


def _letter(to: str, link: str) -> Letter:
    return Letter(
        to=to,
        subject="Choose a new password for Edison",
        body=(
            "A new password was requested for your account in Edison.\n\n"
            f"Choose it here:\n{link}\n\n"
            "The link works once, within one hour, and signs you out everywhere. If you did not "
            "request it, ignore this mail: your password stays as it is.\n"
        ),
    )
