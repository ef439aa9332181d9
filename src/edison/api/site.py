"""The address under which people reach Edison, for links that leave it."""

from typing import Annotated

from fastapi import Depends, Request

from edison.api.session import CurrentSettings


async def read_site_url(request: Request, settings: CurrentSettings) -> str:
    """The configured address, else the one that this request used; without a slash at the end."""
    return settings.public_url or str(request.base_url).rstrip("/")


SiteUrl = Annotated[str, Depends(read_site_url)]
