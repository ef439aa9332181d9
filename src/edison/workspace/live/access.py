"""Whether someone who was let in may still stay, for answers that last longer than a moment."""

from sqlalchemy import exists, or_, select

from edison.db.session import Database
from edison.kit import clock
from edison.workspace.accounts.models import AccessToken, UserSession
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import ProjectMember, Role


async def still_has_role(database: Database, member: Member, least: Role) -> bool:
    """The session or token still stands, and the role in the project is still large enough."""
    roles = [role for role in Role if role.includes(least)]
    caller = member.caller
    if caller.token is not None:
        proof = exists().where(
            AccessToken.id == caller.token.id,
            or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > clock.now()),
        )
    else:
        proof = exists().where(
            UserSession.id == caller.session_id, UserSession.expires_at > clock.now()
        )
    membership = exists().where(
        ProjectMember.project_id == member.project_id,
        ProjectMember.user_id == member.user_id,
        ProjectMember.role.in_(roles),
    )
    async with database.read() as session:
        return bool(await session.scalar(select(proof & membership)))
