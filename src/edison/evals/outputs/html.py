"""Results as one HTML file: a sortable table, intervals, no requests to anywhere."""

import base64
import hashlib
import json
from html import escape
from typing import Any

from edison.evals.outputs.comparison import comparison_lines
from edison.evals.results import ColumnMetrics, EvalResults, RowResult
from edison.pipeline.aggregate.wilson import wilson_interval

_WORDS = {"passed": "pass", "failed": "fail", "error": "error"}
_STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left;
  vertical-align: top; }
td { max-width: 40rem; overflow-wrap: anywhere; white-space: pre-wrap; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
.pass { color: #15803d; } .fail { color: #b91c1c; } .error { color: #b45309; }
@media (prefers-color-scheme: dark) {
  .pass { color: #4ade80; } .fail { color: #f87171; } .error { color: #fbbf24; }
}
"""
_SCRIPT = """
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0];
    const at = [...head.parentNode.children].indexOf(head);
    const isDown = head.getAttribute("aria-sort") === "ascending";
    for (const each of head.parentNode.children) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const key = (row) => row.cells[at].dataset.sort ?? row.cells[at].textContent;
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    const rows = [...body.rows].sort((a, b) => compare(key(a), key(b)) * (isDown ? -1 : 1));
    body.append(...rows);
  });
}
"""


def html_text(results: EvalResults) -> str:
    title = escape(results.plan.description or "Evaluation")
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    counts = (
        f"{results.count('passed')} of {len(results.rows)} rows passed, "
        f"{results.count('failed')} failed, {results.count('error')} errors. "
        f"Cost ${results.cost_usd:.4f}, {results.seconds:.1f} s."
    )
    told = [] if results.comparison is None else comparison_lines(results.comparison)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1><p>{escape(counts)}</p>",
        *(f"<p>{escape(each)}</p>" for each in told),
        _columns_table(results),
        _rows_table(results),
        f"<script>{_SCRIPT}</script></body></html>",
        "",
    ]
    return "\n".join(parts)


def _columns_table(results: EvalResults) -> str:
    names = ("Provider", "Prompt", "Pass rate", "95 % interval", "Mean score", "Errors", "Cost")
    return _table(names, [_column(each, results) for each in results.metrics()])


def _column(metrics: ColumnMetrics, results: EvalResults) -> list[str]:
    rows = [row for row in results.rows if row.cell.row.column.index == metrics.column.index]
    verdicts = [row for row in rows if row.status != "error"]
    share = metrics.passed / len(verdicts) if verdicts else 0.0
    mean = sum(row.score for row in verdicts) / len(verdicts) if verdicts else 0.0
    return [
        _cell(metrics.column.provider.name),
        _cell(metrics.column.prompt.label),
        _cell(f"{share * 100:.1f} %" if verdicts else "-", sort=share),
        _cell(_interval(rows)),
        _cell(f"{mean:.3f}" if verdicts else "-", sort=mean),
        _cell(str(metrics.errors)),
        _cell(f"${metrics.cost_usd:.4f}", sort=metrics.cost_usd),
    ]


def _interval(rows: list[RowResult]) -> str:
    """Of the pass rate over tests: the repeats of a test count as one."""
    by_test: dict[int, list[bool]] = {}
    for row in rows:
        if row.status != "error":
            passed = by_test.setdefault(id(row.cell.row.test), [])
            passed.append(row.status == "passed")
    if not by_test:
        return "-"
    successes = round(sum(sum(each) / len(each) for each in by_test.values()))
    found = wilson_interval(successes, len(by_test))
    return f"{found.low * 100:.1f} to {found.high * 100:.1f} %"


def _rows_table(results: EvalResults) -> str:
    names = ("Test", "Provider", "Prompt", "Verdict", "Score", "Answer", "Reason", "Cost", "ms")
    return _table(names, [_row(each) for each in results.rows])


def _row(row: RowResult) -> list[str]:
    test, column = row.cell.row.test, row.cell.row.column
    values = ", ".join(f"{name}: {_text(each)}" for name, each in row.cell.vars.items())
    name = test.description or values or f"Test {row.cell.row.test_index + 1}"
    is_error, word = row.status == "error", _WORDS[row.status]
    return [
        _cell(name, sort=row.cell.row.test_index),
        _cell(column.provider.name),
        _cell(column.prompt.label),
        f'<td class="{word}">{word}</td>',
        _cell(f"{row.score:.3f}", sort=row.score),
        _cell("" if is_error else _text(row.output)),
        _cell(row.error or "" if is_error else row.reason),
        _cell("" if row.cost_usd is None else f"${row.cost_usd:.6f}", sort=row.cost_usd or 0),
        _cell("" if row.latency_ms is None else f"{row.latency_ms:.0f}"),
    ]


def _table(names: tuple[str, ...], rows: list[list[str]]) -> str:
    head = "".join(
        f'<th scope="col"><button type="button">{escape(each)}</button></th>' for each in names
    )
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _cell(text: str, *, sort: float | None = None) -> str:
    key = "" if sort is None else f' data-sort="{sort:g}"'
    return f"<td{key}>{escape(text)}</td>"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
