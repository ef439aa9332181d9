"""What a member may do: the guards of every route below `/projects/{project}`.

What a caller may not see does not exist for them: no membership answers NotFound, exactly like a
project that was never made. Too small a role answers Forbidden. Both are written to the audit log.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Request

from edison.api.policy import Guard, Policy
from edison.api.session import Session, is_reading
from edison.kit.errors import Conflict, Forbidden, NotFound
from edison.workspace.accounts.access import Caller, identify
from edison.workspace.projects.models import Project, Role
from edison.workspace.projects.repository import Projects

ProjectKey = Annotated[str, Path(max_length=80, description="Slug or id of the project")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A caller inside one project, proven to have the role the route asked for."""

    caller: Caller
    project: Project
    role: Role

    @property
    def project_id(self) -> UUID:
        return self.project.id

    @property
    def user_id(self) -> UUID:
        return self.caller.user_id


class RequireRole(Guard):
    """Asks for a least role. Changes to an archived project are refused unless `archived_too`."""

    def __init__(self, role: Role, *, archived_too: bool = False) -> None:
        self.policy = Policy(kind="member", role=role)
        self._role = role
        self._archived_too = archived_too

    async def __call__(
        self,
        project: ProjectKey,
        request: Request,
        caller: Annotated[Caller, Depends(identify)],
        session: Session,
    ) -> Member:
        found = await Projects(session).find_with_role(project, user_id=caller.user_id)
        if found is None:
            raise NotFound("There is no such project, or you are not a member of it.")
        row, role = found
        request.state.project_id = row.id
        if role is None:
            request.state.is_denied = True
            raise NotFound("There is no such project, or you are not a member of it.")
        if not role.includes(self._role):
            raise Forbidden(f"This needs the role {self._role} in the project; yours is {role}.")
        if self._role.includes(Role.ADMIN) and not is_reading(request):
            self._check_token(caller)
        if row.archived_at is not None and not is_reading(request) and not self._archived_too:
            raise Conflict("This project is archived. Unarchive it to make changes.")
        return Member(caller=caller, project=row, role=role)

    @staticmethod
    def _check_token(caller: Caller) -> None:
        if not caller.may_administer():
            raise Forbidden("Managing a project needs an access token of scope admin.")


Viewer = Annotated[Member, Depends(RequireRole(Role.VIEWER))]
Reviewer = Annotated[Member, Depends(RequireRole(Role.REVIEWER))]
Editor = Annotated[Member, Depends(RequireRole(Role.EDITOR))]
Admin = Annotated[Member, Depends(RequireRole(Role.ADMIN))]
Owner = Annotated[Member, Depends(RequireRole(Role.OWNER))]
ViewerOfArchived = Annotated[Member, Depends(RequireRole(Role.VIEWER, archived_too=True))]
AdminOfArchived = Annotated[Member, Depends(RequireRole(Role.ADMIN, archived_too=True))]
OwnerOfArchived = Annotated[Member, Depends(RequireRole(Role.OWNER, archived_too=True))]
