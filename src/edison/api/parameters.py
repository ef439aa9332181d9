"""Parameters of a request that are read into one object."""

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import Depends


def read_into(kind: Callable[..., Any]) -> Any:
    """A dependency that makes the object of what its constructor asks for.

    `Depends(kind)` would do so in a thread, for which each request would have to wait.
    """

    async def read(**parameters: Any) -> Any:
        return kind(**parameters)

    signature = inspect.signature(kind, eval_str=True)
    read.__signature__ = signature.replace(return_annotation=kind)  # type: ignore[attr-defined]
    return Depends(read)
