"""A shape of records: which fields it has, and what each is in a case."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from edison.exchange.drafts import LeftOut
from edison.exchange.formats import FormatName
from edison.exchange.values import (
    expected_of,
    good_tags,
    inputs_of,
    json_text,
    labels_of,
    notes_of,
)
from edison.kit.lazy_dataclasses import dataclass

Record = Mapping[str, Any]

_UNKNOWN = "It is not a known field of this format."
_SPLITS = {
    "train": "train", "training": "train",
    "test": "holdout", "holdout": "holdout", "validation": "holdout", "eval": "holdout",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShape:
    """`marks`: a record with all fields of one of them has this shape; so has a row of a table with
    columns that begin with all prefixes of one of `columns`. `inputs`, `expected` and the
    others are names of fields, in order of preference. `ignored` has a reason for each field that
    is not imported.
    """

    key: FormatName
    marks: Sequence[frozenset[str]]
    inputs: Sequence[str]
    expected: Sequence[str]
    columns: Sequence[Sequence[str]] = ()
    more_inputs: Sequence[str] = ()
    metadata: Sequence[str] = ()
    tags: Sequence[str] = ()
    notes: Sequence[str] = ()
    split: Sequence[str] = ()
    dataset_name: str | None = None
    ignored: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[Record], Record | str] = lambda record: record
    """Changes a record before it is read, or says why it is left out."""

    def fits(self, record: Record) -> bool:
        return any(each <= record.keys() for each in self.marks) or any(
            all(any(name.startswith(prefix) for name in record) for prefix in prefixes)
            for prefixes in self.columns
        )

    def read(self, record: Record) -> tuple[dict[str, Any], list[LeftOut]] | LeftOut:
        """Fields of a case, and what has no place in one."""
        prepared = self.prepare(record)
        if isinstance(prepared, str):
            return LeftOut(what="record", reason=prepared)
        labels = _merged(prepared, self.metadata)
        tags, difficulty, rest = labels_of(labels)
        own, unusable = good_tags(_listed(_first(prepared, self.tags)))
        split, other_split = _split(_listed(_first(prepared, self.split)))
        notes = [_text(prepared[name]) for name in self.notes if prepared.get(name)]
        if unusable or other_split:
            rest["tags"] = [*unusable, *other_split]
        case = {
            "inputs": _inputs(prepared, self.inputs, self.more_inputs),
            "expected": expected_of(_first(prepared, self.expected)),
            "tags": [*own, *(each for each in tags if each not in own)][:20],
            "difficulty": difficulty,
            "split": split,
            "notes": notes_of(notes, rest),
        }
        return case, [*self._unused(prepared)]

    def _unused(self, record: Record) -> list[LeftOut]:
        used = {
            *self.inputs, *self.expected, *self.more_inputs, *self.metadata, *self.tags,
            *self.notes, *self.split, self.dataset_name,
        }  # fmt: skip
        return [
            LeftOut(what=name, reason=self.ignored.get(name, _UNKNOWN))
            for name, value in record.items()
            if name not in used and value not in (None, "", [], {})
        ]


def _inputs(record: Record, names: Sequence[str], more: Sequence[str]) -> dict[str, Any]:
    found = inputs_of(_first(record, names))
    for name in more:
        if record.get(name) not in (None, "", [], {}) and name not in found:
            found[name] = record[name]
    return found


def _first(record: Record, names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{name}: {each}" for name, each in value.items()]
    return value if isinstance(value, list) else [value]


def _merged(record: Record, names: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in names:
        value = record.get(name)
        if isinstance(value, dict):
            found |= value
        elif value is not None:
            found[name] = value
    return found


def _split(given: Sequence[Any]) -> tuple[str | None, list[str]]:
    named = [str(each).lower() for each in given]
    known = next((_SPLITS[each] for each in named if each in _SPLITS), None)
    return known, [each for each in named if each not in (*_SPLITS, "base")]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value)
