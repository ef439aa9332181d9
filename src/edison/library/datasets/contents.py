"""Validation of a case's contents, shared by forms, imports and generation.

A case has `inputs` (variable -> any JSON value), an expected answer, tags, a difficulty, a split,
an origin and notes. Texts may contain line breaks and tabs but no other control characters:
PostgreSQL refuses NUL, and the others indicate a file read with the wrong encoding.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

from edison.kit.errors import FieldProblem
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.template import Syntax, parse

MOST_VARIABLES = 100
LONGEST_VARIABLE_NAME = 100
LONGEST_CASE = 1_000_000
LONGEST_NOTES = 10_000
MOST_TAGS = 20
LONGEST_TAG = 50
DEEPEST_VALUE = 20
SMALLEST_INTEGER, LARGEST_INTEGER = -(2**63), 2**64 - 1

_UNWELCOME = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_TAG = re.compile(r"[^,;|\s](?:[^,;|\r\n\t]*[^,;|\s])?")


class Split(StrEnum):
    TRAIN = "train"
    HOLDOUT = "holdout"


class Origin(StrEnum):
    GOLDEN = "golden"
    SYNTHETIC = "synthetic"
    ADVERSARIAL = "adversarial"
    QUESTIONS = "questions"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseContents:
    """The user-editable contents of a case. `split` None: assigned; `origin` None: that of the
    dataset.
    """

    inputs: Mapping[str, Any]
    expected: str | None = None
    tags: tuple[str, ...] = ()
    difficulty: int | None = None
    split: Split | None = None
    origin: Origin | None = None
    notes: str | None = None


def check(contents: CaseContents) -> list[FieldProblem]:
    """All problems of a case; empty when it is valid."""
    problems = [*_check_inputs(contents.inputs), *check_tags(contents.tags, noun="case")]
    for field, text in (("expected", contents.expected), ("notes", contents.notes)):
        if text is not None and (named := name_unwelcome(text)):
            problems.append(_problem(field, f"This text holds {named}.", "control_character"))
    if len(contents.notes or "") > LONGEST_NOTES:
        problems.append(
            _problem("notes", f"Notes may have {LONGEST_NOTES:,} characters.", "too_long")
        )
    if contents.difficulty is not None and not 1 <= contents.difficulty <= 5:
        problems.append(_problem("difficulty", "A difficulty is 1, 2, 3, 4 or 5.", "out_of_range"))
    if _size(contents) > LONGEST_CASE:
        problems.append(
            _problem("inputs", f"A case may have {LONGEST_CASE:,} characters.", "too_long")
        )
    return problems


@lru_cache(maxsize=1000)
def is_variable_name(name: str) -> bool:
    """Whether templates can reference the name."""
    is_short = len(name) <= LONGEST_VARIABLE_NAME
    return is_short and parse("{{" + name + "}}", Syntax.DOUBLE).names() == [name]


def name_unwelcome(text: str) -> str | None:
    """The kind of a forbidden character in the text, in words; None when there is none."""
    found = _UNWELCOME.search(text)
    if found is None:
        return None
    code = ord(found[0])
    if code == 0:
        return "a NUL character"
    if code >= 0xD800:
        return f"half a character (lone surrogate U+{code:04X})"
    return f"a control character (U+{code:04X})"


def _check_inputs(inputs: Mapping[str, Any]) -> Iterator[FieldProblem]:
    if not inputs:
        yield _problem("inputs", "A case needs at least one variable.", "empty")
    if len(inputs) > MOST_VARIABLES:
        yield _problem("inputs", f"A case may have {MOST_VARIABLES} variables.", "too_many")
    for name, value in inputs.items():
        if not is_variable_name(name):
            yield _problem(
                "inputs",
                f"{name[:100]!r} cannot be a variable: use letters, digits and underscores.",
                "bad_name",
            )
        elif (wrong := _find_wrong(value, depth=1)) is not None:
            yield _problem(f"inputs.{name}", *wrong)


def _find_wrong(value: Any, *, depth: int) -> tuple[str, str] | None:
    if isinstance(value, str):
        named = name_unwelcome(value)
        return None if named is None else (f"This text holds {named}.", "control_character")
    if isinstance(value, float) and not math.isfinite(value):
        return "This number is not finite.", "bad_number"
    if isinstance(value, int) and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return "This number has more than 64 bits; write it as text.", "bad_number"
    if not isinstance(value, list | dict):
        return None
    if depth > DEEPEST_VALUE:
        return f"Values may be nested {DEEPEST_VALUE} levels deep.", "too_deep"
    parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    found = (_find_wrong(part, depth=depth + 1) for part in parts)
    return next((wrong for wrong in found if wrong is not None), None)


def check_tags(tags: Sequence[str], *, noun: str) -> Iterator[FieldProblem]:
    """Problems of the tags of a case or a dataset."""
    if len(tags) > MOST_TAGS:
        yield _problem("tags", f"A {noun} may have {MOST_TAGS} tags.", "too_many")
    for tag in tags:
        if (wrong := find_wrong_tag(tag)) is not None:
            yield _problem("tags", wrong, "bad_tag")


def find_wrong_tag(tag: str) -> str | None:
    """Commas, semicolons and bars separate tags in files, so tags must not contain them."""
    if len(tag) > LONGEST_TAG:
        return f"The tag {tag[:20]!r}… is longer than {LONGEST_TAG} characters."
    if not _TAG.fullmatch(tag) or name_unwelcome(tag):
        return f"{tag!r} cannot be a tag: leave out commas, semicolons, bars and line breaks."
    return None


def _size(contents: CaseContents) -> int:
    texts = [contents.expected or "", contents.notes or ""]
    waiting: list[Any] = [dict(contents.inputs)]
    size = 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        size += 1
    return size + sum(map(len, texts))


def _problem(field: str, message: str, code: str) -> FieldProblem:
    return FieldProblem(field=field, message=message, code=code)
