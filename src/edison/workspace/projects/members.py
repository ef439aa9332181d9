"""Members of a project and their roles.

Every change locks the project and reads roles again behind the lock. Two owners who demote each
other concurrently are serialised, and the second one is refused.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit.errors import Conflict, Forbidden, NotFound
from edison.kit.hook import Hook
from edison.workspace.accounts.models import User
from edison.workspace.audit import service as audit
from edison.workspace.events.service import access_changed
from edison.workspace.mail.schemas import Letter
from edison.workspace.projects import mails
from edison.workspace.projects.access import Member
from edison.workspace.projects.errors import LastOwner
from edison.workspace.projects.models import ProjectMember, Role
from edison.workspace.projects.repository import MemberRow, Members, Projects
from edison.workspace.projects.schemas import MemberRead
from edison.workspace.projects.service import announce

# The text is the email address of the person who changed the role.
on_role_changed: Hook[[AsyncSession, ProjectMember, str], None] = Hook(
    "After another person changed a member's role, in that transaction. Notifies the member."
)


async def list_members(
    session: AsyncSession, *, reader: Member, role: Role | None, page: PageRequest
) -> Slice[MemberRead]:
    found = await Members(session).list_of_project(reader.project_id, role=role, page=page)
    return found.with_items([MemberRead.of(*row, reader_id=reader.user_id) for row in found.items])


async def change_role(
    session: AsyncSession, *, acting: Member, member_id: UUID, role: Role, site: str
) -> tuple[MemberRead, Letter | None]:
    """Change a member's role. Also returns the mail that notifies them."""
    own_role = await _lock(session, acting)
    member, user = await _get(session, acting.project_id, member_id)
    if not own_role.includes(Role.ADMIN):
        raise Forbidden("Only an ADMIN or OWNER may change roles.")
    if own_role != Role.OWNER and Role.OWNER in (member.role, role):
        raise Forbidden("Only an OWNER may grant the OWNER role or change an OWNER's role.")
    if role != Role.OWNER:
        await _check_an_owner_remains(session, member)
    has_changed = await _set_role(session, member, role)
    await announce(session, "member.changed", project_id=acting.project_id, entity_id=member.id)
    letter = await _notify(session, acting, member, user, site=site) if has_changed else None
    return MemberRead.of(member, user, reader_id=acting.user_id), letter


async def remove_member(session: AsyncSession, *, acting: Member, member_id: UUID) -> None:
    """Remove a member, or leave the project."""
    own_role = await _lock(session, acting)
    member, user = await _get(session, acting.project_id, member_id)
    is_self = user.id == acting.user_id
    if not is_self:
        _check_may_remove(own_role, member)
    await _check_an_owner_remains(session, member)
    await Members(session).remove(member)
    audit.record(
        session,
        "member.left" if is_self else "member.removed",
        entity=("member", member.id),
        project_id=acting.project_id,
        before={"email": user.email, "role": member.role},
    )
    await announce(session, "member.changed", project_id=acting.project_id, entity_id=member.id)


def _check_may_remove(own_role: Role, member: ProjectMember) -> None:
    if not own_role.includes(Role.ADMIN):
        raise Forbidden("Only an ADMIN or OWNER may remove other members.")
    if member.role == Role.OWNER and own_role != Role.OWNER:
        raise Forbidden("Only an OWNER may remove an OWNER.")


async def transfer_ownership(
    session: AsyncSession, *, acting: Member, member_id: UUID, site: str
) -> tuple[MemberRead, Letter | None]:
    """Make another member OWNER and the caller ADMIN."""
    own_role = await _lock(session, acting)
    if own_role != Role.OWNER:
        raise Forbidden("Only an OWNER may hand a project over.")
    member, user = await _get(session, acting.project_id, member_id)
    if user.id == acting.user_id:
        raise Conflict("You own this project already. Choose another member.", path="member_id")
    own = await Members(session).find_by_user(acting.project_id, acting.user_id)
    if own is None:
        raise NotFound("There is no such member.")
    await _set_role(session, member, Role.OWNER)
    await _set_role(session, own[0], Role.ADMIN)
    await announce(session, "member.changed", project_id=acting.project_id, entity_id=member.id)
    letter = await _notify(session, acting, member, user, site=site)
    return MemberRead.of(member, user, reader_id=acting.user_id), letter


async def add_member(
    session: AsyncSession, *, project_id: UUID, user: User, role: Role
) -> ProjectMember | None:
    """None when the user is a member already."""
    added = await Members(session).add(project_id, user.id, role)
    if added is not None:
        audit.record(
            session,
            "member.added",
            entity=("member", added.id),
            project_id=project_id,
            after={"email": user.email, "role": role},
        )
        await announce(session, "member.changed", project_id=project_id, entity_id=added.id)
    return added


async def is_member(session: AsyncSession, *, project_id: UUID, user_id: UUID) -> bool:
    return await Members(session).find_by_user(project_id, user_id) is not None


async def _lock(session: AsyncSession, acting: Member) -> Role:
    """Lock the project. Returns the caller's current role; the guard's may be outdated."""
    await Projects(session).lock(acting.project_id)
    own = await Members(session).find_by_user(acting.project_id, acting.user_id)
    if own is None:
        raise NotFound("There is no such project, or you are not a member of it.")
    return Role(own[0].role)


async def _get(session: AsyncSession, project_id: UUID, member_id: UUID) -> MemberRow:
    found = await Members(session).find(project_id, member_id)
    if found is None:
        raise NotFound("There is no such member in this project.")
    return found


async def _check_an_owner_remains(session: AsyncSession, leaving: ProjectMember) -> None:
    if leaving.role != Role.OWNER:
        return
    if await Members(session).count_owners(leaving.project_id) == 1:
        raise LastOwner


async def _set_role(session: AsyncSession, member: ProjectMember, role: Role) -> bool:
    """False when the member already has the role."""
    has_changed = member.role != role
    before = {"role": member.role} if has_changed else {}
    member.role = role
    await session.flush()
    access_changed(session)
    audit.record(
        session,
        "member.role_changed",
        entity=("member", member.id),
        project_id=member.project_id,
        before=before,
        after={"role": role} if has_changed else {},
    )
    return has_changed


async def _notify(
    session: AsyncSession, acting: Member, member: ProjectMember, user: User, *, site: str
) -> Letter | None:
    """Notifies a member of the new role. Returns the mail; None for one's own role."""
    if user.id == acting.user_id:
        return None
    changed_by = acting.caller.user.email
    await on_role_changed.fire(session, member, changed_by)
    role = Role(member.role)
    return mails.role_mail(user.email, acting.project, role=role, changed_by=changed_by, site=site)
