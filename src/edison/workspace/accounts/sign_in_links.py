"""The link that `edison serve` prints, which signs in as the machine's local owner.

Single use, valid for 15 minutes, only from this machine. Offered at every start until the local
owner sets a password.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.settings import Settings
from edison.workspace.accounts import service
from edison.workspace.accounts.errors import LinkExpired
from edison.workspace.accounts.models import SignInLink, User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.audit import service as audit

VALID_FOR = timedelta(minutes=15)
LOCAL_OWNER_EMAIL = "owner@localhost"


async def offer_link(session: AsyncSession) -> str | None:
    """A new secret for the link, or None when sign-in is by password."""
    accounts = Accounts(session)
    owner = await accounts.find_local_owner()
    if owner is None and await accounts.has_any():
        return None
    if owner is not None and owner.has_password:
        return None
    secret = ids.new_secret()
    session.add(SignInLink(digest=ids.digest(secret), expires_at=clock.now() + VALID_FOR))
    return secret


async def use_link(
    session: AsyncSession, *, secret: str, settings: Settings
) -> tuple[User, UserSession | None]:
    """Returns no session when the local owner has a second factor and a code is needed."""
    accounts = Accounts(session)
    if not await accounts.use_link(ids.digest(secret), now=clock.now()):
        raise LinkExpired
    owner = await find_or_add_local_owner(session)
    if owner.has_second_factor:
        audit.record(session, "user.link_accepted", entity=("user", owner.id))
        return owner, None
    opened = await service.begin_session(
        session, owner, remember_me=True, settings=settings, action="user.link_login"
    )
    return owner, opened


async def find_local_account(session: AsyncSession) -> User | None:
    """The local owner, who is added if there is no account; None if there are only others."""
    accounts = Accounts(session)
    if await accounts.find_local_owner() is None and await accounts.has_any():
        return None
    return await find_or_add_local_owner(session)


async def find_or_add_local_owner(session: AsyncSession) -> User:
    owner = await Accounts(session).find_local_owner()
    if owner is not None:
        return owner
    # The person who starts the server owns it: the address counts as verified.
    owner = User(
        email=LOCAL_OWNER_EMAIL,
        name="Local owner",
        is_local_owner=True,
        email_verified_at=clock.now(),
    )
    return await service.add_user(session, owner)
