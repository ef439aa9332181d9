"""Files of results that people open: HTML, Excel, the summary of a CI step."""

import re
import zipfile
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from edison.cli.eval_watch import state_of
from edison.evals.cells import EvalCell
from edison.evals.errors import ConfigError
from edison.evals.outputs.write import add_step_summary, check_paths, write_results
from edison.evals.plan import EvalColumn, EvalPlan, EvalPrompt, EvalProvider, EvalRow, EvalTest
from edison.evals.request import EvalRequest
from edison.evals.results import EvalResults, RowResult

HOSTILE = (
    '</td><script src="https://example.org/a.js">alert(1)</script><img src=x onerror=alert(1)>'
)
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def results_of(answers: Sequence[str]) -> EvalResults:
    """The answers of one column; the first passes."""
    prompt = EvalPrompt(raw=HOSTILE, label=HOSTILE)
    column = EvalColumn(index=0, prompt=prompt, provider=EvalProvider(id=HOSTILE))
    rows = []
    for at, answer in enumerate(answers):
        test = EvalTest(number=at, vars={"q": HOSTILE}, description=f"{HOSTILE} {at}")
        cell = EvalCell(
            row=EvalRow(test_index=at, column=column, test=test), template="", vars=test.vars
        )
        status = "passed" if at == 0 else "failed"
        rows.append(
            RowResult(cell=cell, status=status, score=1.0 - at, reason=HOSTILE, output=answer)
        )
    plan = EvalPlan(
        description=HOSTILE, columns=[column], rows=[row.cell.row for row in rows], config={}
    )
    return EvalResults(plan=plan, rows=rows, run_ids=[])


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Mapping[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_html_file_asks_for_nothing_and_shows_answers_as_text(tmp_path: Path) -> None:
    write_results(results_of([HOSTILE, "second"]), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    page = Tags(text)
    assert [tag for tag, _ in page.found].count("script") == 1
    assert not {"img", "link", "iframe", "object"} & {tag for tag, _ in page.found}
    assert not [names for _, names in page.found if {"src", "href", "onerror"} & names.keys()]
    assert HOSTILE in page.texts
    policy = next(names["content"] for _, names in page.found if "http-equiv" in names)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    # 1 of 2: Wilson's interval.
    assert "9.5 to 90.5 %" in page.texts
    assert [names for tag, names in page.found if tag == "button"]


def test_the_workbook_has_texts_and_numbers_and_no_formulas(tmp_path: Path) -> None:
    write_results(results_of(["=1+1", "\x00bell\x07"]), tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))  # noqa: S314 - our own file
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet2.xml"))  # noqa: S314
    assert not list(sheet.iter(f"{SHEET}f"))
    rows = [
        ["".join(cell.itertext()) for cell in row.iter(f"{SHEET}c")]
        for row in sheet.iter(f"{SHEET}row")
    ]
    assert rows[0][:4] == ["Test", "Description", "q", "Provider"]
    assert (rows[1][0], rows[1][7], rows[2][7]) == ("1", "=1+1", "\ufffdbell\ufffd")


def test_a_step_summary_is_added_to_and_stays_below_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("Before.\n")
    add_step_summary(results_of(["short"]), file)
    assert file.read_text().startswith("Before.\n# ")
    add_step_summary(results_of(["x" * 100] * 5000), file)
    assert 900_000 <= file.stat().st_size < 1024 * 1024
    assert file.read_text().endswith("The rest does not fit here.\n")
    with pytest.raises(ConfigError):
        add_step_summary(results_of(["short"]), tmp_path)


def test_formats_are_checked_before(tmp_path: Path) -> None:
    check_paths([tmp_path / name for name in ("a.html", "a.xlsx", "a.md", "a.junit.xml")])
    with pytest.raises(ConfigError, match=re.escape(".xlsx")):
        check_paths([tmp_path / "a.pdf"])


def test_watching_sees_the_files_of_the_configuration_but_not_its_results(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("a")
    (tmp_path / ".git").mkdir()
    wanted = EvalRequest(folder=tmp_path, configs=[Path("config.yaml")])
    before = state_of(wanted, [tmp_path / "out.json"])
    assert list(before) == [tmp_path / "config.yaml"]
    (tmp_path / "out.json").write_text("{}")
    (tmp_path / ".git" / "a.json").write_text("{}")
    (tmp_path / "notes.pdf").write_text("")
    assert state_of(wanted, [tmp_path / "out.json"]) == before
    (tmp_path / "provider.py").write_text("")
    assert state_of(wanted, [tmp_path / "out.json"]) != before
