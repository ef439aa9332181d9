"""Request parameters that are read into one object."""

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import Depends


def read_into(kind: Callable[..., Any]) -> Any:
    """A dependency that constructs `kind` from the request parameters its constructor declares.

    `Depends(kind)` would run the constructor in the thread pool and delay each request.
    """

    async def read(**parameters: Any) -> Any:
        return kind(**parameters)

    signature = inspect.signature(kind, eval_str=True)
    read.__signature__ = signature.replace(return_annotation=kind)  # type: ignore[attr-defined]
    return Depends(read)
