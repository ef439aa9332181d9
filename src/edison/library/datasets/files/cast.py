"""Converts a row to the contents of a case, or to problems with line and column."""

import re
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, TypeVar

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import CaseContents, Origin, Split, check
from edison.library.datasets.files import promptfoo
from edison.library.datasets.files.json_records import parse_value
from edison.library.datasets.files.mapping import ColumnMapping, ColumnTarget
from edison.library.datasets.files.problems import Row, RowProblem
from edison.pipeline.render.values import value_text

_BETWEEN_TAGS = re.compile(r"[,;|\n]")
_DIFFICULTIES = {"easy": 1, "medium": 3, "hard": 5}
_SPLITS = {"test": Split.HOLDOUT, "validation": Split.HOLDOUT, "training": Split.TRAIN}
Word = TypeVar("Word", bound=StrEnum)


class _Unfit(ValueError):
    """A cell that does not fit its target; the message says why."""


@dataclass(slots=True, kw_only=True)
class _Draft:
    inputs: dict[str, Any] = field(default_factory=dict)
    expected: str | None = None
    tags: list[str] = field(default_factory=list)
    difficulty: int | None = None
    split: Split | None = None
    origin: Origin | None = None
    notes: list[str] = field(default_factory=list)


def cast(
    row: Row, mapping: Sequence[ColumnMapping], *, more_tags: Sequence[str] = ()
) -> CaseContents | list[RowProblem]:
    """The case with `more_tags` added, or all problems of the row."""
    if row.problem is not None:
        return [row.problem]
    draft = _Draft()
    problems = []
    for each in mapping:
        try:
            _put(draft, each, row)
        except _Unfit as unfit:
            problems.append(_problem(row, str(unfit), "bad_value", column=each.column))
    contents = CaseContents(
        inputs=draft.inputs,
        expected=draft.expected,
        tags=tuple(dict.fromkeys([*draft.tags, *more_tags])),
        difficulty=draft.difficulty,
        split=draft.split,
        origin=draft.origin,
        notes="\n".join(draft.notes) or None,
    )
    columns = {each.variable: each.column for each in mapping if each.variable is not None}
    for wrong in check(contents):
        variable = wrong.field.removeprefix("inputs.")
        column = columns.get(variable) or _column_of(wrong.field, mapping)
        problems.append(_problem(row, wrong.message, wrong.code, column=column))
    return problems or contents


def _column_of(target: str, mapping: Sequence[ColumnMapping]) -> str | None:
    return next((each.column for each in mapping if each.target == target), None)


def _put(draft: _Draft, mapped: ColumnMapping, row: Row) -> None:
    if mapped.column not in row.values:
        return
    value = row.values[mapped.column]
    if mapped.is_json and isinstance(value, str):
        if not value.strip():
            return
        value = _parse(value)
    if mapped.target is ColumnTarget.EXPECTED:
        draft.expected = _expected(value, is_json=mapped.is_json or row.is_json)
    elif mapped.target is ColumnTarget.VARIABLE:
        draft.inputs[mapped.variable or ""] = value
    else:
        _set_metadata(draft, mapped.target, value)


def _set_metadata(draft: _Draft, target: ColumnTarget, value: Any) -> None:
    """Set fields other than inputs and expected answer."""
    match target:
        case ColumnTarget.ASSERTION:
            _put_assertion(draft, value)
        case ColumnTarget.TAGS:
            draft.tags += _tags(value)
        case ColumnTarget.DIFFICULTY:
            draft.difficulty = _difficulty(value)
        case ColumnTarget.SPLIT:
            draft.split = _SPLITS.get(_word(value)) or _one_of(Split, value)
        case ColumnTarget.ORIGIN:
            draft.origin = _one_of(Origin, value)
        case ColumnTarget.NOTES if text := _text(value):
            draft.notes.append(text)


def _parse(text: str) -> Any:
    try:
        return parse_value(text)
    except ValueError as wrong:
        raise _Unfit(f"This cell should hold JSON: {wrong}") from wrong


def _expected(value: Any, *, is_json: bool) -> str | None:
    """An empty text cell means no expected answer; in JSON, `""` expects an empty answer."""
    if value is None or (value == "" and not is_json):
        return None
    return value_text(value)


def _put_assertion(draft: _Draft, value: Any) -> None:
    expected, note = promptfoo.read_assertion(value_text(value) if value is not None else "")
    if expected is not None and draft.expected is None:
        draft.expected = expected
    elif expected is not None:
        draft.notes.append(f"promptfoo check: equals: {expected}")
    if note is not None:
        draft.notes.append(note)


def _tags(value: Any) -> list[str]:
    parts = value if isinstance(value, list) else _BETWEEN_TAGS.split(_text(value))
    return [tag for part in parts if (tag := _text(part).strip())]


def _difficulty(value: Any) -> int | None:
    word = _word(value)
    if not word:
        return None
    if word in _DIFFICULTIES:
        return _DIFFICULTIES[word]
    if not re.fullmatch(r"[1-5](?:\.0)?", word):
        raise _Unfit(f"{word[:40]!r} is not a difficulty from 1 to 5.")
    return int(word[0])


def _one_of(words: type[Word], value: Any) -> Word | None:
    word = _word(value)
    if not word:
        return None
    if word not in list(words):
        known = ", ".join(words)
        raise _Unfit(f"{word[:40]!r} is not one of: {known}.")
    return words(word)


def _word(value: Any) -> str:
    return _text(value).strip().lower()


def _text(value: Any) -> str:
    return "" if value is None else value_text(value)


def _problem(row: Row, message: str, code: str, *, column: str | None) -> RowProblem:
    return RowProblem(line=row.line, message=message, code=code, column=column)
