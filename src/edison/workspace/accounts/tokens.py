"""Personal access tokens for the command line, the SDK and other programs."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.hook import Hook
from edison.workspace.accounts.access import TOKEN_PREFIX
from edison.workspace.accounts.models import AccessToken
from edison.workspace.accounts.repository import Accounts
from edison.workspace.accounts.schemas import TokenRead, TokenRequest
from edison.workspace.audit import service as audit

# A listener returns the names by id of the projects that a user is a member of.
list_project_names: Hook[[AsyncSession, UUID], Mapping[UUID, str]] = Hook(
    "When API tokens are created or listed, in the transaction of the request."
)


async def create_token(
    session: AsyncSession, *, user_id: UUID, wanted: TokenRequest
) -> tuple[TokenRead, str]:
    """The stored token and its secret, which cannot be shown again."""
    names = await _list_names(session, user_id)
    _check_projects(wanted, names)
    secret = ids.new_secret(TOKEN_PREFIX)
    now = clock.now()
    days = wanted.expires_in_days
    limits = wanted.project_ids
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
        project_ids=None if limits is None else [str(each) for each in dict.fromkeys(limits)],
    )
    session.add(token)
    audit.record(
        session,
        "token.created",
        entity=("token", token.id),
        after={
            "name": token.name,
            "scope": token.scope,
            "expires_at": None if token.expires_at is None else token.expires_at.isoformat(),
            "project_ids": token.project_ids,
        },
    )
    return TokenRead.of(token, names=names), secret


def _check_projects(wanted: TokenRequest, names: Mapping[UUID, str]) -> None:
    problems = [
        FieldProblem(
            field=f"project_ids.{at}", message="You are not a member of it.", code="unknown"
        )
        for at, each in enumerate(wanted.project_ids or ())
        if each not in names
    ]
    if problems:
        raise Invalid(*problems)


async def list_tokens(
    session: AsyncSession, *, user_id: UUID, page: PageRequest
) -> Slice[TokenRead]:
    found = await Accounts(session).list_tokens(user_id, page=page)
    names = await _list_names(session, user_id)
    return found.with_items([TokenRead.of(each, names=names) for each in found.items])


async def revoke_token(session: AsyncSession, *, user_id: UUID, token_id: UUID) -> None:
    removed = await Accounts(session).remove_token(user_id, token_id)
    if removed is None:
        raise NotFound("There is no such access token.")
    audit.record(
        session, "token.revoked", entity=("token", token_id), before={"name": removed.name}
    )


async def revoke_all_tokens(session: AsyncSession, *, user_id: UUID) -> None:
    count = await Accounts(session).remove_tokens(user_id)
    audit.record(session, "token.all_revoked", entity=("user", user_id), after={"count": count})


async def _list_names(session: AsyncSession, user_id: UUID) -> Mapping[UUID, str]:
    names: dict[UUID, str] = {}
    for found in await list_project_names.fire(session, user_id):
        names |= found
    return names
