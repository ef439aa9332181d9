"""Column mapping: guesses, explicit mappings, and rows that do not fit."""

import json
from pathlib import Path

import pytest

from edison.kit.errors import Invalid
from edison.library.datasets.files.cast import cast
from edison.library.datasets.files.mapping import (
    ColumnMapping,
    ColumnTarget,
    check_mapping,
    guess_mapping,
)
from edison.library.datasets.files.problems import Row
from edison.library.datasets.files.promptfoo import read_assertion
from tests.library.datasets.reading import read

CELLS = Path(__file__).parents[2] / "data" / "promptfoo" / "csv.json"


def guesses(*columns: str) -> dict[str, str]:
    return {each.column: each.variable or each.target for each in guess_mapping(columns)}


def test_usual_names_are_recognised() -> None:
    assert guesses("Question", "Expected Answer", "category", "Level", "comment", "id") == {
        "Question": "Question",
        "Expected Answer": "expected",
        "category": "tags",
        "Level": "difficulty",
        "comment": "notes",
        "id": "ignored",
    }


def test_an_exact_column_name_wins_over_an_alias() -> None:
    assert guesses("answer", "expected", "output") == {
        "answer": "answer",
        "expected": "expected",
        "output": "output",
    }


def test_column_names_become_valid_variable_names() -> None:
    assert guesses("Customer question", "2nd try", "größe", "--", "__class__") == {
        "Customer question": "customer_question",
        "2nd try": "_2nd_try",
        "größe": "größe",
        "--": "value",
        "__class__": "__class__",
    }


def test_columns_that_would_be_the_same_variable_are_not_mapped_twice() -> None:
    assert guesses("a b", "a-b") == {"a b": "a_b", "a-b": "ignored"}


def test_columns_of_promptfoo_are_understood() -> None:
    names = ("q", "__expected", "__expected2", "__description", "__metadata:topic[]")
    assert guesses(*names, "__metadata:difficulty", "__prefix", "__threshold", "__config:x") == {
        "q": "q",
        "__expected": "assertion",
        "__expected2": "assertion",
        "__description": "notes",
        "__metadata:topic[]": "tags",
        "__metadata:difficulty": "difficulty",
        "__prefix": "ignored",
        "__threshold": "ignored",
        "__config:x": "ignored",
    }


def test_assertions_of_promptfoo_become_the_answer_or_a_note() -> None:
    file = read(
        "q,__expected1,__expected2,__metadata:topic[]\n"
        'one,contains: 1,equals: uno,"a,b"\n'
        "two,dos,not-regex: x,\n"
        'three,,"llm-rubric: is polite",c\n'
    )
    assert [(case.expected, case.notes, case.tags) for case in file.cases] == [
        ("uno", "promptfoo check: contains: 1", ("a", "b")),
        ("dos", "promptfoo check: not-regex: x", ()),
        (None, "promptfoo check: llm-rubric: is polite", ("c",)),
    ]


def test_cells_are_converted_to_the_type_of_their_column() -> None:
    file = read(
        "q,expected,tags,difficulty,split,origin,notes,n:json\n"
        'x,y,"b; a|b",hard,test,synthetic,remember,[1]\n'
        "x,,,3,Train,,,\n"
    )
    first, second = file.cases
    assert first.inputs == {"q": "x", "n": [1]}
    assert (first.expected, first.tags, first.difficulty) == ("y", ("b", "a"), 5)
    assert (first.split, first.origin, first.notes) == ("holdout", "synthetic", "remember")
    assert second.inputs == {"q": "x"}
    assert (second.expected, second.tags, second.difficulty) == (None, (), 3)
    assert (second.split, second.origin, second.notes) == ("train", None, None)


@pytest.mark.parametrize(
    ("header", "cell", "code"),
    [
        ("difficulty", "6", "bad_value"),
        ("difficulty", "1.5", "bad_value"),
        ("split", "both", "bad_value"),
        ("origin", "heaven", "bad_value"),
        ("tags", "x" * 51, "bad_tag"),
        ("n:json", "{", "bad_value"),
        ("n:json", '1, "m": 2', "bad_value"),
        ("notes", "x" * 10_001, "too_long"),
    ],
)
def test_a_cell_that_does_not_fit_is_named(header: str, cell: str, code: str) -> None:
    quoted = cell.replace('"', '""')
    (problems,) = read(f'q,{header}\nx,"{quoted}"\n', step=1000).cast()
    assert isinstance(problems, list)
    assert [(each.line, each.column, each.code) for each in problems] == [(2, header, code)]


def test_the_size_of_a_case_is_limited() -> None:
    halves = {"q": "x" * 600_000, "r": "x" * 600_000}
    problems = cast(Row(line=7, values=halves), guess_mapping(list(halves)))
    assert isinstance(problems, list)
    assert [(each.line, each.code) for each in problems] == [(7, "too_long")]


def to(column: str, target: str, variable: str | None = None) -> ColumnMapping:
    return ColumnMapping(column=column, target=ColumnTarget(target), variable=variable)


@pytest.mark.parametrize(
    ("mapping", "codes"),
    [
        ([to("a", "expected")], {"no_variable"}),
        ([to("a", "variable", "x"), to("b", "variable", "x")], {"repeated"}),
        ([to("a", "variable", "x"), to("a", "tags")], {"repeated"}),
        ([to("a", "variable", "x"), to("z", "ignored")], {"unknown_column"}),
        ([to("a", "variable", "no good")], {"bad_name"}),
        ([to("a", "variable", "x"), to("b", "split"), to("c", "split")], {"repeated"}),
    ],
)
def test_an_invalid_mapping_is_refused(mapping: list[ColumnMapping], codes: set[str]) -> None:
    with pytest.raises(Invalid) as refused:
        check_mapping(mapping, columns=["a", "b", "c"])
    assert {problem.code for problem in refused.value.problems} == codes


def test_a_variable_that_is_needed_and_not_mapped_is_named() -> None:
    with pytest.raises(Invalid) as refused:
        check_mapping([to("a", "variable", "q")], columns=["a"], required=["q", "context"])
    (problem,) = refused.value.problems
    assert (problem.code, "{{context}}" in problem.message) == ("missing_variable", True)


def test_cells_with_assertions_are_read_as_promptfoo_reads_them() -> None:
    wrong = [
        (vector["cell"], found)
        for vector in json.loads(CELLS.read_text())
        for parsed in vector["expect"].get("parsed") or ()
        for found in [read_assertion(vector["cell"])]
        if vector["cell"].strip()
        and (found[1] is None) != (parsed["type"] == "equals" and "value" in parsed)
    ]
    assert wrong == []
