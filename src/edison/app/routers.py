"""Every router of every slice, under `/api/v1`."""

from fastapi import APIRouter

from edison.api.schema import ErrorBody
from edison.workspace.accounts.endpoints import router as accounts
from edison.workspace.live.endpoints import router as live

api = APIRouter(
    prefix="/api/v1",
    responses={
        "4XX": {"model": ErrorBody, "description": "Refused; the body says why"},
        "5XX": {"model": ErrorBody, "description": "Failed; the body holds a trace id"},
    },
)
for router in (accounts, live):
    api.include_router(router)
