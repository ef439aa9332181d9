"""Results as JUnit XML: one suite per prompt and provider, one case per test."""

from collections.abc import Sequence
from datetime import UTC, datetime

from edison.evals.plan import EvalColumn
from edison.evals.results import EvalResults, RowResult
from edison.kit.xml_text import attribute, text

_MILLISECONDS = 1000


def junit_text(results: EvalResults) -> str:
    failed, wrong = results.count("failed"), results.count("error")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites errors="{wrong}" failures="{failed}" name="promptfoo" skipped="0" '
        f'tests="{len(results.rows)}" time="{results.seconds:.3f}">',
    ]
    for column in results.plan.columns:
        rows = [row for row in results.rows if row.cell.row.column.index == column.index]
        lines += _suite(column, rows)
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(column: EvalColumn, rows: Sequence[RowResult]) -> list[str]:
    name = attribute(f"[{column.provider.name}] prompt {column.index + 1}")
    seconds = sum(row.latency_ms or 0 for row in rows) / _MILLISECONDS
    wrong = sum(row.status == "error" for row in rows)
    failed = sum(row.status == "failed" for row in rows)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    begin = (
        f'  <testsuite errors="{wrong}" failures="{failed}" name={name} skipped="0" '
        f'tests="{len(rows)}" time="{seconds:.3f}" timestamp="{now}">'
    )
    return [begin, *(_case(name, row) for row in rows), "  </testsuite>"]


def _case(suite: str, row: RowResult) -> str:
    number, test = row.cell.row.test_index + 1, row.cell.row.test
    name = attribute(f"test {number}: {test.description}" if test.description else f"test {number}")
    seconds = (row.latency_ms or 0) / _MILLISECONDS
    begin = f'    <testcase classname={suite} name={name} time="{seconds:.3f}">'
    if row.status == "passed":
        return f"{begin}</testcase>"
    if row.status == "error":
        body = text(row.error or "")
        inner = f'      <error message={attribute(row.error or "")} type="error">{body}</error>'
    else:
        kinds = [each.type for each in row.components if not each.is_passed and each.type]
        shown = "\n".join(f"- {each}" for each in kinds)
        body = text(f"Score: {row.score:g}\nReason: {row.reason}\nFailed assertions:\n{shown}")
        inner = f'      <failure message={attribute(row.reason)} type="assertion">{body}</failure>'
    return f"{begin}\n{inner}\n    </testcase>"
