"""Router factory and route declarations of slices.

Routers are not nested: FastAPI would analyse every handler again for each level and each
application, which would dominate start-up time.
"""

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.routing import Match, compile_path
from starlette.types import Receive, Scope, Send

from edison.api.body_complexity import TooComplex, check_complexity
from edison.kit.errors import EdisonError

PREFIX = "/api/v1"
# Key in a route's `openapi_extra`; `app/openapi.py` replaces it with responses.
RAISES = "x-raises"
# Attributes that only matching a path needs.
_PATTERN = {"path_regex", "path_format", "param_convertors"}


class BoundedRoute(APIRoute):
    """Rejects JSON bodies with too many parts or levels before parsing them.

    FastAPI analyses its handler when it is first needed: analysing all of them takes a sixth of a
    start, and most are never called. The pattern of its path is compiled when a path begins alike.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        # What finds a request's route and its guards.
        self.path = path
        self.endpoint = endpoint
        self._beginning = path.partition("{")[0]
        self.methods = {method.upper() for method in options["methods"]}
        self.name = options["name"] or endpoint.__name__
        self.dependencies = list(options["dependencies"] or ())
        self.app = self._handle_first
        self._options = options

    def __getattr__(self, name: str) -> Any:
        """Called for attributes that are not set: the others are set by the analysis."""
        if "_options" not in self.__dict__:
            raise AttributeError(name)
        if name in _PATTERN:
            self.path_regex, self.path_format, self.param_convertors = compile_path(self.path)
        else:
            self._analyse()
        return getattr(self, name)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        # Behind a mount, the path of the route comes after that of the mount.
        if not scope.get("root_path") and not scope["path"].startswith(self._beginning):
            return Match.NONE, {}
        return super().matches(scope)

    def _analyse(self) -> None:
        options = self.__dict__.pop("_options")
        super().__init__(self.path, self.endpoint, **options)

    async def _handle_first(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "_options" in self.__dict__:
            self._analyse()
        await self.app(scope, receive, send)

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
    """A router below `/api/v1`. Handler names become operation ids and must be unique."""
    return APIRouter(
        prefix=root + prefix,
        tags=[tag],
        generate_unique_id_function=_operation_id,
        route_class=BoundedRoute,
        **options,
    )


def raises(*categories: type[EdisonError]) -> dict[str, Any]:
    """For a route's `openapi_extra`: error categories that do not follow from its method, policy
    and parameters, such as Conflict on GET or an exhausted budget.
    """
    return {RAISES: [category.code for category in categories]}


def json_response(body: Any) -> Response:
    """Skips FastAPI's second validation, for pages of hundreds of objects. The service that builds
    `body` must validate it; the route still declares the schema as its `response_model`.
    """
    return Response(orjson.dumps(body), media_type="application/json")


def _operation_id(route: APIRoute) -> str:
    return route.name
