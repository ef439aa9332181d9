"""Endpoints for the tags of a project's datasets and cases."""

from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.library.datasets import tags
from edison.library.datasets.schemas.tags import CaseTagChange, CaseTagRead, CaseTagResult
from edison.workspace.projects.access import Editor, Viewer

router = api_router("/projects/{project}/case-tags", tag="datasets")


@router.get("")
async def list_case_tags(member: Viewer, session: Session) -> Page[CaseTagRead]:
    """Lists the tags of datasets and cases, with the number of cases per dataset. Archived datasets
    do not count.
    """
    items = await tags.list_tags(session, project_id=member.project_id)
    return Page(items=items, next=None, total=len(items))


@router.post("/change")
async def change_case_tags(body: CaseTagChange, member: Editor, session: Session) -> CaseTagResult:
    """Renames, merges or removes tags of all datasets and their cases. Each dataset's `undo`
    reverts the change of its cases.
    """
    return await tags.change_tags(
        session, project_id=member.project_id, author_id=member.user_id, wanted=body
    )
