"""Two-factor authentication: enrolment, removal, and checking codes.

Every attempt is counted before its code is checked. A right code uncounts only its own attempt, so
signing in does not give an attacker new attempts.
"""

import io
import secrets
from base64 import b32encode

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid, TooMany
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.sealing import CannotOpen, SealingKeys
from edison.workspace.accounts import attempts, revocation
from edison.workspace.accounts.models import User
from edison.workspace.accounts.reauthentication import check_password
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.second_factor import totp
from edison.workspace.accounts.second_factor.errors import AlreadyEnrolled, NotEnrolled
from edison.workspace.accounts.second_factor.repository import SecondFactors
from edison.workspace.accounts.second_factor.schemas import EnrolmentRead, SecondFactorRead
from edison.workspace.accounts.types import Caller
from edison.workspace.audit import service as audit

ATTEMPTS = 5
RECOVERY_CODES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeVerifier:
    """Dependencies of checking a code."""

    database: Database
    keys: SealingKeys


async def read_state(session: AsyncSession, *, user: User) -> SecondFactorRead:
    left = await SecondFactors(session).count_recovery_codes(user.id)
    return SecondFactorRead(enabled_at=user.second_factor_at, recovery_codes_left=left)


async def start_enrolment(
    verifier: CodeVerifier, *, user: User, password: str | None
) -> EnrolmentRead:
    """Create a secret, which has no effect until `confirm_enrolment`."""
    if user.has_second_factor:
        raise AlreadyEnrolled
    await check_password(verifier.database, user=user, password=password, field="password")
    secret = totp.new_secret()
    async with verifier.database.write() as session:
        await SecondFactors(session).replace(user.id, verifier.keys.seal(secret))
        audit.record(session, "second_factor.started", entity=("user", user.id))
    uri = totp.enrolment_uri(secret, account=user.email)
    return EnrolmentRead(secret=secret, uri=uri, qr_svg=_draw(uri))


async def confirm_enrolment(verifier: CodeVerifier, *, caller: Caller, code: str) -> list[str]:
    """Turn it on and return the recovery codes. Ends all other sessions, which had no second
    factor.
    """
    if caller.user.has_second_factor:
        raise AlreadyEnrolled
    await _require_code(verifier, caller.user, code, recovery=False)
    codes = _new_recovery_codes()
    async with verifier.database.write() as session:
        user = await _get(session, caller.user)
        if user.has_second_factor:
            raise AlreadyEnrolled
        user.second_factor_at = clock.now()
        await SecondFactors(session).replace_recovery_codes(
            user.id, [_digest(user, each) for each in codes]
        )
        ended = await revocation.end_access(session, user, kept=caller.session_id, tokens=False)
        audit.record(
            session,
            "second_factor.enabled",
            entity=("user", user.id),
            after={"sessions_ended": ended.sessions},
        )
    return codes


async def renew_recovery_codes(
    verifier: CodeVerifier, *, user: User, password: str | None, code: str
) -> list[str]:
    await check_password(verifier.database, user=user, password=password, field="password")
    await _require_code(verifier, user, code)
    codes = _new_recovery_codes()
    async with verifier.database.write() as session:
        digests = [_digest(user, each) for each in codes]
        await SecondFactors(session).replace_recovery_codes(user.id, digests)
        audit.record(session, "second_factor.codes_renewed", entity=("user", user.id))
    return codes


async def disable(verifier: CodeVerifier, *, user: User, password: str | None, code: str) -> None:
    if not user.has_second_factor:
        raise NotEnrolled
    await check_password(verifier.database, user=user, password=password, field="password")
    await _require_code(verifier, user, code)
    async with verifier.database.write() as session:
        await remove(session, user=await _get(session, user), action="second_factor.disabled")


async def remove(session: AsyncSession, *, user: User, action: str) -> None:
    """Turn it off without a code. For the operator, and after `disable` has checked a code."""
    user.second_factor_at = None
    await SecondFactors(session).remove(user.id)
    audit.record(session, action, entity=("user", user.id))


async def is_right(verifier: CodeVerifier, *, user: User, code: str, recovery: bool = True) -> bool:
    """Check a code and use it up. Raises TooMany after too many wrong ones."""
    key = f"second_factor:account:{user.id}"
    async with verifier.database.write() as session:
        wait = await attempts.count(session, key, limit=ATTEMPTS)
    if wait is not None:
        raise TooMany("Too many wrong codes. Please wait.", retry_after_seconds=wait)
    async with verifier.database.write() as session:
        used = await _use(session, verifier.keys, user, code, recovery=recovery)
        if used:
            await attempts.take_back(session, key)
    if not used:
        await audit.record_denied(
            verifier.database, "second_factor.refused", entity=("user", user.id)
        )
    return used


async def _use(
    session: AsyncSession, keys: SealingKeys, user: User, code: str, *, recovery: bool
) -> bool:
    factors = SecondFactors(session)
    stored = await factors.find(user.id)
    if stored is None:
        return False
    try:
        step = totp.matching_step(keys.open(stored.sealed_secret), code, clock.now())
    except CannotOpen:
        # Sealed with a key that is no longer available: recovery codes still work.
        step = None
    if step is not None:
        return await factors.use_step(user.id, step)
    if not recovery or not await factors.use_recovery_code(user.id, _digest(user, code)):
        return False
    audit.record(session, "second_factor.recovery_code_used", entity=("user", user.id))
    return True


async def _require_code(
    verifier: CodeVerifier, user: User, code: str, *, recovery: bool = True
) -> None:
    async with verifier.database.read() as session:
        if await SecondFactors(session).find(user.id) is None:
            raise NotEnrolled
    if not await is_right(verifier, user=user, code=code, recovery=recovery):
        message = "This code is wrong or was used already. Wait for the next one."
        raise Invalid(FieldProblem(field="code", message=message, code="wrong"))


def _new_recovery_codes() -> list[str]:
    """80 random bits each, so a plain hash cannot be reversed by guessing."""
    texts = (b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES))
    return ["-".join(text[at : at + 4] for at in range(0, 16, 4)) for text in texts]


def _digest(user: User, code: str) -> str:
    plain = "".join(code.lower().replace("-", "").split())
    return ids.digest(f"{user.id}:{plain}")


async def _get(session: AsyncSession, user: User) -> User:
    found = await Accounts(session).find(user.id)
    if found is None:
        raise NotEnrolled
    return found


def _draw(uri: str) -> str:
    import segno

    drawn = io.BytesIO()
    segno.make(uri, error="m").save(
        drawn, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False
    )
    return drawn.getvalue().decode()
