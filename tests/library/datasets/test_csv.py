"""CSV in practice: encodings, delimiters, quotes, and malformed files."""

import codecs

import pytest

from edison.library.datasets.files.encodings import Encoding
from edison.library.datasets.files.problems import LONGEST_RECORD, FileRefused
from edison.library.datasets.files.rows import Format, LayoutChoice
from tests.library.datasets.reading import read


def refusal(content: bytes | str, **options: object) -> tuple[int | None, str]:
    with pytest.raises(FileRefused) as refused:
        read(content, **options)  # type: ignore[arg-type]  # passed on as they are
    assert refused.value.problems[0].field == "file"
    return refused.value.line, refused.value.problems[0].code


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("frage,ort\nwo?,Köln\n".encode(), Encoding.UTF_8),
        (codecs.BOM_UTF8 + "frage,ort\nwo?,Köln\n".encode(), Encoding.UTF_8),
        ("frage,ort\nwo?,Köln\n".encode("utf-16"), Encoding.UTF_16),
        ("frage,ort\nwo?,Köln\n".encode("utf-16-le"), Encoding.UTF_16_LE),
        ("frage,ort\nwo?,Köln\n".encode("utf-16-be"), Encoding.UTF_16_BE),
        ("frage,ort\nwo?,Köln\n".encode("cp1252"), Encoding.WINDOWS_1252),
    ],
)
@pytest.mark.parametrize("step", [1, 2, 5, 1000])
def test_the_encoding_is_detected_from_the_bytes(
    content: bytes, encoding: Encoding, step: int
) -> None:
    file = read(content, step=step)
    assert file.layout.encoding is encoding
    assert file.values == [{"frage": "wo?", "ort": "Köln"}]


def test_bytes_without_a_meaning_in_windows_1252_are_latin_1() -> None:
    assert read(b"a,b\n\xe9,\x81\n").layout.encoding is Encoding.LATIN_1


def test_a_late_byte_decides_the_encoding_of_the_whole_file() -> None:
    file = read(b"a\n" + b"x\n" * 90 + b"\xe9\n")
    assert file.layout.encoding is Encoding.WINDOWS_1252
    assert file.values[-1] == {"a": "é"}


def test_a_wrongly_chosen_encoding_names_the_line() -> None:
    chosen = LayoutChoice(encoding=Encoding.UTF_8)
    assert refusal(b"a,b\nx,y\n\xe9,z\n", chosen=chosen) == (3, "wrong_encoding")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected_from_the_records(delimiter: str) -> None:
    rows = [["question", "answer"], ["a, b; c", "d"], ["e", "f | g"]]
    content = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    file = read(content)
    assert file.layout.delimiter == delimiter
    assert file.values == [
        {"question": "a, b; c", "answer": "d"},
        {"question": "e", "answer": "f | g"},
    ]


def test_more_commas_in_texts_do_not_make_commas_the_delimiter() -> None:
    content = "question;answer\nRed, green, blue?;blue\nOne, two?;two\n"
    assert read(content).layout.delimiter == ";"


def test_excel_may_declare_the_delimiter() -> None:
    file = read("sep=;\na;b\n1;2,5\n")
    assert (file.layout.delimiter, file.lines) == (";", [3])
    assert file.values == [{"a": "1", "b": "2,5"}]


@pytest.mark.parametrize("step", range(1, 12))
def test_quotes_hold_delimiters_line_breaks_and_quotes(step: int) -> None:
    file = read('a,b\r\n"x, y","line 1\r\nline ""2"""\r\n\r\nz,\r\n', step=step)
    assert file.values == [{"a": "x, y", "b": 'line 1\r\nline "2"'}, {"a": "z", "b": ""}]
    assert file.lines == [2, 5]


def test_a_quote_inside_a_plain_cell_is_a_character() -> None:
    assert read('a,b\n5" disk,x\n').values == [{"a": '5" disk', "b": "x"}]


def test_carriage_returns_alone_end_lines_too() -> None:
    assert read("a,b\r1,2\r3,4").lines == [2, 3]


def test_spaces_around_cells_are_kept_and_around_headers_are_not() -> None:
    assert read(" a , b \n x , y \n").values == [{"a": " x ", "b": " y "}]


def test_a_column_without_a_name_gets_a_number() -> None:
    assert read("a,,c\n1,2,3\n").columns == ["a", "column 2", "c"]


def test_ragged_and_misquoted_rows_do_not_affect_others() -> None:
    file = read('a,b\n1,2\n1\n1,2,3\n"x"y,2\n3,4\n', filename="x.csv")
    assert file.problems == [(3, "ragged_row"), (4, "ragged_row"), (5, "misplaced_quote")]
    assert [case.inputs for case in file.cases] == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_unstorable_characters_invalidate_their_row() -> None:
    file = read("a\nfine\nx\x00y\nx\x07y\n", chosen=LayoutChoice(encoding=Encoding.UTF_8))
    assert file.problems == [(3, "control_character"), (4, "control_character")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", (None, "empty_file")),
        (b" \r\n\n", (None, "empty_file")),
        (b"question,answer\n", (None, "no_rows")),
        (b"a,b,a\n1,2,3\n", (1, "duplicate_column")),
        (b'a,b\n1,2\n3,"x\n4,5\n', (3, "unclosed_quote")),
        (b"PK\x03\x04 and so on", (None, "not_text")),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff", (None, "not_text")),
        (",".join(f"c{number}" for number in range(201)).encode(), (1, "too_many_columns")),
    ],
)
def test_an_invalid_file_is_refused(content: bytes, expected: tuple[int | None, str]) -> None:
    assert refusal(content, filename="x.csv") == expected


def test_the_row_beyond_the_limit_is_named() -> None:
    assert refusal("a\n" + "x\n" * 11, most_rows=10) == (12, "too_many_rows")
    assert len(read("a\n" + "x\n" * 10, most_rows=10).rows) == 10


@pytest.mark.parametrize("opening", ["", '"'])
def test_an_endless_cell_is_refused_with_its_line_and_never_buffered_whole(opening: str) -> None:
    content = b"a,b\n1,2\n" + opening.encode() + b"x" * (5 * LONGEST_RECORD)
    step = 65_536
    assert refusal(content, filename="x.csv", step=step) == (3, "row_too_long")


def test_no_more_is_buffered_than_a_record_and_a_block() -> None:
    rows = "".join(f'{number},"{"y" * 1000}"\n' for number in range(90))
    file = read("a,b\n" + rows, step=4096)
    assert len(file.rows) == 90
    assert file.most_buffered <= 1010 + 4096


def test_the_extension_csv_decides_the_format() -> None:
    assert read("[a],b\n1,2\n", filename="x.CSV").layout.format is Format.CSV
