"""Personal access tokens for the command line, the SDK and other programs."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.workspace.accounts.access import TOKEN_PREFIX
from edison.workspace.accounts.models import AccessToken
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import TokenRequest
from edison.workspace.audit import service as audit


def create_token(
    session: AsyncSession, *, user_id: UUID, wanted: TokenRequest
) -> tuple[AccessToken, str]:
    """The stored token and its secret, which cannot be shown again."""
    secret = ids.new_secret(TOKEN_PREFIX)
    now = clock.now()
    days = wanted.expires_in_days
    token = AccessToken(
        id=ids.new_id(),
        user_id=user_id,
        name=wanted.name,
        scope=wanted.scope,
        digest=ids.digest(secret),
        last_four=secret[-4:],
        created_at=now,
        last_used_at=None,
        expires_at=None if days is None else now + timedelta(days=days),
    )
    session.add(token)
    audit.record(
        session,
        "token.created",
        entity=("token", token.id),
        after={"name": token.name, "scope": token.scope},
    )
    return token, secret


async def list_tokens(
    session: AsyncSession, *, user_id: UUID, page: PageRequest
) -> Slice[AccessToken]:
    return await Accounts(session).list_tokens(user_id, page=page)


async def revoke_token(session: AsyncSession, *, user_id: UUID, token_id: UUID) -> None:
    removed = await Accounts(session).remove_token(user_id, token_id)
    if removed is None:
        raise NotFound("There is no such access token.")
    audit.record(
        session, "token.revoked", entity=("token", token_id), before={"name": removed.name}
    )
