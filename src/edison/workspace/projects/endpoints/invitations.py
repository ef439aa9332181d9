"""Endpoints for creating and accepting invitations."""

from typing import Annotated
from uuid import UUID

from fastapi import Path, Request, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, CurrentSettings, Session
from edison.api.site import SiteUrl
from edison.workspace.accounts.access import Anyone, SignedIn, let_in
from edison.workspace.mail.access import Outbox
from edison.workspace.projects import invitations, service
from edison.workspace.projects.access import Admin
from edison.workspace.projects.schemas import (
    InvitationAcceptance,
    InvitationPreview,
    InvitationRead,
    InvitationRequest,
    InvitationResult,
    InvitedRegistration,
    InvitedSignIn,
    ProjectRead,
)

router = api_router(tag="invitations")

InvitationToken = Annotated[str, Path(max_length=100, description="The last part of the link")]


@router.get("/projects/{project}/invitations", response_model=Page[InvitationRead])
async def list_invitations(
    member: Admin, page: PageParams, session: Session
) -> Slice[InvitationRead]:
    """Lists the project's invitations, latest first; `q` searches emails."""
    return await invitations.list_invitations(session, project_id=member.project_id, page=page)


@router.post("/projects/{project}/invitations", status_code=status.HTTP_201_CREATED)
async def invite(
    body: InvitationRequest, member: Admin, session: Session, site: SiteUrl, outbox: Outbox
) -> InvitationResult:
    """Invites a person by email, or creates an open link for the first person who uses it.

    An account with that verified address is added immediately. Links work once, for seven days; a
    new invitation to the same email replaces the previous one. With a mail server configured, the
    link is also sent by email.
    """
    result, letter = await invitations.invite(session, acting=member, wanted=body, site=site)
    result.emailed = outbox.post(letter)
    return result


@router.delete(
    "/projects/{project}/invitations/{invitation_id}", status_code=status.HTTP_204_NO_CONTENT
)
async def revoke_invitation(invitation_id: UUID, member: Admin, session: Session) -> None:
    """Revokes an invitation that was not accepted yet."""
    await invitations.revoke_invitation(
        session, project_id=member.project_id, invitation_id=invitation_id
    )


@router.get("/invitations/{token}", dependencies=[Anyone])
async def preview_invitation(token: InvitationToken, session: Session) -> InvitationPreview:
    """Returns the project and role that a link invites to."""
    return await invitations.preview_invitation(session, secret=token)


@router.post("/invitations/{token}/accept")
async def accept_invitation(
    token: InvitationToken,
    caller: SignedIn,
    session: Session,
    settings: CurrentSettings,
    body: InvitationAcceptance | None = None,
) -> ProjectRead:
    """Joins the project with the signed-in account.

    Refused with 409: `INVITATION_USED`, `INVITATION_EXPIRED`, `INVITATION_EMAIL_MISMATCH`,
    `EMAIL_UNVERIFIED`, or `CONFLICT` when the account is a member already. A refusal does not use
    the invitation up.
    """
    proof = None if body is None else body.proof
    project, role = await invitations.accept_invitation(
        session, secret=token, caller=caller, proof=proof, settings=settings
    )
    return await service.describe_project(session, project=project, role=role)


@router.post(
    "/invitations/{token}/register",
    dependencies=[Anyone],
    status_code=status.HTTP_201_CREATED,
)
async def register_invited(
    token: InvitationToken,
    body: InvitedRegistration,
    request: Request,
    response: Response,
    database: CurrentDatabase,
    settings: CurrentSettings,
) -> InvitedSignIn:
    """Creates an account, joins the project and signs in, also where registration is closed."""
    joined = await invitations.register_invited(
        database, secret=token, body=body, settings=settings
    )
    signed_in = let_in(request, response, joined.user, joined.session)
    return InvitedSignIn(**dict(signed_in), project=joined.project)
