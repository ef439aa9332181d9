"""How slices declare their routes.

Routers are not nested: FastAPI would analyse every handler again for each level and each
application, which soon takes longer than all the rest of the start.
"""

from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute

PREFIX = "/api/v1"


def api_router(prefix: str = "", *, tag: str, root: str = PREFIX, **options: Any) -> APIRouter:
    """A router below `/api/v1`. Handlers' names become operation ids and must be unique."""
    return APIRouter(
        prefix=root + prefix, tags=[tag], generate_unique_id_function=_operation_id, **options
    )


def _operation_id(route: APIRoute) -> str:
    return route.name
