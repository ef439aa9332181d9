"""Routes of single sign-on. Browsers navigate to them, so a failed sign-in ends on the login page
with a code, never in a JSON error.
"""

from typing import Annotated
from urllib.parse import urlencode

import structlog
from fastapi import Depends, Query, Request, status
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from edison.api.routing import api_router
from edison.api.schema import ErrorBody
from edison.api.session import CurrentDatabase, CurrentSettings
from edison.kit.errors import NotFound
from edison.settings import Settings
from edison.workspace.accounts import cookies, registration
from edison.workspace.accounts.access import Anyone
from edison.workspace.accounts.single_sign_on import handshake, service
from edison.workspace.accounts.single_sign_on.oauth import (
    IdentityProvider,
    SignInFailed,
    SignInFailure,
)
from edison.workspace.audit import service as audit

log = structlog.get_logger(__name__)

router = api_router(
    "/auth/oidc",
    tag="accounts",
    dependencies=[Anyone],
    default_response_class=RedirectResponse,
    responses={404: {"model": ErrorBody, "description": "Single sign-on is not set up here."}},
)

# These are not refusals of a person, so they leave no audit entry.
_MISHAPS = (SignInFailure.DENIED, SignInFailure.STATE, SignInFailure.UNAVAILABLE)


class ProviderAnswer(BaseModel):
    """The query of the callback (RFC 6749 §4.1.2); providers may add more."""

    code: str | None = None
    state: str | None = None
    error: str | None = None


async def get_provider(request: Request) -> IdentityProvider:
    provider: IdentityProvider | None = request.app.state.identity_provider
    if provider is None:
        raise NotFound("Single sign-on is not set up here.")
    return provider


Provider = Annotated[IdentityProvider, Depends(get_provider)]


@router.get(
    "/start",
    status_code=status.HTTP_302_FOUND,
    responses={303: {"description": "To the login page, with `?error=<code>`"}},
)
async def start_single_sign_on(
    request: Request,
    provider: Provider,
    settings: CurrentSettings,
    next_path: Annotated[
        str | None, Query(alias="next", description="The page to end on; a path of this site")
    ] = None,
) -> RedirectResponse:
    """Send the browser to the identity provider.

    Leads to the login page with `?error=<code>` when the provider cannot be reached.
    """
    begun = handshake.begin(next_path)
    redirect_uri = _redirect_uri(request, settings)
    try:
        url = await provider.authorization_url(begun, redirect_uri=redirect_uri)
    except SignInFailed as failed:
        return _turn_away(request, failed)
    response = RedirectResponse(url, status_code=status.HTTP_302_FOUND)
    handshake.remember(
        response,
        begun,
        keys=request.app.state.signing_keys,
        is_secure=redirect_uri.startswith("https:"),
    )
    return response


@router.get("/callback", status_code=status.HTTP_303_SEE_OTHER)
async def finish_single_sign_on(
    request: Request,
    answer: Annotated[ProviderAnswer, Query()],
    provider: Provider,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> RedirectResponse:
    """Where the provider sends the browser back to: opens a session and goes on to the page.

    Leads to the login page with `?error=<code>` when the sign-in failed.
    """
    try:
        begun = handshake.recall(request, keys=request.app.state.signing_keys, state=answer.state)
        identity = await provider.identify(
            begun, code=_granted(answer), redirect_uri=_redirect_uri(request, settings)
        )
        mode = registration.mode_for(request, settings)
        user, opened = await service.sign_in(database, identity, mode=mode, settings=settings)
    except SignInFailed as failed:
        if failed.failure not in _MISHAPS:
            await audit.record_denied(
                database, "user.oidc_login_failed", entity=("sign_in", failed.failure)
            )
        return _turn_away(request, failed)
    response = RedirectResponse(begun.next_path, status_code=status.HTTP_303_SEE_OTHER)
    handshake.forget(response)
    cookies.set_cookies(response, request, opened, user)
    return response


def _granted(answer: ProviderAnswer) -> str:
    """The authorization code, unless the provider sent an error instead."""
    if answer.error in ("server_error", "temporarily_unavailable"):
        raise SignInFailed(SignInFailure.UNAVAILABLE, f"the provider answered {answer.error}")
    if answer.error is not None or not answer.code:
        raise SignInFailed(SignInFailure.DENIED, "the provider granted nothing")
    return answer.code


def _redirect_uri(request: Request, settings: Settings) -> str:
    """As registered at the provider; both steps must name the same."""
    base = settings.public_url or str(request.base_url).rstrip("/")
    return f"{base}{handshake.COOKIE_PATH}/callback"


def _turn_away(request: Request, failed: SignInFailed) -> RedirectResponse:
    log.warning("single sign-on failed", failure=failed.failure, reason=failed.reason)
    request.state.sign_in_failure = failed.failure.value  # for the metrics
    response = RedirectResponse(
        f"/login?{urlencode({'error': failed.failure.value})}",
        status_code=status.HTTP_303_SEE_OTHER,
    )
    handshake.forget(response)
    return response
