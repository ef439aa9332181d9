"""From the rows of a plan to runs: a run has every variant in every case, so tests that ask
different prompts or providers, or change the answers in different ways, go to runs of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from edison.evals.assertion_files import call_of
from edison.evals.errors import ConfigError
from edison.evals.plan import EvalColumn, EvalPlan, EvalRow, EvalTest
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.javascript import (
    JavaScriptError,
    parse_json,
    to_json,
)
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.promptfoo_prompt import render_promptfoo, resolved_values
from edison.pipeline.score.assertions.code import python_code
from edison.pipeline.score.assertions.model import TrustedPython
from edison.pipeline.score.sandbox.javascript import (
    JavaScriptFailed,
    JavaScriptFunction,
    run_javascript,
)

# A comment, so that a prompt is rendered as text even if it is JSON.
_AS_TEXT = "{##}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCell:
    """A row with the template that is rendered for it, and the values."""

    row: EvalRow
    template: str
    vars: Mapping[str, Any]

    def sent(self) -> str:
        """The prompt as it is sent; the template when it cannot be rendered."""
        try:
            return render_promptfoo(self.template, self.vars)
        except TemplateError:
            return self.template

    def shown(self) -> str:
        """The prompt as results show it: JSON without line breaks."""
        sent = self.sent()
        try:
            parse_json(self.template)
            return str(to_json(parse_json(sent)))
        except JavaScriptError:
            return sent


def resolved(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Values that refer to others, filled in where possible."""
    try:
        return resolved_values(values)
    except TemplateError:
        return values


@dataclass(slots=True, kw_only=True)
class CellGroup:
    """Cells that form one run: `columns` by `cases` by repeats. `cells` are by case position,
    column position and repeat.
    """

    columns: list[EvalColumn]
    templates: list[str]
    transform: str | None
    is_recorded: bool
    cases: list[tuple[EvalTest, Mapping[str, Any]]] = field(default_factory=list)
    cells: dict[tuple[int, int, int], EvalCell] = field(default_factory=dict)


async def group_cells(
    plan: EvalPlan, *, python: TrustedPython, renders_json: bool = True
) -> list[CellGroup]:
    """Raises ConfigError when a transform of variables or a prompt's function fails."""
    groups: dict[Any, CellGroup] = {}
    for test, rows in _by_test(plan.rows):
        values = await _transformed(test)
        parts: dict[str | None, list[EvalColumn]] = {}
        for column in {row.column.index: row.column for row in rows}.values():
            parts.setdefault(column.provider.transform, []).append(column)
        for transform, columns in parts.items():
            made, templates = await _templates(test, columns, values, python)
            if not renders_json:
                templates = [_AS_TEXT + each for each in templates]
            key = (tuple(each.index for each in columns), tuple(templates), test.output is not None)
            group = groups.get((key, transform))
            if group is None:
                group = groups[key, transform] = CellGroup(
                    columns=columns,
                    templates=templates,
                    transform=transform,
                    is_recorded=test.output is not None,
                )
            _add(group, test, made, rows)
    return list(groups.values())


def _by_test(rows: Sequence[EvalRow]) -> list[tuple[EvalTest, list[EvalRow]]]:
    found: dict[int, tuple[EvalTest, list[EvalRow]]] = {}
    for row in rows:
        found.setdefault(id(row.test), (row.test, []))[1].append(row)
    return list(found.values())


def _add(
    group: CellGroup, test: EvalTest, values: Mapping[str, Any], rows: Sequence[EvalRow]
) -> None:
    position = len(group.cases)
    group.cases.append((test, values))
    places = {column.index: at for at, column in enumerate(group.columns)}
    for row in rows:
        at = places.get(row.column.index)
        if at is not None:
            cell = EvalCell(row=row, template=group.templates[at], vars=values)
            group.cells[position, at, row.repeat] = cell


async def _transformed(test: EvalTest) -> Mapping[str, Any]:
    code = test.options.get("transformVars")
    if not isinstance(code, str):
        return test.vars
    body = code if "\n" in code else f"return {code}"
    function = JavaScriptFunction(body=body, names=("vars", "context", "process"))
    try:
        made = await run_javascript(function, {"vars": dict(test.vars), "context": {}})
    except JavaScriptFailed as failed:
        raise ConfigError(f"transformVars failed: {failed}", test.place) from failed
    if not isinstance(made, dict):
        raise ConfigError("transformVars must return an object.", test.place)
    return made


async def _templates(
    test: EvalTest,
    columns: Sequence[EvalColumn],
    values: Mapping[str, Any],
    python: TrustedPython,
) -> tuple[Mapping[str, Any], list[str]]:
    """Templates of the columns, and the values with what functions gave."""
    prefix, suffix = (str(test.options.get(name) or "") for name in ("prefix", "suffix"))
    made, templates = dict(values), []
    for column in columns:
        raw, function = column.prompt.raw, column.prompt.function
        if function is not None:
            name = f"prompt_of_{function.name}"
            code = python_code(call_of(function.file, function.name, "context"))
            context = {"vars": dict(values), "provider": {"id": column.provider.id}}
            try:
                found = await python.run(code, None, context)
            except ValueError as wrong:
                raise ConfigError(f"{raw} failed: {wrong}", column.prompt.place) from wrong
            made[name] = found if isinstance(found, str) else str(to_json(found))
            raw = f"{{{{ {name} }}}}"
        templates.append(f"{prefix}{raw}{suffix}")
    return made, templates
