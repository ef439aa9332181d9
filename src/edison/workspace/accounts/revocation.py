"""Revokes sessions, links, tokens and credentials of an account; no other module does.

Open event streams end within a second: the repository publishes that access changed, and the access
watch closes the streams whose session or token was revoked.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.accounts.models import User
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.second_factor.repository import SecondFactors
from edison.workspace.audit import service as audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Numbers of revoked sessions and tokens."""

    sessions: int
    tokens: int


async def end_access(
    session: AsyncSession, user: User, *, kept: UUID | None = None, tokens: bool = True
) -> Ended:
    """End the sessions, the mailed and printed links, and with `tokens` the personal access tokens.

    `kept` is the id of a session to keep, together with the pending link that verifies the address.
    """
    accounts = Accounts(session)
    if kept is None:
        await accounts.remove_confirmations(user.id)
    if user.is_local_owner:
        await accounts.remove_links()
    return Ended(
        sessions=await accounts.remove_sessions_except(user.id, kept),
        tokens=await accounts.remove_tokens(user.id) if tokens else 0,
    )


async def hand_over(session: AsyncSession, user: User, *, proof: str) -> None:
    """Transfer the account to the person who just proved to own the address.

    Until then anyone may have controlled the account, so every way to sign in is revoked, including
    the password, the second factor and linked identities.
    """
    had_password = user.has_password
    ended = await end_access(session, user)
    user.password_hash = None
    user.second_factor_at = None
    await SecondFactors(session).remove(user.id)
    await Accounts(session).remove_identities(user.id)
    audit.record(
        session,
        "user.handed_over",
        entity=("user", user.id),
        after={
            "proof": proof,
            "had_password": had_password,
            "sessions_ended": ended.sessions,
            "tokens_ended": ended.tokens,
        },
    )
