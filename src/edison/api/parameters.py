"""Request parameters that are read into one object."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

from fastapi import Depends, Query
from fastapi.params import Param
from pydantic.fields import FieldInfo

from edison.api.pagination import MAX_PAGE, PageRequest
from edison.api.schema import CleanText


def read_into(kind: Callable[..., Any]) -> Any:
    """A dependency that constructs `kind` from the request parameters its constructor declares.
    Parameters with a `Field` are read from the query string: schemas do not know of HTTP, which is
    slow to import for commands.

    `Depends(kind)` would run the constructor in the thread pool and delay each request.
    """
    return Depends(_Reader(kind))


class _Reader:
    """Looks at the constructor when FastAPI analyses the route."""

    def __init__(self, kind: Callable[..., Any]) -> None:
        self._kind = kind

    async def __call__(self, **parameters: Any) -> Any:
        return self._kind(**parameters)

    @property
    def __signature__(self) -> inspect.Signature:
        parameters = inspect.signature(self._kind, eval_str=True).parameters.values()
        return inspect.Signature(
            [each.replace(annotation=_in_query(each.annotation)) for each in parameters],
            return_annotation=self._kind,
        )


def _in_query(annotation: Any) -> Any:
    """Adds a `Query` with what FastAPI does not read from a `Field`."""
    if get_origin(annotation) is not Annotated:
        return annotation
    fields = [each for each in get_args(annotation)[1:] if isinstance(each, FieldInfo)]
    if not fields or any(isinstance(each, Param) for each in fields):
        return annotation
    told = fields[-1]
    return Annotated[annotation, Query(alias=told.alias, description=told.description)]


async def read_page_request(
    cursor: Annotated[
        str | None, Query(max_length=1000, description="`next` of the previous page")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 20,
    q: Annotated[CleanText | None, Query(max_length=200, description="Search text")] = None,
    sort: Annotated[
        str | None, Query(max_length=50, description="Prefix `-` for descending order")
    ] = None,
) -> PageRequest:
    return PageRequest(limit=limit, cursor=cursor, q=(q or "").strip() or None, sort=sort)


PageParams = Annotated[PageRequest, Depends(read_page_request)]
