"""Calls to a provider: bounded in time and size, following no redirects, answering JSON or failing.

Redirects could carry the client secret elsewhere; an endless body could fill the memory.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed

if TYPE_CHECKING:
    import aiohttp

TIMEOUT_SECONDS = 10
MOST_BYTES = 256 * 1024


async def fetch_json(
    url: str,
    *,
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Any:
    """GET, or POST when there is a form. Raises SignInFailed for anything but JSON and 2xx.

    A 4xx answer to a POST is JSON too, in which the provider says what it did not like.
    """
    import aiohttp  # noqa: PLC0415 - a tenth of the start, which most installations do without

    try:
        async with (
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept": "application/json", "User-Agent": "edison"},
            ) as client,
            client.request(
                "GET" if form is None else "POST",
                url,
                data=form,
                headers=headers,
                allow_redirects=False,
            ) as response,
        ):
            body = await _read(response)
            if len(body) > MOST_BYTES:
                raise aiohttp.ClientPayloadError("body too large")
    except (aiohttp.ClientError, TimeoutError, OSError) as failed:
        raise SignInFailed(
            Failure.UNAVAILABLE, f"{_place(url)} did not answer: {type(failed).__name__}"
        ) from failed
    is_refusal = form is not None and response.status in (400, 401, 403)
    if response.status != 200 and not is_refusal:
        raise SignInFailed(Failure.UNAVAILABLE, f"{_place(url)} answered {response.status}")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as broken:
        raise SignInFailed(Failure.UNAVAILABLE, f"{_place(url)} did not send JSON") from broken


async def _read(response: "aiohttp.ClientResponse") -> bytes:
    """The body, or a little more than the most that is allowed of it."""
    body = b""
    async for chunk in response.content.iter_chunked(16 * 1024):
        body += chunk
        if len(body) > MOST_BYTES:
            break
    return body


def _place(url: str) -> str:
    """The address without its query."""
    return url.partition("?")[0]
