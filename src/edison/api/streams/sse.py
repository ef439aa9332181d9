"""The server-sent events format, and the cursor that a client sends as `Last-Event-ID`."""

import random
from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from fastapi import Depends, Header, Query

from edison.api.streams.event_log import LARGEST_CURSOR, Cursor
from edison.kit.errors import FieldProblem, Invalid

# Browsers reconnect after a random time between the two, to spread the load.
RETRY_MILLISECONDS = (2000, 5000)
HEARTBEAT = b": heartbeat\n\n"


async def read_start(
    last_event_id: Annotated[
        str | None,
        Header(description="Number of the last event received; the stream continues after it"),
    ] = None,
    after: Annotated[
        str | None, Query(description="Same, for clients that cannot set headers")
    ] = None,
) -> Cursor | None:
    """The client's cursor; None begins with the next event."""
    if last_event_id is not None:
        return _parse_cursor(last_event_id, field="Last-Event-ID")
    return None if after is None else _parse_cursor(after, field="after")


StartAfter = Annotated[Cursor | None, Depends(read_start)]


def _parse_cursor(text: str, *, field: str) -> Cursor:
    # At most 19 digits: parsing long numbers is slow.
    if text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= LARGEST_CURSOR:
        return int(text)
    raise Invalid(FieldProblem(field=field, message="Enter an event number.", code="bad_number"))


def encode(kind: str, data: Mapping[str, Any], *, number: Cursor | None = None) -> bytes:
    place = b"" if number is None else b"id: %d\n" % number
    # JSON contains no line breaks, which would end the field.
    return place + b"event: %s\ndata: %s\n\n" % (kind.encode(), orjson.dumps(dict(data)))


def encode_start(cursor: Cursor) -> bytes:
    """An id without data sets the client's cursor without being an event."""
    retry = random.randint(*RETRY_MILLISECONDS)  # noqa: S311 - no secret
    return b"retry: %d\nid: %d\n: connected\n\n" % (retry, cursor)
