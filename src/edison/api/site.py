"""Edison's public URL, for links in mails and other external places."""

from typing import Annotated

from fastapi import Depends

from edison.api.session import CurrentSettings


async def read_site_url(settings: CurrentSettings) -> str:
    """Without a trailing slash. Never taken from the request, whose host is chosen by the
    client.
    """
    return settings.site_url


SiteUrl = Annotated[str, Depends(read_site_url)]
