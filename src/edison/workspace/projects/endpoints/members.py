"""Endpoints for the members of a project."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.api.site import SiteUrl
from edison.workspace.mail.access import Outbox
from edison.workspace.projects import members
from edison.workspace.projects.access import Admin, AdminOrSelf, Owner, Viewer
from edison.workspace.projects.models import Role
from edison.workspace.projects.schemas import MemberRead, OwnershipTransfer, RoleChange

router = api_router("/projects/{project}", tag="members")


@router.get("/members", response_model=Page[MemberRead])
async def list_members(
    member: Viewer,
    page: PageParams,
    session: Session,
    role: Annotated[Role | None, Query(description="Only members with this role")] = None,
) -> Slice[MemberRead]:
    """Lists the members, oldest membership first.

    Sort by `joined_at` or `email`; `q` searches emails and names.
    """
    return await members.list_members(session, reader=member, role=role, page=page)


@router.patch("/members/{member_id}")
async def change_member_role(
    member_id: UUID,
    body: RoleChange,
    member: Admin,
    session: Session,
    site: SiteUrl,
    outbox: Outbox,
) -> MemberRead:
    """Changes a member's role.

    Only an OWNER may add or remove OWNERs, and the last OWNER cannot be changed (409 `LAST_OWNER`).
    """
    changed, letter = await members.change_role(
        session, acting=member, member_id=member_id, role=body.role, site=site
    )
    outbox.post(letter)
    return changed


@router.delete("/members/{member_id}", status_code=status.HTTP_204_NO_CONTENT)
async def remove_member(member_id: UUID, member: AdminOrSelf, session: Session) -> None:
    """Removes a member, as ADMIN or OWNER, or leaves the project.

    Also works in archived projects, so that read access to them can still be revoked.
    """
    await members.remove_member(session, acting=member, member_id=member_id)


@router.post("/ownership")
async def transfer_ownership(
    body: OwnershipTransfer, member: Owner, session: Session, site: SiteUrl, outbox: Outbox
) -> MemberRead:
    """Transfers the project: the given member becomes OWNER, the caller ADMIN."""
    changed, letter = await members.transfer_ownership(
        session, acting=member, member_id=body.member_id, site=site
    )
    outbox.post(letter)
    return changed
