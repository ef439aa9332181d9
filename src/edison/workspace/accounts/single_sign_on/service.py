"""Which account a proven identity belongs to.

First by the provider's own identifier, which is never reassigned. Then by email, but only one the
provider has verified: otherwise a stranger could claim an address and enter its owner's account, or
projects its owner is invited to. An account whose address was never verified may be a squatter's:
the first single sign-on revokes everything that could enter it before.

Edison asks for no second factor here: that is the provider's duty.
"""

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock
from edison.settings import Settings
from edison.workspace.accounts import revocation
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.errors import EmailTaken, LookAlike, RegistrationClosed
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import Email, PersonName
from edison.workspace.accounts.single_sign_on import github
from edison.workspace.accounts.single_sign_on.github import GitHub
from edison.workspace.accounts.single_sign_on.oauth import (
    IdentityProvider,
    ProvenIdentity,
    SignInFailed,
    SignInFailure,
)
from edison.workspace.accounts.types import RegistrationMode
from edison.workspace.audit import service as audit

MAX_SUBJECT_LENGTH = 255

_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_NAME: TypeAdapter[str] = TypeAdapter(PersonName)


def choose_provider(settings: Settings) -> IdentityProvider | None:
    """The configured provider, or None without single sign-on."""
    issuer, client_id = settings.oidc_issuer, settings.oidc_client_id
    if issuer is None or client_id is None:
        return None
    given = settings.oidc_client_secret
    secret = None if given is None else given.get_secret_value()
    if issuer == github.ISSUER:
        return GitHub(client_id=client_id, client_secret=secret)
    from edison.workspace.accounts.single_sign_on.openid import OpenId

    return OpenId(issuer=issuer, client_id=client_id, client_secret=secret)


async def sign_in(
    database: Database, identity: ProvenIdentity, *, mode: RegistrationMode, settings: Settings
) -> tuple[User, UserSession]:
    """Open a session for the identity's account, which is linked or created on the first visit."""
    if not identity.subject or len(identity.subject) > MAX_SUBJECT_LENGTH:
        raise SignInFailed(SignInFailure.REJECTED, "the provider's identifier cannot be stored")
    async with database.write() as session:
        user = await Accounts(session).find_by_identity(
            issuer=identity.issuer, subject=identity.subject
        )
        if user is None:
            user = await _adopt(session, identity, mode=mode)
        elif not user.is_email_verified and _proves(identity, user):
            accounts.mark_verified(session, user, proof="single_sign_on")
        opened = await accounts.begin_session(
            session,
            user,
            remember_me=False,
            settings=settings,
            action="user.oidc_login",
            is_single_sign_on=True,
        )
        return user, opened


async def _adopt(
    session: AsyncSession, identity: ProvenIdentity, *, mode: RegistrationMode
) -> User:
    email = _verified_email(identity)
    user = await Accounts(session).find_by_email(email)
    if user is None:
        user = await _create(session, identity, email, mode=mode)
    if not user.is_email_verified:
        await revocation.hand_over(session, user, proof="single_sign_on")
        accounts.mark_verified(session, user, proof="single_sign_on")
    await Accounts(session).link_identity(user.id, issuer=identity.issuer, subject=identity.subject)
    audit.record(
        session, "user.identity_linked", entity=("user", user.id), after={"issuer": identity.issuer}
    )
    return user


async def _create(
    session: AsyncSession, identity: ProvenIdentity, email: str, *, mode: RegistrationMode
) -> User:
    if mode is RegistrationMode.INVITED:
        raise SignInFailed(SignInFailure.REGISTRATION_CLOSED, "no account, and none may be created")
    user = User(email=email, name=_usable_name(identity.name), email_verified_at=clock.now())
    try:
        return await accounts.add_user(
            session, user, only_if_first=mode is RegistrationMode.FIRST_ONLY
        )
    except LookAlike as alike:
        raise SignInFailed(
            SignInFailure.REJECTED, "the email looks like another account's"
        ) from alike
    except (EmailTaken, RegistrationClosed) as refused:
        # The same person may just have signed in in another tab.
        found = await Accounts(session).find_by_email(user.email)
        if found is None:
            message = "no account, and none may be created"
            raise SignInFailed(SignInFailure.REGISTRATION_CLOSED, message) from refused
        return found


def _proves(identity: ProvenIdentity, user: User) -> bool:
    try:
        return _verified_email(identity) == user.email
    except SignInFailed:
        return False


def _verified_email(identity: ProvenIdentity) -> str:
    if identity.email is None:
        raise SignInFailed(SignInFailure.EMAIL_MISSING, "the provider gave no email")
    if not identity.is_email_verified:
        raise SignInFailed(
            SignInFailure.EMAIL_UNVERIFIED, "the provider has not verified the email"
        )
    try:
        return _EMAIL.validate_python(identity.email)
    except ValidationError as odd:
        raise SignInFailed(
            SignInFailure.EMAIL_MISSING, "the provider gave an unusable email"
        ) from odd


def _usable_name(name: str | None) -> str | None:
    try:
        return _NAME.validate_python(name)
    except ValidationError:
        return None
