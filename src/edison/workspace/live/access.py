"""Whether someone who was let in may still stay, for answers that last longer than a moment.

Every open stream asks again every few seconds. They are answered together, so that a thousand of
them are a few queries a second.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy import and_, or_, select

from edison.db.membership import is_one_of
from edison.db.session import Database
from edison.kit import clock
from edison.kit.grouping import Grouped
from edison.workspace.accounts.models import AccessToken, User, UserSession
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Project, ProjectMember, Role

PAUSE_SECONDS = 0.1

_LACKS_SECOND_FACTOR = and_(Project.requires_two_factor, User.second_factor_at.is_(None))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stay:
    """`proof_id` is the session or token that somebody came with."""

    project_id: UUID
    user_id: UUID
    proof_id: UUID


class Admission:
    """One per process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._roles = Grouped(self._list_roles, pause_seconds=PAUSE_SECONDS)

    async def still_has_role(self, member: Member, least: Role) -> bool:
        """The session or token still stands, and the role in the project is still large enough."""
        caller = member.caller
        proof_id = caller.session_id if caller.token is None else caller.token.id
        if proof_id is None:
            return False
        role = await self._roles.find(
            _Stay(project_id=member.project_id, user_id=member.user_id, proof_id=proof_id)
        )
        return role is not None and role.includes(least)

    async def _list_roles(self, stays: Collection[_Stay]) -> Mapping[_Stay, Role]:
        proof_ids = {stay.proof_id for stay in stays}
        now = clock.now()
        async with self._database.read_briefly() as session:
            sessions = await session.execute(
                select(UserSession.id, UserSession.is_single_sign_on).where(
                    is_one_of(session, UserSession.id, proof_ids), UserSession.expires_at > now
                )
            )
            tokens = await session.scalars(
                select(AccessToken.id).where(
                    is_one_of(session, AccessToken.id, proof_ids),
                    or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > now),
                )
            )
            members = await session.execute(
                select(ProjectMember, _LACKS_SECOND_FACTOR)
                .join(Project, Project.id == ProjectMember.project_id)
                .join(User, User.id == ProjectMember.user_id)
                .where(
                    is_one_of(session, ProjectMember.project_id, {s.project_id for s in stays}),
                    is_one_of(session, ProjectMember.user_id, {s.user_id for s in stays}),
                )
            )
        # By proof: whether a second factor is somebody else's duty.
        standing = {proof_id: by_provider for proof_id, by_provider in sessions}
        standing |= dict.fromkeys(tokens, False)
        found = {(row.project_id, row.user_id): (Role(row.role), lacks) for row, lacks in members}
        roles = {}
        for stay in stays:
            role, lacks = found.get((stay.project_id, stay.user_id), (None, True))
            is_exempt = standing.get(stay.proof_id)
            if role is not None and is_exempt is not None and (is_exempt or not lacks):
                roles[stay] = role
        return roles


async def _admission(request: Request) -> Admission:
    found: Admission = request.app.state.admission
    return found


CurrentAdmission = Annotated[Admission, Depends(_admission)]
