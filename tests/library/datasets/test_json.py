"""JSON arrays and JSON lines, and malformed files."""

import pytest

from edison.library.datasets.files.problems import LONGEST_RECORD, FileRefused
from edison.library.datasets.files.rows import Format
from tests.library.datasets.reading import read
from tests.library.datasets.test_csv import refusal


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_an_array_of_objects_is_read_object_by_object(step: int) -> None:
    content = '[\n {"q": "[{,", "n": 1.5, "deep": {"a": [true, null]}},\n\n {"q": "\\"]"}\n]\n'
    file = read(content, step=step)
    assert file.layout.format is Format.JSON
    assert file.values == [
        {"q": "[{,", "n": 1.5, "deep": {"a": [True, None]}},
        {"q": '"]'},
    ]
    assert file.lines == [2, 4]
    assert file.columns == ["q", "n", "deep"]


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_an_object_per_line_is_read_line_by_line(step: int) -> None:
    file = read('{"q": "ä\\u00e9"}\r\n\n{"q": 2}', step=step)
    assert file.layout.format is Format.JSONL
    assert (file.values, file.lines) == ([{"q": "äé"}, {"q": 2}], [1, 3])


@pytest.mark.parametrize("group", ["inputs", "input", "vars"])
def test_variables_may_stand_in_an_object_of_their_own(group: str) -> None:
    file = read(f'{{"{group}": {{"q": "Why?", "tags": 3}}, "expected": "So.", "tags": ["a", "b"]}}')
    (case,) = file.cases
    assert case.inputs == {"q": "Why?", "tags": 3}
    assert (case.expected, case.tags) == ("So.", ("a", "b"))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "bad_json"),
        ('{"q": 1', "bad_json"),
        ('{"q": 1, "q": 2}', "bad_json"),
        ('{"q": NaN}', "bad_json"),
        ('{"q": 1e999}', "bad_json"),
        ('{"q": 18446744073709551616}', "bad_json"),
        ("[1, 2]", "not_an_object"),
        ('"text"', "not_an_object"),
        ("{}", "empty"),
        ('{"q": "\\u0000"}', "control_character"),
        ('{"q": "\\ud800"}', "control_character"),
        ('{"q": {"a": ["\\u0007"]}}', "control_character"),
        ('{"q": ' + "[" * 21 + "]" * 21 + "}", "too_deep"),
        ('{"q": ' + "[" * 50_000 + "]" * 50_000 + "}", "too_deep"),
        ('{"q": ' + '{"a":' * 900 + "1" + "}" * 900 + "}", "too_deep"),
    ],
)
def test_an_invalid_line_does_not_affect_others(line: str, code: str) -> None:
    file = read(f'{{"q": 1}}\n{line}\n{{"q": 2}}', step=1000)
    assert file.problems == [(2, code)]
    assert [case.inputs for case in file.cases] == [{"q": 1}, {"q": 2}]


def test_nesting_of_twenty_levels_is_accepted() -> None:
    assert read('{"q": ' + "[" * 20 + "]" * 20 + "}").problems == []


def test_a_broken_object_in_an_array_does_not_affect_others() -> None:
    file = read('[{"q": 1},\n{"q": tru},\n3,\n{"q": 2},\n]')
    assert file.problems == [(2, "bad_json"), (3, "not_an_object"), (5, "bad_json")]
    assert [case.inputs for case in file.cases] == [{"q": 1}, {"q": 2}]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[]", (None, "no_rows")),
        ('[{"q": 1},\n{"q": 2', (2, "unclosed_array")),
        ('[{"q": "never closed}\n]', (1, "unclosed_array")),
        ('[{"q": 1}]\n\nmore', (3, "not_an_array")),
        ('[{"q": 1}}, {"q": 2}]', (1, "not_an_array")),
        ('[{"q": 1}][{"q": 2}]', (1, "not_an_array")),
        ("[" * 5_000, (1, "unclosed_array")),
    ],
)
@pytest.mark.parametrize("step", [1, 1000])
def test_an_array_that_ends_in_the_wrong_place_is_refused(
    content: str, expected: tuple[int | None, str], step: int
) -> None:
    assert refusal(content, step=step) == expected


@pytest.mark.parametrize("content", ['{"q": 1}\n{"q": "', '[{"q": 1},\n{"q": "'])
def test_an_endless_value_is_refused_with_its_line(content: str) -> None:
    with pytest.raises(FileRefused) as refused:
        read(content + "x" * (3 * LONGEST_RECORD), step=65_536)
    assert (refused.value.line, refused.value.problems[0].code) == (2, "row_too_long")


def test_the_limit_of_rows_holds_for_json_too() -> None:
    assert refusal("[" + ",\n".join(['{"q": 1}'] * 11) + "]", most_rows=10) == (11, "too_many_rows")


def test_no_more_is_buffered_than_an_object_and_a_block() -> None:
    content = "[" + ",".join(['{"q": "' + "y" * 1000 + '"}'] * 90) + "]"
    file = read(content, step=4096)
    assert len(file.rows) == 90
    assert file.most_buffered <= 1020 + 4096
