"""The address under which people reach Edison, for links that leave it."""

from typing import Annotated

from fastapi import Depends

from edison.api.session import CurrentSettings


async def read_site_url(settings: CurrentSettings) -> str:
    """Without a trailing slash. Never from the request: clients choose its host."""
    return settings.site_url


SiteUrl = Annotated[str, Depends(read_site_url)]
