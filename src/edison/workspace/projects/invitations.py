"""Invitations: single-use links that expire, stored as hashes.

What proves that an invited address belongs to an account:
- Only accounts with a verified address are added immediately, without a link.
- The mailed link carries a second secret that only the mail contains. It verifies the address, and
  takes over an unverified account that was created with it.
- The link shown to the inviter admits to this one project and verifies nothing: anyone can create a
  project and invite any address. An unverified account may use it only if it had the address before
  the invitation was created, and only where no mail server could verify it.

Lock order: project, invitations, members. So an admin and an invited person who act concurrently
cannot deadlock.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import Conflict, FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.settings import Settings
from edison.workspace.accounts import service as accounts
from edison.workspace.accounts.errors import EmailTaken
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.types import Caller
from edison.workspace.audit import service as audit
from edison.workspace.mail.schemas import Letter
from edison.workspace.projects import mails, members
from edison.workspace.projects.access import Member
from edison.workspace.projects.errors import (
    EmailUnverified,
    InvitationEmailMismatch,
    InvitationExpired,
    InvitationUsed,
)
from edison.workspace.projects.models import Invitation, Project, Role
from edison.workspace.projects.repository import Invitations, Projects
from edison.workspace.projects.schemas import (
    InvitationPreview,
    InvitationRead,
    InvitationRequest,
    InvitationResult,
    InvitedRegistration,
    MemberRead,
    ProjectRead,
    status_of,
)
from edison.workspace.projects.service import announce, describe_project

VALID_FOR = timedelta(days=7)


async def invite(
    session: AsyncSession, *, acting: Member, wanted: InvitationRequest, site: str
) -> tuple[InvitationResult, Letter | None]:
    """Add the account with that verified address, else invite. Also returns the mail to send."""
    await Projects(session).lock(acting.project_id)
    user = None
    if wanted.email is not None:
        await accounts.check_look_alike(session, email=wanted.email)
        user = await accounts.find_user_by_email(session, email=wanted.email)
    if user is not None and await members.is_member(
        session, project_id=acting.project_id, user_id=user.id
    ):
        raise Conflict(f"{user.email} is already a member of this project.", path="email")
    if user is not None and user.is_email_verified:
        return await _add_now(session, acting, user, wanted=wanted, site=site)
    return await _invite_by_link(session, acting, wanted, site=site)


async def _add_now(
    session: AsyncSession, acting: Member, user: User, *, wanted: InvitationRequest, site: str
) -> tuple[InvitationResult, Letter]:
    role = Role(wanted.role)
    # Invitations sent before the account existed are obsolete.
    for outdated in await Invitations(session).remove_open(acting.project_id, email=user.email):
        _record_revoked(session, outdated)
    added = await members.add_member(session, project_id=acting.project_id, user=user, role=role)
    if added is None:
        raise Conflict(f"{user.email} is already a member of this project.", path="email")
    letter = mails.added_mail(
        user.email,
        acting.project,
        role=role,
        added_by=acting.caller.user.email,
        message=wanted.message,
        site=site,
    )
    member = MemberRead.of(added, user, reader_id=acting.user_id)
    return InvitationResult(status="added", member=member), letter


async def _invite_by_link(
    session: AsyncSession, acting: Member, wanted: InvitationRequest, *, site: str
) -> tuple[InvitationResult, Letter | None]:
    invitations = Invitations(session)
    replaced = []
    if wanted.email is not None:
        replaced = await invitations.remove_open(acting.project_id, email=wanted.email)
    secret, proof, now = ids.new_secret(), ids.new_secret(), clock.now()
    invitation = await invitations.add(
        Invitation(
            project_id=acting.project_id,
            email=wanted.email,
            role=wanted.role,
            message=wanted.message,
            digest=ids.digest(secret),
            proof_digest=None if wanted.email is None else ids.digest(proof),
            invited_by_id=acting.user_id,
            created_at=now,
            expires_at=now + VALID_FOR,
        )
    )
    audit.record(
        session,
        "invitation.created",
        entity=("invitation", invitation.id),
        project_id=acting.project_id,
        before={"replaced": [str(old.id) for old in replaced]} if replaced else None,
        after={"email": wanted.email, "role": wanted.role},
    )
    await _announce(session, invitation)
    sender, link = acting.caller.user.email, f"{site}/invitations/{secret}"
    shown = InvitationRead.of(invitation, invited_by=sender)
    letter = mails.invitation_mail(
        invitation, acting.project, invited_by=sender, link=f"{link}#proof={proof}"
    )
    return InvitationResult(status="invited", invitation=shown, link=link), letter


async def list_invitations(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[InvitationRead]:
    found = await Invitations(session).list_of_project(project_id, page=page)
    items = [InvitationRead.of(row, invited_by=sender) for row, sender in found.items]
    return found.with_items(items)


async def revoke_invitation(
    session: AsyncSession, *, project_id: UUID, invitation_id: UUID
) -> None:
    invitations = Invitations(session)
    removed = await invitations.remove_open(project_id, invitation_id=invitation_id)
    if not removed:
        if await invitations.exists(project_id, invitation_id):
            raise InvitationUsed
        raise NotFound("There is no such invitation.")
    _record_revoked(session, removed[0])
    await _announce(session, removed[0])


def _record_revoked(session: AsyncSession, invitation: Invitation) -> None:
    audit.record(
        session,
        "invitation.revoked",
        entity=("invitation", invitation.id),
        project_id=invitation.project_id,
        before={"email": invitation.email, "role": invitation.role},
    )


async def preview_invitation(session: AsyncSession, *, secret: str) -> InvitationPreview:
    found = await _get(session, secret)
    return InvitationPreview(
        project_name=found.project.name,
        role=Role(found.invitation.role),
        invited_by=found.invited_by,
        email=found.invitation.email,
        expires_at=found.invitation.expires_at,
        status=status_of(found.invitation),
    )


async def accept_invitation(
    session: AsyncSession, *, secret: str, caller: Caller, proof: str | None, settings: Settings
) -> tuple[Project, Role]:
    """Join the project. A refusal leaves the invitation unchanged."""
    found = await _get(session, secret)
    await Projects(session).lock(found.project.id)
    _check_is_open(found)
    user = caller.user
    if found.invitation.email not in (None, user.email):
        raise InvitationEmailMismatch
    if found.invitation.email is not None and not user.is_email_verified:
        if found.is_proven(proof):
            await accounts.verify_own(session, user, kept=caller.session_id, proof="invitation")
        elif settings.smtp_host is not None or not _had_email_before(user, found.invitation):
            raise EmailUnverified
    return await _join(session, found, user)


def _had_email_before(user: User, invitation: Invitation) -> bool:
    """Prevents taking over an invitation by changing an account's address after it was created."""
    return (user.email_changed_at or user.created_at) <= invitation.created_at


async def _join(session: AsyncSession, found: "_Found", user: User) -> tuple[Project, Role]:
    already_there = Conflict(
        "You are already a member of this project.", details={"project": found.project.slug}
    )
    if await members.is_member(session, project_id=found.project.id, user_id=user.id):
        raise already_there
    if not await Invitations(session).use(found.invitation.id):
        raise InvitationUsed
    role = Role(found.invitation.role)
    audit.record(
        session,
        "invitation.accepted",
        entity=("invitation", found.invitation.id),
        project_id=found.project.id,
        after={"email": user.email, "role": role},
    )
    added = await members.add_member(session, project_id=found.project.id, user=user, role=role)
    if added is None:
        raise already_there
    await _announce(session, found.invitation)
    return found.project, role


async def register_invited(
    database: Database, *, secret: str, body: InvitedRegistration, settings: Settings
) -> "Joined":
    """Create an account for the holder of the link and join the project, in one transaction.

    Takes a Database like every function that hashes a password: no transaction may be open then.
    """
    async with database.read() as session:
        email = _email_for(await _get(session, secret), body.email)
    password = body.password.get_secret_value()
    password_hash = await accounts.hash_new_password(database, password=password, settings=settings)
    async with database.write() as session:
        found = await _get(session, secret)
        await Projects(session).lock(found.project.id)
        _check_is_open(found)
        wanted = User(email=email, name=body.name, password_hash=password_hash)
        user = await _add_or_claim(session, wanted, is_proven=found.is_proven(body.proof))
        project, role = await _join(session, found, user)
        opened = await accounts.begin_session(
            session, user, remember_me=False, settings=settings, action="user.login"
        )
        described = await describe_project(session, project=project, role=role)
    return Joined(user=user, session=opened, project=described)


async def _add_or_claim(session: AsyncSession, wanted: User, *, is_proven: bool) -> User:
    """A new account, or the existing unverified account with the proven address."""
    existing = await accounts.find_user_by_email(session, email=wanted.email)
    if existing is None:
        if is_proven:
            wanted.email_verified_at = clock.now()
        return await accounts.add_user(session, wanted)
    if existing.is_email_verified or not is_proven or wanted.password_hash is None:
        raise EmailTaken
    await accounts.claim(session, existing, password_hash=wanted.password_hash, proof="invitation")
    existing.name = wanted.name or existing.name
    return existing


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A new user, their session, and the project they joined."""

    user: User
    session: UserSession
    project: ProjectRead


def _email_for(found: "_Found", given: str | None) -> str:
    _check_is_open(found)
    email = given or found.invitation.email
    if email is None:
        raise Invalid(FieldProblem(field="email", message="An email is needed.", code="required"))
    if found.invitation.email not in (None, email):
        raise InvitationEmailMismatch(path="email")
    return email


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    invitation: Invitation
    project: Project
    invited_by: str | None

    def is_proven(self, proof: str | None) -> bool:
        """The link was opened from the mail to the invited address."""
        expected = self.invitation.proof_digest
        return proof is not None and expected is not None and ids.digest(proof) == expected


async def _get(session: AsyncSession, secret: str) -> _Found:
    found = await Invitations(session).find_by_digest(ids.digest(secret))
    if found is None:
        raise NotFound("There is no such invitation. It may have been withdrawn or replaced.")
    invitation, project, invited_by = found
    return _Found(invitation=invitation, project=project, invited_by=invited_by)


def _check_is_open(found: _Found) -> None:
    status = status_of(found.invitation)
    if status == "accepted":
        raise InvitationUsed
    if status == "expired":
        raise InvitationExpired
    if found.project.archived_at is not None:
        raise Conflict("This project is archived and takes no new members.")


async def _announce(session: AsyncSession, invitation: Invitation) -> None:
    await announce(
        session,
        "invitation.changed",
        project_id=invitation.project_id,
        entity_id=invitation.id,
    )
