"""Results as an Excel workbook: one sheet of columns, one of rows.

Texts are stored as inline strings, so that no answer can become a formula.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

from edison.evals.results import EvalResults
from edison.kit import xml_text

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
# The most that Excel shows in a cell, and the most rows of a sheet.
_LONGEST_CELL = 32_767
_MOST_ROWS = 1_048_576
# Files of the same results are equal.
_DATE = (1980, 1, 1, 0, 0, 0)

Cell = str | float | int | None


def workbook_bytes(results: EvalResults) -> bytes:
    sheets = {"Columns": _columns(results), "Rows": _rows(results)}
    numbers = range(1, len(sheets) + 1)
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{number}.xml" '
            f'ContentType="{_TYPES}.worksheet+xml"/>'
            for number in numbers
        )
        + "</Types>",
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
            for number, name in enumerate(sheets, start=1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
        ),
    }
    for number, rows in enumerate(sheets.values(), start=1):
        files[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows[:_MOST_ROWS])
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, date_time=_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, _HEAD + text)
    return made.getvalue()


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    parts = "".join(
        f'<Relationship Id="rId{number}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{parts}</Relationships>'


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'


def _cell(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if not isinstance(value, str):
        return f"<c><v>{value!r}</v></c>"
    text = xml_text.text(value[:_LONGEST_CELL])
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _columns(results: EvalResults) -> list[list[Cell]]:
    rows: list[list[Cell]] = [["Provider", "Prompt", "Passed", "Failed", "Errors", "Cost (USD)"]]
    for each in results.metrics():
        name, label = each.column.provider.name, each.column.prompt.label
        rows.append([name, label, each.passed, each.failed, each.errors, each.cost_usd])
    return rows


def _rows(results: EvalResults) -> list[list[Cell]]:
    names = list(dict.fromkeys(name for row in results.rows for name in row.cell.vars))
    head = ["Test", "Description", *names, "Provider", "Prompt", "Verdict", "Score", "Answer"]
    rows: list[list[Cell]] = [[*head, "Reason", "Cost (USD)", "Milliseconds"]]
    for row in results.rows:
        place = row.cell.row
        is_error = row.status == "error"
        rows.append(
            [
                place.test_index + 1,
                place.test.description,
                *(_value(row.cell.vars.get(name)) for name in names),
                place.column.provider.name,
                place.column.prompt.label,
                row.status,
                float(row.score),
                None if is_error else _value(row.output),
                row.error if is_error else row.reason,
                row.cost_usd,
                row.latency_ms,
            ]
        )
    return rows


def _value(value: Any) -> Cell:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
