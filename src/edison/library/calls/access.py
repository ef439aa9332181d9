"""FastAPI dependency that returns the process's gateway."""

from typing import Annotated

from fastapi import Depends, Request

from edison.library.calls.gateway import Gateway


async def _get_gateway(request: Request) -> Gateway:
    gateway: Gateway = request.app.state.gateway
    return gateway


CurrentGateway = Annotated[Gateway, Depends(_get_gateway)]
