"""The results of an evaluation as a table that fits the terminal."""

from typing import TYPE_CHECKING

from rich import box
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from edison.evals.results import EvalResults, RowResult

_MOST_ROWS = 25
_NARROWEST = 16
_MARKS = {"passed": "[green]PASS[/]", "failed": "[red]FAIL[/]", "error": "[yellow]ERROR[/]"}


def results_table(results: "EvalResults", *, width: int) -> Table:
    """One line per test and one column per prompt and provider, as many as fit."""
    columns = results.plan.columns
    most = max(1, (width - 2) // (_NARROWEST + 3) - 1)
    shown = columns[:most]
    room = max(_NARROWEST, (width - 2) // (len(shown) + 1) - 3)
    table = Table(box=box.SQUARE, show_lines=True, width=min(width, (room + 3) * (len(shown) + 1)))
    table.add_column("Test", max_width=room, overflow="fold")
    for column in shown:
        title = f"[{column.provider.name}] {column.prompt.label}"
        table.add_column(escape(_cut(title, room * 2)), max_width=room, overflow="fold")
    by_test: dict[int, dict[int, RowResult]] = {}
    for row in results.rows:
        by_test.setdefault(row.cell.row.test_index, {})[row.cell.row.column.index] = row
    for found in list(by_test.values())[:_MOST_ROWS]:
        first = next(iter(found.values()))
        cells = [_cell(found.get(column.index), room) for column in shown]
        table.add_row(escape(_cut(_name(first), room * 3)), *cells)
    hidden = [
        f"{len(by_test) - _MOST_ROWS} more tests" if len(by_test) > _MOST_ROWS else "",
        f"{len(columns) - len(shown)} more columns" if len(columns) > len(shown) else "",
    ]
    if any(hidden):
        table.caption = f"Not shown: {', '.join(filter(None, hidden))}. Use -o to write all."
    return table


def _name(row: "RowResult") -> str:
    test = row.cell.row.test
    values = ", ".join(f"{name}: {each}" for name, each in row.cell.vars.items())
    return test.description or values or f"Test {row.cell.row.test_index + 1}"


def _cell(row: "RowResult | None", room: int) -> str:
    if row is None:
        return "[dim]not asked[/]"
    text = f"{_MARKS[row.status]} {escape(_cut(_text(row), room * 2))}"
    if row.status == "failed":
        text += f"\n[dim]{escape(_cut(row.reason, room * 2))}[/]"
    return text


def _text(row: "RowResult") -> str:
    return str(row.error if row.status == "error" else row.output)


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def summary(results: "EvalResults") -> str:
    total = len(results.rows)
    passed, failed, wrong = (results.count(each) for each in ("passed", "failed", "error"))
    share = "" if not total else f" ({passed * 100 / total:.1f} %)"
    parts = [f"[green]{passed} passed[/]{share}"]
    if failed:
        parts.append(f"[red]{failed} failed[/]")
    if wrong:
        parts.append(f"[yellow]{wrong} {'error' if wrong == 1 else 'errors'}[/]")
    parts.append(f"${results.cost_usd:.4f}")
    parts.append(f"{results.seconds:.1f} s")
    if not results.run_ids:
        return " · ".join(parts)
    where = f"\n[dim]Project {results.project_slug}: " + ", ".join(map(str, results.run_ids))
    return " · ".join(parts) + where + "[/]"
