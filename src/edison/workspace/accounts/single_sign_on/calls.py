"""Calls to an identity provider: bounded in time and size, without redirects, JSON or failure.

They leave through the guarded client of model calls: the operator names the issuer, which may be in
a private network, but what its documents point to is never a metadata service, and never reached
over the internet without encryption.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import orjson

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.fault import OutboundFailed
from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed

TIMEOUT_SECONDS = 10
MOST_BYTES = 256 * 1024
POLICY = NetworkPolicy(allow_loopback=True, allow_private=True)
HEADERS = {"Accept": "application/json", "User-Agent": "edison"}


async def fetch_json(
    url: str,
    *,
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Any:
    """GET, or POST when there is a form. Raises SignInFailed for anything but JSON and 2xx.

    A 4xx answer to a POST is JSON too, in which the provider says what it did not like.
    """
    from edison.pipeline.generate.outbound import OutboundClient

    sent = HEADERS | dict(headers or {})
    if form is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    client = OutboundClient(POLICY, max_response_bytes=MOST_BYTES)
    try:
        async with await client.send(
            "GET" if form is None else "POST",
            url,
            headers=sent,
            body=None if form is None else urlencode(form).encode(),
            timeout_seconds=TIMEOUT_SECONDS,
        ) as response:
            body = await response.read()
    except OutboundFailed as failed:
        raise SignInFailed(
            Failure.UNAVAILABLE, f"{_place(url)} did not answer: {failed.fault}"
        ) from failed
    finally:
        await client.close()
    is_refusal = form is not None and response.status in (400, 401, 403)
    if response.status != 200 and not is_refusal:
        raise SignInFailed(Failure.UNAVAILABLE, f"{_place(url)} answered {response.status}")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as broken:
        raise SignInFailed(Failure.UNAVAILABLE, f"{_place(url)} did not send JSON") from broken


def _place(url: str) -> str:
    """The address without its query."""
    return url.partition("?")[0]
