"""Posts JSON through the guarded client. Only 2xx counts, and no redirect is followed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from edison.pipeline.generate.addresses import check_url
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.workspace.deliveries.channel import SendResult, shorten_answer
from edison.workspace.deliveries.transport import Transport

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound_session import OutboundResponse

TIMEOUT_SECONDS = 15
_MOST_READ_BYTES = 4096
_GONE = 410
_TOO_MANY = 429


def read_host(url: str, transport: Transport) -> str:
    """The host of an allowed URL. Raises AddressRefused."""
    return check_url(url, transport.network).host


async def post_json(
    transport: Transport, url: str, body: bytes, *, headers: Mapping[str, str]
) -> SendResult:
    client = transport.open_client()
    sent = {"Content-Type": "application/json", "User-Agent": "edison", **headers}
    try:
        async with await client.send(
            "POST", url, headers=sent, body=body, timeout_seconds=TIMEOUT_SECONDS
        ) as response:
            return _result(response, await _read_beginning(response))
    except OutboundFailed as failed:
        return SendResult(
            failure=str(failed), is_unavailable=failed.fault is not OutboundFault.REFUSED
        )
    finally:
        await client.close()


async def _read_beginning(response: "OutboundResponse") -> bytes:
    """The status alone decides, so an answer that breaks off or does not end is no failure."""
    read = b""
    if "Content-Encoding" in response.headers:
        return read
    try:
        async for chunk in response.chunks():
            read += chunk[:_MOST_READ_BYTES]
            if len(read) >= _MOST_READ_BYTES:
                break
    except OutboundFailed:
        pass
    return read


def _result(response: "OutboundResponse", content: bytes) -> SendResult:
    status = response.status
    failure = None
    if response.is_redirect:
        failure = f"The receiver answered {status}; redirects are not followed."
    elif not 200 <= status < 300:
        failure = f"The receiver answered {status}."
    return SendResult(
        failure=failure,
        status=status,
        answer=shorten_answer(content),
        is_gone=status == _GONE,
        is_unavailable=status >= 500 or status == _TOO_MANY,
    )
