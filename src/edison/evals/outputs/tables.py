"""Results as tables: CSV in promptfoo's form, and Markdown."""

import csv
import io
import json
from typing import Any

from edison.evals.outputs.comparison import comparison_lines
from edison.evals.results import EvalResults, RowResult

_WORDS = {"passed": "PASS", "failed": "FAIL", "error": "ERROR"}
_AFTER_ANSWER = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")
_LONGEST = 120


def _by_test(results: EvalResults) -> list[dict[int, RowResult]]:
    found: dict[int, dict[int, RowResult]] = {}
    for row in results.rows:
        found.setdefault(row.cell.row.test_index, {})[row.cell.row.column.index] = row
    return list(found.values())


def csv_text(results: EvalResults) -> str:
    """One line per test: its variables, and five cells for each prompt and provider."""
    columns = results.plan.columns
    names = list(dict.fromkeys(name for row in results.rows for name in row.cell.vars))
    has_description = any(row.cell.row.test.description for row in results.rows)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    header = [*(["Description"] if has_description else []), *names]
    for column in columns:
        header += [f"[{column.provider.name}] {column.prompt.label}", *_AFTER_ANSWER]
    writer.writerow(header)
    for found in _by_test(results):
        first = next(iter(found.values()))
        cells = [first.cell.row.test.description or ""] if has_description else []
        cells += [_value(first.cell.vars.get(name, "")) for name in names]
        for column in columns:
            cells += _cells(found.get(column.index))
        writer.writerow(cells)
    return file.getvalue()


def _cells(row: RowResult | None) -> list[str]:
    if row is None:
        return [""] * (1 + len(_AFTER_ANSWER))
    named = json.dumps(dict(row.named_scores)) if row.named_scores else ""
    answer = row.error or "" if row.status == "error" else _value(row.output)
    reason = row.error or "" if row.status == "error" else row.reason
    return [answer, _WORDS[row.status], f"{row.score:.2f}", named, reason, ""]


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def markdown_text(results: EvalResults) -> str:
    """A summary and one line per test, for pull requests and step summaries."""
    columns = results.plan.columns
    total = len(results.rows)
    counts = (
        f"{results.count('passed')} of {total} passed, {results.count('failed')} failed, "
        f"{results.count('error')} errors. Cost ${results.cost_usd:.4f}."
    )
    lines = [f"# {results.plan.description or 'Evaluation'}", "", counts, ""]
    if results.comparison is not None:
        lines += [f"- {_escaped(each)}" for each in comparison_lines(results.comparison)] + [""]
    titles = [_cell(f"{each.provider.name}: {each.prompt.label}") for each in columns]
    lines.append("| Test | " + " | ".join(titles) + " |")
    lines.append("|---" * (len(columns) + 1) + "|")
    for found in _by_test(results):
        first = next(iter(found.values()))
        values = ", ".join(f"{name}: {_value(each)}" for name, each in first.cell.vars.items())
        name = _cell(first.cell.row.test.description or values)
        cells = [_verdict(found.get(column.index)) for column in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _verdict(row: RowResult | None) -> str:
    if row is None:
        return ""
    text = row.error or "" if row.status == "error" else _value(row.output)
    return f"**{_WORDS[row.status]}** {_cell(text)}"


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _cell(text: str) -> str:
    line = _escaped(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
