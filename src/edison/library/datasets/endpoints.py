"""Routes for datasets."""

from edison.api.pagination import PageParams, Slice
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.library.datasets import service
from edison.library.datasets.models import Dataset
from edison.library.datasets.schemas import DatasetRead
from edison.workspace.projects.access import Viewer

router = api_router("/projects/{project}/datasets", tag="datasets")


@router.get("", response_model=Page[DatasetRead])
async def list_datasets(member: Viewer, page: PageParams, session: Session) -> Slice[Dataset]:
    """The project's datasets, the oldest first.

    Sort by `created_at` or `name`; `q` searches names.
    """
    return await service.list_datasets(session, project_id=member.project_id, page=page)
