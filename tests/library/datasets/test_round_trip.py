"""Exported cases can be imported unchanged, and contain no spreadsheet formulas."""

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.kit.csv_text import guard, release
from edison.library.datasets.contents import CaseContents, Origin, Split, check, is_variable_name
from edison.library.datasets.files import write
from edison.library.datasets.files.mapping import EXACT
from tests.library.datasets.reading import read

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t\r"))
SPICY = st.sampled_from(["=1+1", "'=1", "''@x", "-", "+a", "@b", "\tc", "\rd", '"', ",", "a\r\nb"])
NAMES = st.one_of(
    st.sampled_from(["question", "inputs", "answer", "id", "set", "Expected", *EXACT]),
    st.text("abcäß_中9", min_size=1, max_size=5).filter(is_variable_name),
)
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    st.one_of(TEXTS, SPICY, NUMBERS, st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
TAGS = st.lists(
    st.text("ab -=+ü", min_size=1, max_size=8).filter(lambda tag: tag == tag.strip()),
    max_size=4,
    unique=True,
)
CASES = st.builds(
    CaseContents,
    inputs=st.dictionaries(NAMES, VALUES, min_size=1, max_size=4),
    expected=st.one_of(st.none(), TEXTS, SPICY),
    tags=TAGS.map(tuple),
    difficulty=st.one_of(st.none(), st.integers(1, 5)),
    split=st.sampled_from(Split),
    origin=st.sampled_from(Origin),
    # Notes can come from several columns; empty ones add nothing.
    notes=st.one_of(st.none(), TEXTS.filter(bool)),
)


def columns_of(cases: list[CaseContents]) -> write.Columns:
    columns = write.Columns()
    for case in cases:
        columns.add(case)
    return columns


def as_csv(cases: list[CaseContents]) -> bytes:
    columns = columns_of(cases)
    return write.csv_header(columns) + write.csv_lines(cases, columns)


@given(st.lists(CASES, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_cases_survive_csv(cases: list[CaseContents]) -> None:
    file = read(as_csv(cases), filename="cases.csv", step=64)
    assert file.problems == []
    assert file.cases == cases


@given(st.lists(CASES, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_cases_survive_jsonl(cases: list[CaseContents]) -> None:
    file = read(write.jsonl_lines(cases), filename="cases.jsonl", step=64)
    assert file.problems == []
    assert file.cases == cases


@given(CASES)
def test_generated_examples_are_valid_cases(case: CaseContents) -> None:
    assert check(case) == []


@given(st.lists(CASES, min_size=1, max_size=5))
def test_no_cell_begins_like_a_formula(cases: list[CaseContents]) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(cases).decode(), newline="")))
    assert all(
        not cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row
    )


@given(st.one_of(TEXTS, SPICY))
def test_an_escaped_cell_can_be_unescaped(text: str) -> None:
    assert release(guard(text)) == text


@pytest.mark.parametrize("cell", ["it's", "'quoted'", "a=b", ""])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guard(cell) == release(cell) == cell


def test_column_names_mark_json_values() -> None:
    cases = [
        CaseContents(inputs={"q": "x", "tags": "y", "n": 1}, expected=""),
        CaseContents(inputs={"q": "=z", "tags": "y"}, tags=("a", "b"), difficulty=2),
    ]
    assert re.sub("\r\n", "\n", as_csv(cases).decode()) == (
        "q,inputs.tags,n:json,expected:json,tags,difficulty,split,origin,notes\n"
        'x,y,1,"""""",,,,,\n'
        '\'=z,y,,,"a, b",2,,,\n'
    )
