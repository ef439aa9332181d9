"""Every router of every slice, under `/api/v1`."""

from fastapi import APIRouter

from edison.api.schema import ErrorBody
from edison.library.datasets.endpoints import router as datasets
from edison.workspace.accounts.endpoints import router as accounts
from edison.workspace.accounts.single_sign_on.endpoints import router as single_sign_on
from edison.workspace.live.endpoints import router as live
from edison.workspace.projects.endpoints.audit import router as audit
from edison.workspace.projects.endpoints.invitations import router as invitations
from edison.workspace.projects.endpoints.members import router as members
from edison.workspace.projects.endpoints.projects import router as projects

api = APIRouter(
    prefix="/api/v1",
    responses={
        "4XX": {"model": ErrorBody, "description": "Refused; the body says why"},
        "5XX": {"model": ErrorBody, "description": "Failed; the body holds a trace id"},
    },
)
for router in (accounts, single_sign_on, projects, members, invitations, audit, live, datasets):
    api.include_router(router)
