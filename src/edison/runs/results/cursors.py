"""Cursors for lists that are sorted in memory."""

import base64
import binascii

import orjson

from edison.kit.errors import FieldProblem, Invalid


def cursor_of(*place: float) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode()


def place_of(cursor: str, count: int) -> tuple[float, ...]:
    """Decodes a cursor of `count` numbers. Raises Invalid."""
    try:
        place = tuple(float(each) for each in orjson.loads(base64.urlsafe_b64decode(cursor)))
    except (ValueError, TypeError, OverflowError, binascii.Error) as broken:
        raise _bad() from broken
    if len(place) != count:
        raise _bad()
    return place


def _bad() -> Invalid:
    message = "This page link does not fit the list; start again from the first page."
    return Invalid(FieldProblem(field="cursor", message=message, code="bad_cursor"))
