"""Email verification by a mailed link: single use, valid for one day.

Opened in a browser that is signed in to the account, the link verifies the address, keeps that
session and revokes all other access. Opened anywhere else, it only proves that its holder receives
the mail, not that they created the account: the account is handed over to them, with a new
password.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import Conflict, TooMany
from edison.settings import Settings
from edison.workspace.accounts import attempts, passwords, service
from edison.workspace.accounts.errors import ConfirmationExpired, PasswordNeeded
from edison.workspace.accounts.models import EmailConfirmation, User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.types import Caller
from edison.workspace.audit import service as audit
from edison.workspace.mail.schemas import Letter

VALID_FOR = timedelta(hours=24)
MAILS_PER_WINDOW = 5


async def request_confirmation(session: AsyncSession, *, user: User, site: str) -> Letter:
    """A link for the account's current address; invalidates earlier links."""
    accounts = Accounts(session)
    await accounts.remove_confirmations(user.id)
    secret, now = ids.new_secret(), clock.now()
    session.add(
        EmailConfirmation(
            id=ids.new_id(),
            user_id=user.id,
            email=user.email,
            digest=ids.digest(secret),
            created_at=now,
            expires_at=now + VALID_FOR,
        )
    )
    return _letter(user.email, f"{site}/confirm-email#token={secret}")


async def resend(session: AsyncSession, *, user: User, site: str) -> Letter:
    """Raises Conflict when the address is verified already, TooMany after a few mails."""
    if user.is_email_verified:
        raise Conflict("This address is verified already.")
    key = f"confirmation:account:{user.id}"
    wait = await attempts.count(session, key, limit=MAILS_PER_WINDOW)
    if wait is not None:
        raise TooMany("Several mails were sent already. Please wait.", retry_after_seconds=wait)
    audit.record(session, "user.confirmation_sent", entity=("user", user.id))
    return await request_confirmation(session, user=user, site=site)


async def confirm(
    database: Database,
    *,
    secret: str,
    caller: Caller | None,
    password: str | None,
    settings: Settings,
) -> tuple[User, UserSession]:
    """Verify the address. Raises PasswordNeeded when the account has to be handed over."""
    digest = ids.digest(secret)
    async with database.read() as session:
        user = await Accounts(session).find_confirmation(digest, now=clock.now())
    if user is None:
        raise ConfirmationExpired
    if caller is not None and caller.user_id == user.id and caller.session is not None:
        async with database.write() as session:
            return await _confirm_own(session, digest, user.id, caller.session)
    if password is None:
        raise PasswordNeeded
    service.check_password(password)
    password_hash = await passwords.hash_password(password)
    async with database.write() as session:
        confirmed = await _use(session, digest, user.id)
        await service.claim(session, confirmed, password_hash=password_hash, proof="mail")
        opened = await service.begin_session(
            session, confirmed, remember_me=False, settings=settings, action="user.login"
        )
        return confirmed, opened


async def _confirm_own(
    session: AsyncSession, digest: str, user_id: UUID, opened: UserSession
) -> tuple[User, UserSession]:
    user = await _use(session, digest, user_id)
    await service.verify_own(session, user, kept=opened.id, proof="mail")
    return user, opened


async def _use(session: AsyncSession, digest: str, user_id: UUID) -> User:
    accounts = Accounts(session)
    used = await accounts.use_confirmation(digest, now=clock.now())
    user = await accounts.find(user_id) if used else None
    if user is None:
        raise ConfirmationExpired
    return user


def _letter(to: str, link: str) -> Letter:
    return Letter(
        to=to,
        subject="Confirm your email address for Edison",
        body=(
            "This address was entered for an account in Edison.\n\n"
            f"Confirm that it is yours here:\n{link}\n\n"
            "The link works once, within 24 hours. Open it in the browser in which you are signed "
            "in to Edison. If you did not expect this, ignore it and nothing happens.\n"
        ),
    )
