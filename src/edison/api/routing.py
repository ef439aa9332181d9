"""How slices declare their routes.

Routers are not nested: FastAPI would analyse every handler again for each level and each
application, which soon takes longer than all the rest of the start.
"""

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from edison.api.body_complexity import TooComplex, check_complexity
from edison.kit.errors import EdisonError

PREFIX = "/api/v1"
# In a route's `openapi_extra`; `app/openapi.py` replaces it by responses.
RAISES = "x-raises"


class BoundedRoute(APIRoute):
    """Refuses JSON with too many parts or levels before it is parsed."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def handle_bounded(request: Request) -> Response:
            if "json" in request.headers.get("content-type", ""):
                try:
                    check_complexity(await request.body(), path=request.scope["path"])
                except TooComplex as refused:
                    problem = {"type": "too_complex", "loc": ("body",), "msg": str(refused)}
                    raise RequestValidationError([problem]) from refused
            return await handle(request)

        return handle_bounded


def api_router(prefix: str = "", *, tag: str, root: str = PREFIX, **options: Any) -> APIRouter:
    """A router below `/api/v1`. Handlers' names become operation ids and must be unique."""
    return APIRouter(
        prefix=root + prefix,
        tags=[tag],
        generate_unique_id_function=_operation_id,
        route_class=BoundedRoute,
        **options,
    )


def raises(*categories: type[EdisonError]) -> dict[str, Any]:
    """For a route's `openapi_extra`: error categories that do not follow from its method, policy
    and parameters, such as a Conflict on GET or a budget that is used up.
    """
    return {RAISES: [category.code for category in categories]}


def json_response(body: Any) -> Response:
    """For pages of hundreds of objects, which FastAPI would validate again. The service that
    makes `body` has to; the route names the schema as its `response_model` all the same.
    """
    return Response(orjson.dumps(body), media_type="application/json")


def _operation_id(route: APIRoute) -> str:
    return route.name
