"""Evaluates the assertions of a row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.nunjucks.template import render_nunjucks
from edison.pipeline.score.assertions.aggregate import Sum
from edison.pipeline.score.assertions.code import transformed
from edison.pipeline.score.assertions.model import (
    Assertion,
    AssertionRow,
    AssertionVerdict,
    Check,
    RowError,
    Services,
    Unsupported,
)
from edison.pipeline.score.assertions.registry import handler_of

NO_ASSERTIONS = "No assertions"
NO_OUTPUT = "No output"


async def evaluate_row(
    assertions: Sequence[Assertion], row: AssertionRow, *, threshold: Any = None, services: Services
) -> AssertionVerdict:
    """The verdict of a row, with the verdicts of its assertions. The transform of the provider
    comes before that of the test. Raises RowError.
    """
    if row.output is None:
        return AssertionVerdict(is_passed=False, score=0.0, reason=NO_OUTPUT)
    given = row.output
    own = row.options.get("transform") or row.options.get("postprocess")
    for code in (row.options.get("providerTransform"), own):
        if isinstance(code, str):
            row = replace(row, output=await transformed(code, row.output, row))
    verdict = await _verdict(assertions, row, threshold, services)
    return verdict if row.output is given else replace(verdict, output=row.output)


async def _verdict(
    assertions: Sequence[Assertion], row: AssertionRow, threshold: Any, services: Services
) -> AssertionVerdict:
    if not assertions:
        return AssertionVerdict(is_passed=True, score=1.0, reason=NO_ASSERTIONS)
    whole = Sum(threshold=threshold)
    for assertion in assertions:
        if assertion.members is None:
            verdict = await _evaluate(assertion, row, services)
        else:
            part = Sum(threshold=assertion.threshold)
            for member in assertion.members:
                verdict = await _evaluate(member, row, services)
                part.add(verdict, metric=verdict.metric, weight=member.weight)
            verdict = replace(part.verdict(), metric=_metric(assertion, row))
        whole.add(verdict, metric=verdict.metric, weight=assertion.weight)
    return whole.verdict()


async def _evaluate(
    assertion: Assertion, row: AssertionRow, services: Services
) -> AssertionVerdict:
    output = row.output
    if assertion.transform:
        output = await transformed(assertion.transform, output, row)
    handle = handler_of(assertion.base_type)
    try:
        value = _filled(assertion.value, row)
    except TemplateError as wrong:
        raise RowError(f"The value cannot be rendered: {wrong}") from wrong
    check = Check(assertion=assertion, value=value, output=output, row=row, services=services)
    verdict = await handle(check)
    return replace(
        verdict,
        is_passed=verdict.is_passed or assertion.weight == 0,
        type=assertion.type,
        metric=_metric(assertion, row),
    )


def _filled(value: Any, row: AssertionRow) -> Any:
    """Variables are filled in in texts and in the texts of a list, not in objects."""
    if isinstance(value, str):
        if value.startswith("file://"):
            raise Unsupported("Values in files are not supported here.")
        return render_nunjucks(value, row.vars)
    if isinstance(value, list):
        return [
            render_nunjucks(each, row.vars) if isinstance(each, str) else each for each in value
        ]
    return value


def _metric(assertion: Assertion, row: AssertionRow) -> str | None:
    if assertion.metric is None:
        return None
    try:
        return render_nunjucks(assertion.metric, row.vars)
    except TemplateError:
        return assertion.metric
