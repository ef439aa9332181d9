"""Rows of tables as JSON and back, by the types and constraints of their columns.

Derived from the tables, so a new column is exported and imported without further code. References
to users, processes and projects are never exported: an import sets the project and leaves the
others empty.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache, cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    Integer,
    SmallInteger,
    String,
    Table,
    Uuid,
)
from sqlalchemy.orm import DeclarativeBase, class_mapper

from edison.db.base import UtcDateTime
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.models import TagList
from edison.loops.bundles.errors import BundleRefused
from edison.loops.bundles.identities import Identities

Record = Mapping[str, Any]
DEEPEST_JSON = 100
_NEVER = frozenset({"users", "worker_processes", "projects"})
_ONE_OF = re.compile(r"(\w+) IN \((.*)\)")
_BETWEEN = re.compile(r"(\w+) BETWEEN (\d+) AND (\d+)")
_AT_LEAST = re.compile(r"(\w+) >= (\d+)")
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


class _Wrong(ValueError):
    """What is wrong with a value, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    column: Column[Any]
    choices: frozenset[str] | None
    low: float
    high: float


class ColumnCodec:
    """Converts rows of one table, which it describes at its first use. `leave_out` are columns that
    the caller writes itself.
    """

    def __init__(self, table: type[DeclarativeBase], *leave_out: str) -> None:
        self.table = table
        self._leave_out = leave_out

    @cached_property
    def _fields(self) -> Mapping[str, _Field]:
        described = self._described
        return {
            column.key: _field(column, described)
            for column in described.columns
            if column.key not in self._leave_out and not _targets(column) & _NEVER
        }

    @cached_property
    def _cleared(self) -> Collection[str]:
        return {
            column.key
            for column in self._described.columns
            if column.key not in self._leave_out and column.nullable and _targets(column) & _NEVER
        }

    @property
    def _described(self) -> Table:
        return class_mapper(self.table).local_table  # type: ignore[return-value]  # no joins

    def encode(self, row: Any) -> dict[str, Any]:
        return {name: _encoded(getattr(row, name)) for name in self._fields}

    def decode(self, record: Record, *, place: str, identities: Identities) -> dict[str, Any]:
        """Values for an insert. Missing fields are null or have the column's default, and unknown
        fields are ignored: a later version may have written them. Raises BundleRefused.
        """
        values: dict[str, Any] = dict.fromkeys(self._cleared)
        for name, field in self._fields.items():
            if name not in record and field.column.default is not None:
                continue
            try:
                values[name] = _decoded(record.get(name), field, identities)
            except _Wrong as wrong:
                raise BundleRefused(place, f"{name}: {wrong}", code="bad_value") from wrong
        return values


@cache
def codec(table: type[DeclarativeBase], *leave_out: str) -> ColumnCodec:
    return ColumnCodec(table, *leave_out)


def uuid_of(record: Record, name: str, *, place: str) -> UUID:
    """An id that the record must have. Raises BundleRefused."""
    try:
        return UUID(record.get(name))
    except (TypeError, ValueError, AttributeError) as wrong:
        raise BundleRefused(place, f"{name}: This is not an id.", code="bad_value") from wrong


def _targets(column: Column[Any]) -> set[str]:
    return {key.target_fullname.split(".")[0] for key in column.foreign_keys}


def _field(column: Column[Any], table: Table) -> _Field:
    choices: frozenset[str] | None = None
    low, high = -math.inf, math.inf
    for constraint in table.constraints:
        if not isinstance(constraint, CheckConstraint):
            continue
        said = str(constraint.sqltext)
        if (found := _ONE_OF.fullmatch(said)) and found[1] == column.key:
            choices = frozenset(re.findall(r"'([^']*)'", found[2]))
        elif (found := _BETWEEN.fullmatch(said)) and found[1] == column.key:
            low, high = float(found[2]), float(found[3])
        elif (found := _AT_LEAST.fullmatch(said)) and found[1] == column.key:
            low = float(found[2])
    return _Field(column=column, choices=choices, low=low, high=high)


def _encoded(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value


def _decoded(value: Any, field: _Field, identities: Identities) -> Any:
    column = field.column
    if value is None:
        if not column.nullable:
            raise _Wrong("This value is missing.")
        return None
    for kind, read in _READERS:
        if isinstance(column.type, kind):
            return read(value, field, identities)
    raise TypeError(f"{column} cannot be imported.")


def _read_id(value: Any, field: _Field, identities: Identities) -> UUID | None:
    try:
        old = UUID(value)
    except (TypeError, ValueError, AttributeError) as wrong:
        raise _Wrong("This is not an id.") from wrong
    column = field.column
    if column.primary_key and not column.foreign_keys:
        return identities.renew(old)
    found = identities.find(old)
    if found is None and not column.nullable:
        raise _Wrong("The bundle does not contain what this id refers to.")
    return found


def _read_moment(value: Any, field: _Field, identities: Identities) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError) as wrong:
        raise _Wrong("This is not a time.") from wrong
    if moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise _Wrong("This is not a time with a time zone, from 1970 on.")
    return moment.astimezone(UTC)


def _read_bool(value: Any, field: _Field, identities: Identities) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("This must be true or false.")
    return value


def _read_int(value: Any, field: _Field, identities: Identities) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Wrong("This must be a whole number.")
    bits = 15 if isinstance(field.column.type, SmallInteger) else 31
    bits = 63 if isinstance(field.column.type, BigInteger) else bits
    if not max(field.low, -(2**bits)) <= value <= min(field.high, 2**bits - 1):
        raise _Wrong("This number is out of range.")
    return value


def _read_float(value: Any, field: _Field, identities: Identities) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _Wrong("This must be a number.")
    if not math.isfinite(value) or not field.low <= value <= field.high:
        raise _Wrong("This number is out of range.")
    return float(value)


def _read_text(value: Any, field: _Field, identities: Identities) -> str:
    if not isinstance(value, str):
        raise _Wrong("This must be a text.")
    length = getattr(field.column.type, "length", None)
    if length is not None and len(value) > length:
        raise _Wrong(f"This text may have {length} characters.")
    if field.choices is not None and value not in field.choices:
        raise _Wrong(f"This must be one of {', '.join(sorted(field.choices))}.")
    return _clean(value)


def _read_tags(value: Any, field: _Field, identities: Identities) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _Wrong("This must be a list of texts.")
    if any("\n" in each for each in value):
        raise _Wrong("Tags have no line breaks.")
    return [_clean(each) for each in value]


def _read_json(value: Any, field: _Field, identities: Identities) -> Any:
    _check_json(value)
    return identities.remap(value)


def _check_json(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(DEEPEST_JSON):
        below: list[Any] = []
        for each in level:
            if isinstance(each, str):
                _clean(each)
            elif isinstance(each, dict):
                below += [*each, *each.values()]
            elif isinstance(each, list):
                below += each
        if not below:
            return
        level = below
    raise _Wrong(f"Values may be nested {DEEPEST_JSON} levels deep.")


def _clean(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise _Wrong("This text holds a NUL character or half a character.")
    return text


_Reader = Callable[[Any, _Field, Identities], Any]
# The first kind that fits; subclasses come before their bases.
_READERS: Sequence[tuple[type[Any], _Reader]] = (
    (TagList, _read_tags),
    (UtcDateTime, _read_moment),
    (Uuid, _read_id),
    (JSON, _read_json),
    (Boolean, _read_bool),
    (Integer, _read_int),
    (Float, _read_float),
    (String, _read_text),
)
