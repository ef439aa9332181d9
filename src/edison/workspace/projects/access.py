"""Authorisation of members: guards for every endpoint below `/projects/{project}`.

A project that the caller may not see answers NotFound, exactly like one that does not exist: no
membership, or outside the limits of the access token. An insufficient role answers Forbidden, as
does a missing second factor where the project requires one. Each refusal is written to the audit
log.
"""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Request

from edison.api.policy import Guard, Policy
from edison.api.session import Session, is_reading
from edison.api.streams.limits import StreamLimits
from edison.db.session import inline
from edison.kit.errors import Conflict, Forbidden, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.nearest import find_nearest
from edison.workspace.accounts.access import Visit, begin_visit, identify
from edison.workspace.accounts.types import Caller
from edison.workspace.projects.errors import TwoFactorRequired
from edison.workspace.projects.models import Project, Role
from edison.workspace.projects.repository import Members, Projects

ProjectKey = Annotated[str, Path(max_length=80, description="Slug or id of the project")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A caller in a project, with the role that the endpoint requires."""

    caller: Caller
    project: Project
    role: Role

    @property
    def project_id(self) -> UUID:
        return self.project.id

    @property
    def user_id(self) -> UUID:
        return self.caller.user_id


async def _not_found(key: str, caller: Caller, session: Session) -> NotFound:
    """Names the nearest of the projects that the caller may see, by slug or name."""
    async with inline(session):
        own = await Projects(session).list_slugs_of_user(caller.user_id)
    seen = [(slug, name) for project_id, slug, name in own if caller.reaches(project_id)]
    known = {name: slug for slug, name in seen} | {slug: slug for slug, _ in seen}
    near = find_nearest(key, known)
    hint = "" if near is None else f" Did you mean “{known[near]}”?"
    return NotFound(f"There is no project “{key}”, or you are not a member of it.{hint}")


class _ProjectGuard(Guard):
    """Resolves the project and the caller's role. Archived projects refuse changes by default."""

    def __init__(self, role: Role, *, archived_too: bool = False) -> None:
        self.policy = Policy(kind="member", role=role)
        self._role = role
        self._archived_too = archived_too

    async def _admit(
        self, project: str, request: Request, caller: Caller, session: Session, *, least: Role
    ) -> Member:
        async with inline(session):
            found = await Projects(session).find_with_role(project, user_id=caller.user_id)
        if found is None:
            raise await _not_found(project, caller, session)
        row, role = found
        request.state.project_id = row.id
        if role is None or not caller.reaches(row.id):
            request.state.is_denied = True
            raise await _not_found(project, caller, session)
        if row.requires_two_factor and not caller.has_second_factor:
            raise TwoFactorRequired
        if not role.includes(least):
            raise Forbidden(f"This needs the role {least} in the project; yours is {role}.")
        if least.includes(Role.ADMIN) and not is_reading(request):
            self._check_token(caller)
        if row.archived_at is not None and not is_reading(request) and not self._archived_too:
            raise Conflict("This project is archived. Unarchive it to make changes.")
        return Member(caller=caller, project=row, role=role)

    @staticmethod
    def _check_token(caller: Caller) -> None:
        if not caller.may_administer():
            raise Forbidden("Managing a project needs an access token of scope admin.")


class RequireRole(_ProjectGuard):
    """Requires at least the given role."""

    async def __call__(
        self,
        project: ProjectKey,
        request: Request,
        caller: Annotated[Caller, Depends(identify)],
        session: Session,
    ) -> Member:
        return await self._admit(project, request, caller, session, least=self._role)


class _RequireRoleWithoutTransaction(_ProjectGuard):
    """Like RequireRole, but holds no transaction while the endpoint does slow work."""

    async def __call__(
        self, project: ProjectKey, visit: Annotated[Visit, Depends(begin_visit)]
    ) -> Member:
        async with visit.database.read() as session:
            caller = await visit.recognise(session, may_write=False)
            return await self._admit(project, visit.request, caller, session, least=self._role)


class _RequireRoleOfReader(_RequireRoleWithoutTransaction):
    """For event streams. Limits concurrent checks, so that a thousand reconnecting readers do not
    delay other requests.
    """

    async def __call__(
        self, project: ProjectKey, visit: Annotated[Visit, Depends(begin_visit)]
    ) -> Member:
        limits: StreamLimits = visit.request.app.state.stream_limits
        async with limits.opening():
            return await super().__call__(project, visit)


class _RequireRoleUnlessSelf(_ProjectGuard):
    """Requires at least the given role, except for the caller's own membership."""

    async def __call__(
        self,
        project: ProjectKey,
        member_id: UUID,
        request: Request,
        caller: Annotated[Caller, Depends(identify)],
        session: Session,
    ) -> Member:
        is_self = await Members(session).is_of_user(member_id, caller.user_id)
        least = Role.VIEWER if is_self else self._role
        return await self._admit(project, request, caller, session, least=least)


Viewer = Annotated[Member, Depends(RequireRole(Role.VIEWER))]
Reviewer = Annotated[Member, Depends(RequireRole(Role.REVIEWER))]
Editor = Annotated[Member, Depends(RequireRole(Role.EDITOR))]
Admin = Annotated[Member, Depends(RequireRole(Role.ADMIN))]
Owner = Annotated[Member, Depends(RequireRole(Role.OWNER))]
# For slow read-only work, which archived projects allow.
ViewerWithoutTransaction = Annotated[
    Member, Depends(_RequireRoleWithoutTransaction(Role.VIEWER, archived_too=True))
]
StreamViewer = Annotated[Member, Depends(_RequireRoleOfReader(Role.VIEWER))]
EditorWithoutTransaction = Annotated[Member, Depends(_RequireRoleWithoutTransaction(Role.EDITOR))]
AdminWithoutTransaction = Annotated[Member, Depends(_RequireRoleWithoutTransaction(Role.ADMIN))]
AdminOfArchived = Annotated[Member, Depends(RequireRole(Role.ADMIN, archived_too=True))]
OwnerOfArchived = Annotated[Member, Depends(RequireRole(Role.OWNER, archived_too=True))]
AdminOrSelf = Annotated[Member, Depends(_RequireRoleUnlessSelf(Role.ADMIN, archived_too=True))]
