"""Database-independent JSON encoding of column values, for backups.

UUIDs are 32 hex digits, as SQLite stores them; there a UUID column cannot be distinguished from
text. JSON columns stay text, since parsing would lose large numbers and the difference between NULL
and `null`.
"""

import base64
import math
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import types

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """For non-NULL values; `decode` raises ValueError or TypeError for invalid input."""

    type: type[types.TypeEngine[Any]]
    encode: Callable[[Any], str | int | float]
    decode: Callable[[Any], Any]


def _encode_time(value: datetime) -> str:
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    return aware.astimezone(UTC).isoformat()


def _encode_float(value: float) -> float | str:
    # JSON has no infinity.
    return value if math.isfinite(value) else repr(value)


def _exactly(kind: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{kind.__name__} was expected")
        return value

    return check


# The first match wins: a Float is also a Numeric.
_CODECS = (
    Codec(type=types.Uuid, encode=lambda value: str(value.hex), decode=UUID),
    Codec(type=types.DateTime, encode=_encode_time, decode=datetime.fromisoformat),
    Codec(type=types.Date, encode=lambda value: value.isoformat(), decode=date.fromisoformat),
    Codec(type=types.JSON, encode=str, decode=_exactly(str)),
    Codec(type=types.Boolean, encode=bool, decode=_exactly(bool)),
    Codec(type=types.Integer, encode=int, decode=_exactly(int)),
    Codec(type=types.Float, encode=_encode_float, decode=float),
    Codec(type=types.Numeric, encode=str, decode=Decimal),
    Codec(
        type=types.LargeBinary,
        encode=lambda value: base64.b64encode(value).decode(),
        decode=lambda text: base64.b64decode(text, validate=True),
    ),
    Codec(type=types.String, encode=str, decode=_exactly(str)),
)


def codec_for(column_type: types.TypeEngine[Any]) -> Codec:
    for codec in _CODECS:
        if isinstance(column_type, codec.type):
            return codec
    raise NotImplementedError(f"Backups cannot hold columns of type {column_type!r} yet.")
