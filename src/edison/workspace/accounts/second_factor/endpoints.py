"""Endpoints for two-factor authentication and the second step of signing in."""

from typing import Annotated

from fastapi import Depends, Request, status

from edison.api.routing import api_router
from edison.api.session import Session, database_of
from edison.workspace.accounts.access import (
    Anyone,
    CurrentVisitor,
    InPerson,
    InPersonWithoutTransaction,
)
from edison.workspace.accounts.schemas import Password, SecondFactorAnswer, SignedInRead
from edison.workspace.accounts.second_factor import service, sign_in
from edison.workspace.accounts.second_factor.schemas import (
    CodeEntry,
    EnrolmentRead,
    EnrolmentRequest,
    PasswordAndCode,
    RecoveryCodes,
    SecondFactorRead,
)
from edison.workspace.accounts.second_factor.service import CodeVerifier

router = api_router("/auth", tag="accounts")


async def _get_verifier(request: Request) -> CodeVerifier:
    return CodeVerifier(database=database_of(request), keys=request.app.state.vault.keys)


CurrentVerifier = Annotated[CodeVerifier, Depends(_get_verifier)]


def _text(password: Password | None) -> str | None:
    return None if password is None else password.get_secret_value()


@router.post("/login/second-factor", dependencies=[Anyone])
async def finish_login(
    body: SecondFactorAnswer, visitor: CurrentVisitor, verifier: CurrentVerifier
) -> SignedInRead:
    """Completes signing in with the challenge of the first step and a code.

    Refused with 401: `WRONG_CODE`, or `CHALLENGE_EXPIRED` after five minutes.
    """
    user, opened = await sign_in.finish(verifier, visitor, challenge=body.challenge, code=body.code)
    return visitor.let_in(user, opened)


@router.get("/second-factor")
async def read_second_factor(caller: InPerson, session: Session) -> SecondFactorRead:
    """Returns whether two-factor authentication is on and how many recovery codes are left."""
    return await service.read_state(session, user=caller.user)


@router.post("/second-factor/enrolment")
async def start_second_factor(
    body: EnrolmentRequest, caller: InPersonWithoutTransaction, verifier: CurrentVerifier
) -> EnrolmentRead:
    """Creates a secret for an authenticator app. It takes effect once a code confirms it."""
    return await service.start_enrolment(verifier, user=caller.user, password=_text(body.password))


@router.post("/second-factor/confirmation")
async def confirm_second_factor(
    body: CodeEntry, caller: InPersonWithoutTransaction, verifier: CurrentVerifier
) -> RecoveryCodes:
    """Turns two-factor authentication on and ends all other browser sessions."""
    codes = await service.confirm_enrolment(verifier, caller=caller, code=body.code)
    return RecoveryCodes(recovery_codes=codes)


@router.post("/second-factor/recovery-codes")
async def renew_recovery_codes(
    body: PasswordAndCode, caller: InPersonWithoutTransaction, verifier: CurrentVerifier
) -> RecoveryCodes:
    """Creates ten new recovery codes; the old ones stop working."""
    codes = await service.renew_recovery_codes(
        verifier, user=caller.user, password=_text(body.password), code=body.code
    )
    return RecoveryCodes(recovery_codes=codes)


@router.post("/second-factor/removal", status_code=status.HTTP_204_NO_CONTENT)
async def disable_second_factor(
    body: PasswordAndCode, caller: InPersonWithoutTransaction, verifier: CurrentVerifier
) -> None:
    """Turns two-factor authentication off."""
    await service.disable(verifier, user=caller.user, password=_text(body.password), code=body.code)
