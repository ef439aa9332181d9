"""Endpoints for signing in and for the user's own account."""

from uuid import UUID

from fastapi import Request, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, CurrentSettings, Session
from edison.api.site import SiteUrl
from edison.kit import clock
from edison.kit.errors import Forbidden
from edison.workspace.accounts import (
    confirmation,
    cookies,
    password_reset,
    registration,
    service,
    sign_in_links,
    tokens,
)
from edison.workspace.accounts.access import (
    Anyone,
    CurrentVisitor,
    InPerson,
    InPersonWithoutTransaction,
    SignedInOrLimited,
    Visitor,
    find_own_session,
    is_loopback,
)
from edison.workspace.accounts.errors import MailUnavailable
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.schemas import (
    AuthConfig,
    EmailConfirmationUse,
    LinkToken,
    PasswordChange,
    PasswordResetRequest,
    PasswordResetUse,
    ProfileChange,
    RegistrationRequest,
    SecondFactorStep,
    SessionRead,
    SignedInRead,
    SignInRequest,
    TokenCreated,
    TokenRead,
    TokenRequest,
    UserRead,
)
from edison.workspace.accounts.second_factor import challenge
from edison.workspace.accounts.types import RegistrationMode
from edison.workspace.mail.access import Outbox

router = api_router("/auth", tag="accounts")

SignInAnswer = SignedInRead | SecondFactorStep


@router.get("/config", dependencies=[Anyone])
async def read_auth_config(
    request: Request, settings: CurrentSettings, session: Session
) -> AuthConfig:
    """Returns the sign-in methods that this installation offers."""
    mode = registration.mode_for(request, settings)
    first_run = not await service.has_users(session)
    return AuthConfig(
        registration_open=mode is RegistrationMode.OPEN
        or (mode is RegistrationMode.FIRST_ONLY and first_run),
        registration=settings.registration,
        sends_mail=settings.smtp_host is not None,
        oidc_name=settings.oidc_name if settings.oidc_issuer else None,
        terms_url=settings.terms_url,
        first_run=first_run,
    )


@router.post("/register", dependencies=[Anyone], status_code=status.HTTP_201_CREATED)
async def register(
    body: RegistrationRequest, visitor: CurrentVisitor, site: SiteUrl, outbox: Outbox
) -> SignedInRead:
    """Creates an account and signs in. With a mail server, a link is sent to verify the address.

    Refused with 403 `REGISTRATION_CLOSED` where accounts are by invitation.
    """
    user, opened = await service.register(
        visitor.database,
        wanted=body,
        mode=registration.mode_for(visitor.request, visitor.settings),
        settings=visitor.settings,
    )
    if outbox.is_open:
        async with visitor.database.write() as session:
            outbox.post(await confirmation.request_confirmation(session, user=user, site=site))
    return visitor.let_in(user, opened)


@router.post("/login", dependencies=[Anyone])
async def login(body: SignInRequest, visitor: CurrentVisitor) -> SignInAnswer:
    """Signs in with email and password.

    An account with two-factor authentication gets a challenge instead of a session.
    """
    user, opened = await service.sign_in(
        visitor.database,
        email=body.email,
        password=body.password.get_secret_value(),
        remember_me=body.remember_me,
        settings=visitor.settings,
    )
    return _let_in_or_challenge(visitor, user, opened, remember_me=body.remember_me)


@router.post("/sign-in-link", dependencies=[Anyone])
async def use_sign_in_link(body: LinkToken, visitor: CurrentVisitor) -> SignInAnswer:
    """Signs in with the link that `edison serve` printed on this machine."""
    client = visitor.request.client
    if not is_loopback(client.host if client else None):
        raise Forbidden("Sign-in links work only on the machine that runs Edison.")
    async with visitor.database.write() as session:
        user, opened = await sign_in_links.use_link(
            session, secret=body.token, settings=visitor.settings
        )
    return _let_in_or_challenge(visitor, user, opened, remember_me=True)


def _let_in_or_challenge(
    visitor: Visitor, user: User, opened: UserSession | None, *, remember_me: bool
) -> SignInAnswer:
    if opened is not None:
        return visitor.let_in(user, opened)
    token = challenge.issue(visitor.signing_keys, user, remember_me=remember_me)
    return SecondFactorStep(challenge=token, expires_at=clock.now() + challenge.VALID_FOR)


@router.post("/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(caller: InPerson, response: Response, session: Session) -> None:
    """Signs out the current browser."""
    await service.sign_out(session, user_id=caller.user_id, session_id=caller.session_id)
    cookies.clear_cookies(response)


@router.get("/me")
async def read_me(caller: SignedInOrLimited) -> SignedInRead:
    """Returns the signed-in user."""
    return SignedInRead.model_validate(caller)


@router.patch("/me", response_model=UserRead)
async def change_me(
    body: ProfileChange, caller: InPerson, session: Session, site: SiteUrl, outbox: Outbox
) -> User:
    """Changes the user's name, email or preferences. A new email is unverified until its mailed
    link is opened.
    """
    before = caller.user.email
    user = await service.change_profile(session, user_id=caller.user_id, change=body)
    if user.email != before and outbox.is_open:
        outbox.post(await confirmation.request_confirmation(session, user=user, site=site))
    return user


@router.post("/email-confirmation", status_code=status.HTTP_204_NO_CONTENT)
async def send_email_confirmation(
    caller: InPerson, session: Session, site: SiteUrl, outbox: Outbox
) -> None:
    """Sends a new link that verifies the user's email; earlier links stop working."""
    if not outbox.is_open:
        raise MailUnavailable("Its operator can verify addresses.")
    outbox.post(await confirmation.resend(session, user=caller.user, site=site))


@router.post("/email-confirmation/use", dependencies=[Anyone])
async def confirm_email(body: EmailConfirmationUse, visitor: CurrentVisitor) -> SignedInRead:
    """Verifies an email address by the link that was sent to it.

    A browser that is signed in to the account stays signed in; other sessions and all tokens end.
    Any other browser gets 409 `PASSWORD_NEEDED`: sent again with a new password, the request hands
    the account over to the holder of the link and revokes all earlier sessions, tokens and
    credentials.
    """
    async with visitor.database.read() as session:
        caller = await find_own_session(visitor.request, session)
    password = body.password
    user, opened = await confirmation.confirm(
        visitor.database,
        secret=body.token,
        caller=caller,
        password=None if password is None else password.get_secret_value(),
        settings=visitor.settings,
    )
    return visitor.let_in(user, opened)


@router.put("/password", status_code=status.HTTP_204_NO_CONTENT)
async def change_password(
    body: PasswordChange, caller: InPersonWithoutTransaction, database: CurrentDatabase
) -> None:
    """Changes the password and ends all other sessions, and all tokens if requested."""
    current = body.current_password
    await service.change_password(
        database,
        caller=caller,
        current=None if current is None else current.get_secret_value(),
        new=body.new_password.get_secret_value(),
        end_tokens=body.end_tokens,
    )


@router.post("/password-reset", dependencies=[Anyone], status_code=status.HTTP_204_NO_CONTENT)
async def request_password_reset(
    body: PasswordResetRequest, visitor: CurrentVisitor, site: SiteUrl, outbox: Outbox
) -> None:
    """Sends a link to choose a new password. The answer is the same whether the account exists."""
    if not outbox.is_open:
        raise MailUnavailable("Its operator can run `edison user reset-password`.")
    outbox.post(
        await password_reset.request_reset(
            visitor.database,
            email=body.email,
            keys=visitor.signing_keys,
            site=site,
            settings=visitor.settings,
        )
    )


@router.post("/new-password", dependencies=[Anyone], status_code=status.HTTP_204_NO_CONTENT)
async def use_password_reset(body: PasswordResetUse, visitor: CurrentVisitor) -> None:
    """Sets a new password by the link that was sent, and ends all sessions and tokens."""
    await password_reset.reset(
        visitor.database,
        token=body.token,
        password=body.password.get_secret_value(),
        keys=visitor.signing_keys,
    )


@router.get("/sessions")
async def list_sessions(caller: InPerson, page: PageParams, session: Session) -> Page[SessionRead]:
    """Lists the account's browser sessions."""
    found = await service.list_sessions(session, user_id=caller.user_id, page=page)
    items = [SessionRead.of(row, current=caller.session_id) for row in found.items]
    return Page(items=items, next=found.next, total=found.total)


@router.delete("/sessions", status_code=status.HTTP_204_NO_CONTENT)
async def end_other_sessions(caller: InPerson, session: Session) -> None:
    """Ends all other browser sessions."""
    await service.end_other_sessions(session, user=caller.user, kept=caller.session_id)


@router.delete("/sessions/{session_id}", status_code=status.HTTP_204_NO_CONTENT)
async def end_session(session_id: UUID, caller: InPerson, session: Session) -> None:
    """Ends one browser session."""
    await service.end_session(session, user_id=caller.user_id, session_id=session_id)


@router.get("/tokens", response_model=Page[TokenRead])
async def list_tokens(caller: InPerson, page: PageParams, session: Session) -> Slice[TokenRead]:
    """Lists the account's personal access tokens."""
    return await tokens.list_tokens(session, user_id=caller.user_id, page=page)


@router.post("/tokens", status_code=status.HTTP_201_CREATED)
async def create_token(body: TokenRequest, caller: InPerson, session: Session) -> TokenCreated:
    """Creates a personal access token. Its secret is returned only once.

    The token expires after 90 days, unless another number of days, or null for never, is given.
    """
    token, secret = await tokens.create_token(session, user_id=caller.user_id, wanted=body)
    return TokenCreated(**dict(token), token=secret)


@router.delete("/tokens", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_all_tokens(caller: InPerson, session: Session) -> None:
    """Revokes all personal access tokens immediately."""
    await tokens.revoke_all_tokens(session, user_id=caller.user_id)


@router.delete("/tokens/{token_id}", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_token(token_id: UUID, caller: InPerson, session: Session) -> None:
    """Revokes a personal access token immediately."""
    await tokens.revoke_token(session, user_id=caller.user_id, token_id=token_id)
