"""Routes for signing in and for one's own account."""

from uuid import UUID

from fastapi import Request, Response, status

from edison.api.pagination import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, CurrentSettings, Session
from edison.kit.errors import Forbidden
from edison.workspace.accounts import service, sessions, sign_in_links, tokens
from edison.workspace.accounts.access import (
    Anyone,
    InPerson,
    InPersonBriefly,
    SignedIn,
    is_loopback,
    let_in,
)
from edison.workspace.accounts.models import User
from edison.workspace.accounts.schemas import (
    AuthConfig,
    Credentials,
    LinkToken,
    PasswordChange,
    ProfileChange,
    Registration,
    SessionRead,
    SignedInRead,
    TokenCreated,
    TokenRead,
    TokenRequest,
    UserRead,
)

router = api_router("/auth", tag="accounts")


@router.get("/config", dependencies=[Anyone])
async def read_auth_config(settings: CurrentSettings, session: Session) -> AuthConfig:
    """What the sign-in page may offer."""
    return AuthConfig(
        registration_open=settings.registration == "open",
        oidc_name=settings.oidc_name if settings.oidc_issuer else None,
        terms_url=settings.terms_url,
        first_run=not await service.has_users(session),
    )


@router.post("/register", dependencies=[Anyone], status_code=status.HTTP_201_CREATED)
async def register(
    body: Registration,
    request: Request,
    response: Response,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> SignedInRead:
    """Create an account and sign in."""
    service.check_registration_is_open(settings)
    user, opened = await service.register(
        database,
        email=body.email,
        password=body.password.get_secret_value(),
        name=body.name,
        settings=settings,
    )
    return let_in(request, response, user, opened)


@router.post("/login", dependencies=[Anyone])
async def login(
    body: Credentials,
    request: Request,
    response: Response,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> SignedInRead:
    """Sign in with email and password."""
    user, opened = await service.sign_in(
        database,
        email=body.email,
        password=body.password.get_secret_value(),
        remember_me=body.remember_me,
        settings=settings,
    )
    return let_in(request, response, user, opened)


@router.post("/sign-in-link", dependencies=[Anyone])
async def use_sign_in_link(
    body: LinkToken,
    request: Request,
    response: Response,
    session: Session,
    settings: CurrentSettings,
) -> SignedInRead:
    """Sign in with the link that `edison serve` printed on this machine."""
    if not is_loopback(request.client.host if request.client else None):
        raise Forbidden("Sign-in links work only on the machine that runs Edison.")
    user, opened = await sign_in_links.use_link(session, secret=body.token, settings=settings)
    return let_in(request, response, user, opened)


@router.post("/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(caller: InPerson, response: Response, session: Session) -> None:
    """Sign this browser out."""
    await service.sign_out(session, user_id=caller.user_id, session_id=caller.session_id)
    sessions.clear_cookies(response)


@router.get("/me")
async def read_me(caller: SignedIn) -> SignedInRead:
    """Who is signed in."""
    return SignedInRead.model_validate(caller)


@router.patch("/me", response_model=UserRead)
async def change_me(body: ProfileChange, caller: InPerson, session: Session) -> User:
    """Change one's name or email."""
    return await service.change_profile(session, user_id=caller.user_id, change=body)


@router.put("/password", status_code=status.HTTP_204_NO_CONTENT)
async def change_password(
    body: PasswordChange, caller: InPersonBriefly, database: CurrentDatabase
) -> None:
    """Choose a new password; every other browser is signed out."""
    current = body.current_password
    await service.change_password(
        database,
        user=caller.user,
        current=None if current is None else current.get_secret_value(),
        new=body.new_password.get_secret_value(),
        keep_session=caller.session_id,
    )


@router.get("/sessions")
async def list_sessions(caller: InPerson, page: PageParams, session: Session) -> Page[SessionRead]:
    """The browsers that are signed in to this account."""
    found = await service.list_sessions(session, user_id=caller.user_id, page=page)
    items = [SessionRead.of(row, current=caller.session_id) for row in found.items]
    return Page(items=items, next=found.next, total=found.total)


@router.delete("/sessions", status_code=status.HTTP_204_NO_CONTENT)
async def end_other_sessions(caller: InPerson, session: Session) -> None:
    """Sign every other browser out."""
    await service.end_other_sessions(session, user_id=caller.user_id, kept=caller.session_id)


@router.delete("/sessions/{session_id}", status_code=status.HTTP_204_NO_CONTENT)
async def end_session(session_id: UUID, caller: InPerson, session: Session) -> None:
    """Sign one browser out."""
    await service.end_session(session, user_id=caller.user_id, session_id=session_id)


@router.get("/tokens", response_model=Page[TokenRead])
async def list_tokens(caller: InPerson, page: PageParams, session: Session) -> object:
    """Personal access tokens of this account."""
    return await tokens.list_tokens(session, user_id=caller.user_id, page=page)


@router.post("/tokens", status_code=status.HTTP_201_CREATED)
async def create_token(body: TokenRequest, caller: InPerson, session: Session) -> TokenCreated:
    """Make a personal access token; its secret is shown this once."""
    token, secret = tokens.create_token(session, user_id=caller.user_id, wanted=body)
    return TokenCreated(**TokenRead.model_validate(token).model_dump(), token=secret)


@router.delete("/tokens/{token_id}", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_token(token_id: UUID, caller: InPerson, session: Session) -> None:
    """Revoke a personal access token at once."""
    await tokens.revoke_token(session, user_id=caller.user_id, token_id=token_id)
