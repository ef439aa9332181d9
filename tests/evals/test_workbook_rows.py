"""Tests in Excel workbooks, as promptfoo reads them."""

import zipfile
from pathlib import Path

import pytest

from edison.evals.errors import ConfigError, Place
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.evals.workbook_rows import read_workbook

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHARED = f"""<sst {MAIN}><si><t>word</t></si>
<si><r><t>two </t></r><r><t>runs</t></r><rPh><t>read so</t></rPh></si></sst>"""
STYLES = f"""<styleSheet {MAIN}><numFmts>
<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>
<numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>
</styleSheet>"""
FIRST = """<row r="1"><c r="A1" t="s"><v>0</v></c>
<c r="C1" t="inlineStr"><is><t>__expected</t></is></c></row>
<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" t="str"><v>contains: two</v></c></row>
<row r="3"><c r="A3"/></row>
<row r="4"><c r="A4"><v>42</v></c><c r="B4" t="b"><v>1</v></c></row>"""
SECOND = (
    """<row><c s="1"><v>46344</v></c><c s="2"><v>46344.5</v></c><c s="3"><v>1.5</v></c></row>"""
)
PLACE = Place("tests.xlsx")
CONFIG = "prompts: ['say {{word}}']\nproviders: [echo]\ntests: file://tests.xlsx\n"


def workbook(folder: Path, *, first: str = FIRST) -> Path:
    path = folder / "tests.xlsx"
    sheets = {"Cases": first, "Dates": SECOND}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(sheets, 1)
    )
    targets = "".join(
        f'<Relationship Id="rId{at}" Type="t" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, 3)
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook {MAIN} xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        )
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{targets}</Relationships>")
        archive.writestr("xl/sharedStrings.xml", SHARED)
        archive.writestr("xl/styles.xml", STYLES)
        for at, rows in enumerate(sheets.values(), 1):
            sheet = f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"
            archive.writestr(f"xl/worksheets/sheet{at}.xml", sheet)
    return path


def test_texts_numbers_and_gaps_are_read_and_empty_rows_left_out(tmp_path: Path) -> None:
    assert read_workbook(workbook(tmp_path), None, PLACE) == [
        ["word", "", "__expected"],
        ["two runs", "", "contains: two"],
        ["42", "true"],
    ]


@pytest.mark.parametrize("sheet", ["Dates", "2"])
def test_a_sheet_is_chosen_by_name_or_number_and_dates_are_written_out(
    tmp_path: Path, sheet: str
) -> None:
    found = read_workbook(workbook(tmp_path), sheet, PLACE)
    assert found == [["2026-11-18", "2026-11-18T12:00:00", "1.5"]]


def test_its_rows_are_tests(tmp_path: Path) -> None:
    workbook(tmp_path)
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    tests = [row.test for row in read_plan(EvalRequest(folder=tmp_path)).rows]
    assert [(test.description, test.vars) for test in tests] == [
        ("Row #1", {"word": "two runs"}),
        ("Row #2", {"word": "42"}),
    ]
    assert [len(test.assertions) for test in tests] == [1, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("tests.xlsx#Other", "There is no sheet “Other”. The workbook has “Cases”, “Dates”."),
        ("tests.xlsx#3", "There is no sheet “3”."),
        ("broken.xlsx", "broken.xlsx: This is not a valid Excel workbook (.xlsx)."),
        ("tests.xlsx#Dates", "The sheet has no tests"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, change: str, message: str) -> None:
    workbook(tmp_path)
    (tmp_path / "broken.xlsx").write_bytes(b"not a workbook")
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.replace("tests.xlsx", change))
    with pytest.raises(ConfigError) as refused:
        read_plan(EvalRequest(folder=tmp_path))
    assert message in refused.value.message


@pytest.mark.parametrize(
    "first", ["<row><c t='s'><v>9</v></c></row>", "<row>", "<row><c r='ZZZZ1'/></row>"]
)
def test_damaged_sheets_are_refused(tmp_path: Path, first: str) -> None:
    with pytest.raises(ConfigError, match="not a valid Excel workbook"):
        read_workbook(workbook(tmp_path, first=first), None, PLACE)
