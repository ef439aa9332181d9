"""FastAPI dependency that returns the process's open streams."""

from typing import Annotated

from fastapi import Depends, Request

from edison.workspace.live.service import Live


async def _live(request: Request) -> Live:
    found: Live = request.app.state.live
    return found


CurrentLive = Annotated[Live, Depends(_live)]
