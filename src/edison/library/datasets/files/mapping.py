"""Mapping from columns of a file to fields of a case: guessed first, then confirmed by the user.

Exact names take precedence: `expected`, `tags`, `difficulty`, `split`, `origin` and `notes` map to
the fields, `inputs.x` is the variable `x`, and `x:json` holds JSON instead of text. Exports use
these names, so they can be imported as they are. Other names are guessed from common usage.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import LONGEST_VARIABLE_NAME, is_variable_name
from edison.library.datasets.files import promptfoo
from edison.library.datasets.files.rows import GROUPS


class ColumnTarget(StrEnum):
    VARIABLE = "variable"
    EXPECTED = "expected"
    TAGS = "tags"
    DIFFICULTY = "difficulty"
    SPLIT = "split"
    ORIGIN = "origin"
    NOTES = "notes"
    ASSERTION = "assertion"
    IGNORED = "ignored"


# Targets for at most one column. Several columns may hold tags, but not the expected answer.
_SINGLE = (ColumnTarget.EXPECTED, ColumnTarget.DIFFICULTY, ColumnTarget.SPLIT, ColumnTarget.ORIGIN)
EXACT = ("expected", "tags", "difficulty", "split", "origin", "notes")
JSON_SUFFIX = ":json"
_USUAL = {
    "expected_output": ColumnTarget.EXPECTED,
    "expected_answer": ColumnTarget.EXPECTED,
    "expectedanswer": ColumnTarget.EXPECTED,
    "expectedoutput": ColumnTarget.EXPECTED,
    "ideal": ColumnTarget.EXPECTED,
    "reference": ColumnTarget.EXPECTED,
    "ground_truth": ColumnTarget.EXPECTED,
    "target": ColumnTarget.EXPECTED,
    "answer": ColumnTarget.EXPECTED,
    "output": ColumnTarget.EXPECTED,
    "completion": ColumnTarget.EXPECTED,
    "tag": ColumnTarget.TAGS,
    "category": ColumnTarget.TAGS,
    "categories": ColumnTarget.TAGS,
    "labels": ColumnTarget.TAGS,
    "level": ColumnTarget.DIFFICULTY,
    "set": ColumnTarget.SPLIT,
    "comment": ColumnTarget.NOTES,
    "comments": ColumnTarget.NOTES,
    "note": ColumnTarget.NOTES,
    "description": ColumnTarget.NOTES,
    "id": ColumnTarget.IGNORED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """`variable` is the variable's name, for that target; `is_json`: the text is parsed as JSON."""

    column: str
    target: ColumnTarget
    variable: str | None = None
    is_json: bool = False


def guess_mapping(columns: Sequence[str]) -> list[ColumnMapping]:
    """One entry per column, in order. Always valid for `check_mapping`, unless no column is left
    for a variable.
    """
    taken = {ColumnTarget(_plain(name)) for name in columns if _plain(name) in EXACT}
    if any(promptfoo.is_assertion_column(name) for name in columns):
        taken.add(ColumnTarget.EXPECTED)
    variables: set[str | None] = set()
    mapping = []
    for name in columns:
        guessed = _guess_exact(name) or _guess_usual(name, taken) or _as_variable(name)
        if guessed.target is ColumnTarget.VARIABLE and guessed.variable in variables:
            guessed = ColumnMapping(column=name, target=ColumnTarget.IGNORED)
        taken.add(guessed.target)
        variables.add(guessed.variable)
        mapping.append(guessed)
    return mapping


def _plain(name: str) -> str:
    return name.lower().removesuffix(JSON_SUFFIX)


def _guess_exact(name: str) -> ColumnMapping | None:
    is_json = name.lower().endswith(JSON_SUFFIX)
    if _plain(name) in EXACT:
        return ColumnMapping(column=name, target=ColumnTarget(_plain(name)), is_json=is_json)
    group, dot, _ = name.partition(".")
    if dot and group.lower() in GROUPS:
        return _as_variable(name)
    return _guess_promptfoo(name)


def _guess_promptfoo(name: str) -> ColumnMapping | None:
    if promptfoo.is_assertion_column(name):
        return ColumnMapping(column=name, target=ColumnTarget.ASSERTION)
    if promptfoo.is_ignored_column(name):
        return ColumnMapping(column=name, target=ColumnTarget.IGNORED)
    if name.lower() in promptfoo.NOTES:
        return ColumnMapping(column=name, target=ColumnTarget.NOTES)
    is_metadata = name.lower().startswith(promptfoo.METADATA)
    return _guess_metadata(name) if is_metadata else None


def _guess_metadata(name: str) -> ColumnMapping:
    """promptfoo's metadata is for filtering, as tags are."""
    key = name[len(promptfoo.METADATA) :].removesuffix("[]").lower()
    target = ColumnTarget.DIFFICULTY if key == "difficulty" else ColumnTarget.TAGS
    return ColumnMapping(column=name, target=target)


def _guess_usual(name: str, taken: set[ColumnTarget]) -> ColumnMapping | None:
    target = _USUAL.get(re.sub(r"[\s-]+", "_", name.strip().lower()))
    if target is None or (target in _SINGLE and target in taken):
        return None
    return ColumnMapping(column=name, target=target)


def _as_variable(name: str) -> ColumnMapping:
    is_json = name.lower().endswith(JSON_SUFFIX)
    bare = name[: -len(JSON_SUFFIX)] if is_json else name
    group, dot, member = bare.partition(".")
    if dot and group.lower() in GROUPS:
        bare = member
    return ColumnMapping(
        column=name, target=ColumnTarget.VARIABLE, variable=variable_name(bare), is_json=is_json
    )


def variable_name(text: str) -> str:
    """A variable name that templates can reference, as close to the column's name as possible."""
    if is_variable_name(text):
        return text
    name = re.sub(r"\W+", "_", text.strip()).strip("_").lower() or "value"
    name = name if not name[0].isdigit() else f"_{name}"
    return name[:LONGEST_VARIABLE_NAME] if is_variable_name(name) else "value"


def check_mapping(
    mapping: Sequence[ColumnMapping], *, columns: Sequence[str], required: Sequence[str] = ()
) -> None:
    """Raises Invalid naming each column or variable at fault."""
    problems = [*_check_columns(mapping, columns), *_check_targets(mapping)]
    variables = {each.variable for each in mapping if each.target is ColumnTarget.VARIABLE}
    if not variables:
        problems.append(_problem("Map at least one column to a variable.", "no_variable"))
    for name in required:
        if name not in variables:
            problems.append(_problem(f"No column is mapped to {{{{{name}}}}}.", "missing_variable"))
    if problems:
        raise Invalid(*problems)


def _check_columns(mapping: Sequence[ColumnMapping], columns: Sequence[str]) -> list[FieldProblem]:
    named = [each.column for each in mapping]
    problems = [
        _problem(f"The file has no column {name!r}.", "unknown_column")
        for name in named
        if name not in columns
    ]
    twice = sorted({name for name in named if named.count(name) > 1})
    problems += [_problem(f"The column {name!r} is mapped twice.", "repeated") for name in twice]
    return problems


def _check_targets(mapping: Sequence[ColumnMapping]) -> list[FieldProblem]:
    problems = []
    targets = [each.target for each in mapping]
    for target in _SINGLE:
        if targets.count(target) > 1:
            problems.append(_problem(f"Only one column can be the {target}.", "repeated"))
    variables = [each.variable for each in mapping if each.target is ColumnTarget.VARIABLE]
    for name in dict.fromkeys(variables):
        if name is None or not is_variable_name(name):
            problems.append(
                _problem(
                    f"{name or ''!r} cannot be a variable: use letters, digits and underscores.",
                    "bad_name",
                )
            )
        elif variables.count(name) > 1:
            problems.append(_problem(f"Two columns are mapped to {{{{{name}}}}}.", "repeated"))
    return problems


def _problem(message: str, code: str) -> FieldProblem:
    return FieldProblem(field="mapping", message=message, code=code)
