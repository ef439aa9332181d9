"""Cases from a file to a table: edited, changed in bulk and exported again, in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.conftest import create_project, post

ODD_ROWS = (
    "question,answer we want,labels,level\n"
    '"Where is my order, please?",In transit,"late, delivery",2\n'
    "a row that is too short\n"
    '"Two\nlines",Yes,,9\n'
    "How do I return it?,By mail,returns,1\n"
    "=1+1,Two,,\n"
)


def with_dataset(page: Page, name: str) -> tuple[str, str]:
    """A project with an empty dataset; its slug and the address of the dataset's page."""
    slug = create_project(page, name)
    dataset = post(page, f"/projects/{slug}/datasets", {"name": "Questions"})
    return slug, f"/p/{slug}/datasets/{dataset['id']}"


def add_case(page: Page, address: str, **fields: Any) -> Any:
    return post(page, f"{address.replace('/p/', '/projects/', 1)}/cases", fields)


def upload(page: Page, name: str, content: bytes) -> Locator:
    """Drop a file into the open dialog; returns the dialog."""
    dialog = page.get_by_role("dialog", name="Import cases")
    dialog.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    return dialog


def cell(page: Page, row: int, column: str) -> Locator:
    """The cell of a row, both counted from 1 and named as displayed."""
    header = page.get_by_role("columnheader", name=column, exact=True)
    number = header.get_attribute("aria-colindex")
    return page.get_by_role("row").nth(row).locator(f"[aria-colindex='{number}']")


def import_odd_rows(page: Page) -> None:
    """Map the columns, see which rows are bad, and import the others."""
    page.get_by_role("main").get_by_role("button", name="Import cases").last.click()
    dialog = upload(page, "odd.csv", ODD_ROWS.encode("latin-1"))
    expect(dialog.get_by_text("3 of 5 rows can be imported")).to_be_visible()
    expect(dialog.get_by_role("row", name=re.compile("^3 .*Cells in this row: 1"))).to_be_visible()
    dialog.get_by_role("combobox", name="Map answer we want to").click()
    page.get_by_role("option", name="Expected answer").click()
    dialog.get_by_role("combobox", name="Map labels to").click()
    page.get_by_role("option", name="Tags").click()
    dialog.get_by_role("button", name="Re-check rows").click()
    expect(dialog.get_by_text("Fix 2 rows in the file, or skip them.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Import 3 cases")).to_be_disabled()
    with page.expect_download() as problems:
        dialog.get_by_role("link", name="Download all 2 problems as CSV").click()
    assert problems.value.path().read_text().splitlines()[1].startswith("3,")
    dialog.get_by_role("radio", name=re.compile("^Skip")).click()
    dialog.get_by_role("button", name="Import 3 cases").click()
    expect(dialog.get_by_text("3 cases added")).to_be_visible()
    dialog.get_by_role("button", name="Done").click()
    expect(cell(page, 1, "Expected answer")).to_have_text("In transit")


def test_a_file_with_odd_rows_becomes_cases_and_comes_back(
    register: Callable[..., Page], tmp_path: Path
) -> None:
    page = register("imports@example.org")
    _, address = with_dataset(page, "Imported")
    page.goto(address)
    import_odd_rows(page)

    cell(page, 2, "question").dblclick()
    editor = page.get_by_role("textbox", name="question of case 2")
    editor.fill("How do I send it back?")
    editor.press("Enter")
    expect(cell(page, 2, "question")).to_have_text("How do I send it back?")
    expect(cell(page, 2, "Version")).to_have_text("v2")

    page.get_by_role("checkbox", name="Select case 1").click()
    page.get_by_role("checkbox", name="Select case 3").click(modifiers=["Shift"])
    chosen = page.get_by_role("region", name="Selected cases")
    expect(chosen).to_contain_text("3 cases selected")
    chosen.get_by_role("button", name="Tag", exact=True).click()
    page.get_by_role("dialog").get_by_label("Tags").fill("urgent")
    page.get_by_role("button", name="Add tags").click()
    expect(cell(page, 3, "Tags")).to_have_text("urgent")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone for 3 cases")).to_be_visible()
    expect(cell(page, 3, "Tags")).to_have_text("")

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloading:
        page.get_by_role("menuitem", name="CSV, for spreadsheets").click()
    file = tmp_path / "cases.csv"
    downloading.value.save_as(file)
    text = file.read_text(encoding="utf-8-sig")
    assert "How do I send it back?" in text
    assert "'=1+1" in text


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.csv", b"", "This file is empty."),
        ("header.csv", b"question,answer\n", "This file has no rows."),
        ("workbook.csv", b"PK\x03\x04\x00\x00", "Save the sheet as CSV"),
        ("twice.csv", b"a,a\n1,2\n", "the column 'a' appears twice"),
        ("numbers.json", b"[1, 2]", "0 of 2 rows can be imported"),
    ],
)
def test_an_unusable_file_is_refused_with_the_reason(
    register: Callable[..., Page], name: str, content: bytes, reason: str
) -> None:
    page = register(f"refused-{name}@example.org")
    _, address = with_dataset(page, "Refused")
    page.goto(f"{address}?import=true")
    expect(upload(page, name, content)).to_contain_text(reason)


def test_an_abandoned_file_leaves_nothing_behind(register: Callable[..., Page]) -> None:
    page = register("abandons@example.org")
    _, address = with_dataset(page, "Abandoned")
    page.goto(f"{address}?import=true")
    dialog = upload(page, "odd.csv", ODD_ROWS.encode())
    expect(dialog.get_by_text("File settings")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as thrown_away:
        dialog.get_by_role("button", name="Close").click()
    assert thrown_away.value.status == 204
    expect(page.get_by_text("This dataset has no cases")).to_be_visible()


def test_the_keyboard_alone_moves_edits_and_chooses(register: Callable[..., Page]) -> None:
    page = register("keyboard@example.org")
    _, address = with_dataset(page, "By keyboard")
    for number in range(3):
        add_case(page, address, inputs={"question": f"Question {number}", "context": {"n": number}})
    page.goto(address)
    first = cell(page, 1, "question")
    expect(first).to_have_text("Question 0")
    page.locator("[role=gridcell][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("Typed")
    page.keyboard.press("Tab")
    expect(first).to_have_text("Typed")
    context = page.get_by_role("textbox", name="context of case 1")
    expect(context).to_be_focused()
    page.keyboard.type("{broken")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Invalid JSON")
    page.keyboard.press("Escape")
    expect(cell(page, 1, "context")).to_be_focused()
    expect(cell(page, 1, "context")).to_have_text('{"n":0}')
    page.keyboard.press("Control+End")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", name="Select case 3")).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Case 3")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_conflicting_edits_of_a_cell_show_both_texts(register: Callable[..., Page]) -> None:
    page = register("meets@example.org")
    _, address = with_dataset(page, "Met")
    case = add_case(page, address, inputs={"question": "Before"})
    page.goto(address)
    cell(page, 1, "question").dblclick()
    editor = page.get_by_role("textbox", name="question of case 1")
    editor.fill("Mine")
    path = f"/api/v1{address.replace('/p/', '/projects/', 1)}/cases/{case['id']}"
    csrf = next(each["value"] for each in page.context.cookies() if each["name"] == "edison_csrf")
    page.context.request.patch(
        path,
        data={"version": 1, "inputs": {"question": "Theirs"}},
        headers={"X-CSRF-Token": csrf},
    )
    editor.press("Enter")
    dialog = page.get_by_role("dialog", name="Case changed by another editor")
    expect(dialog.get_by_role("radio", name="Mine")).to_be_checked()
    dialog.get_by_role("radio", name="Theirs").click()
    dialog.get_by_role("button", name="Save this choice").click()
    expect(cell(page, 1, "question")).to_have_text("Theirs")


def test_the_address_keeps_filters_and_the_open_case(register: Callable[..., Page]) -> None:
    page = register("filters@example.org")
    _, address = with_dataset(page, "Filtered")
    add_case(page, address, inputs={"question": "Late parcel"}, tags=["late"], difficulty=3)
    add_case(page, address, inputs={"question": "Broken lamp"}, tags=["broken"])
    page.goto(address)
    page.get_by_role("textbox", name="Search in cases").fill("PARCEL")
    expect(page.get_by_text("1 of 2 cases")).to_be_visible()
    page.get_by_role("button", name="Open case 1").click()
    expect(page.get_by_role("dialog", name="Case 1")).to_be_visible()
    page.reload()
    expect(page.get_by_role("dialog", name="Case 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Search in cases")).to_have_value("PARCEL")
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("combobox", name="Tags").click()
    page.get_by_role("option", name="broken (1)").click()
    expect(cell(page, 1, "question")).to_have_text("Broken lamp")
    expect(page).to_have_url(re.compile("tag=broken"))


def test_ten_thousand_cases_are_a_few_rows_on_the_page(register: Callable[..., Page]) -> None:
    page = register("many@example.org")
    _, address = with_dataset(page, "Many")
    page.goto(f"{address}?import=true")
    lines = "\n".join(f"Question {number},Answer {number}" for number in range(1, 10_001))
    dialog = upload(page, "many.csv", f"question,expected\n{lines}\n".encode())
    dialog.get_by_role("button", name="Import 10,000 cases").click()
    expect(dialog.get_by_text("10,000 cases added")).to_be_visible(timeout=60_000)
    dialog.get_by_role("button", name="Done").click()
    expect(cell(page, 1, "question")).to_have_text("Question 1")
    cell(page, 1, "question").click()
    page.keyboard.press("Control+End")
    expect(page.get_by_text("Question 10000", exact=True)).to_be_visible(timeout=30_000)
    assert page.get_by_role("row").count() < 60
    page.get_by_role("checkbox", name="Select all cases").click()
    expect(page.get_by_role("region", name="Selected cases")).to_contain_text(
        "10,000 cases selected"
    )


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_dataset_pages_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"parts-{theme}@example.org", color_scheme=theme, reduced_motion="reduce")
    _, address = with_dataset(page, "Read")
    long = "A long text that goes on. " * 30
    for number in range(4):
        inputs = {f"variable_{name}": f"{long}{number}" for name in "abcdefgh"}
        add_case(page, address, inputs=inputs, expected=long, tags=["one", "two"], difficulty=2)
    shown = {
        "": "4 cases",
        "?tab=coverage": "covered",
        "?add=true": "New case",
        "?import=true": "Drop a file here",
        "?duplicates=true": "Duplicates",
        "?generate=synthetic": "No model is enabled",
    }
    for query, text in shown.items():
        page.goto(f"{address}{query}")
        expect(page.get_by_text(text).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert serious_findings(page) == [], query
    page.set_viewport_size({"width": 768, "height": 1024})
    page.goto(address)
    expect(page.get_by_role("grid")).to_be_visible()
    assert overflow(page) == 0
