"""Plain words: the private dialect of early versions stays out of code, texts and docs."""

import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# See docs/writing.md for what to write instead.
WORDS = (
    r"(whoever|whomever|nobody|somebody|anybody|everybody|anew|lest|purses?|groundwork"
    r"|heeds?|heeded|insists?|insisting|mends?|mended|likewise"
    r"|(?:is|are) believed|by the way|gets to see|of its like|once more|talked round|unless told)"
)
UNWELCOME = re.compile(rf"\b{WORDS}\b", re.IGNORECASE)
# In names, underscores separate words.
UNWELCOME_IN_TESTS = re.compile(rf"(?<![a-z]){WORDS}(?![a-z])", re.IGNORECASE)
PLACES = (
    ("src/edison", "*.py"),
    ("docs", "*.md"),
    ("scripts", "*.py"),
    ("benchmarks", "*.py"),
    ("frontend/src", "*.ts"),
    ("frontend/src", "*.tsx"),
)
# Texts of the simulated tasks, and lists of words as data.
DATA = ("src/edison/simulation", "src/edison/migrations")
BEFORE_STATEMENTS = (tokenize.ENCODING, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else ():
        yield from texts_in(each)


def prose_of(file: Path) -> Iterator[tokenize.TokenInfo]:
    """Names, comments and docstrings. Other strings are data."""
    before = tokenize.ENCODING
    with file.open("rb") as opened:
        for token in tokenize.tokenize(opened.readline):
            is_docstring = token.type == tokenize.STRING and before in BEFORE_STATEMENTS
            if is_docstring or token.type in (tokenize.NAME, tokenize.COMMENT):
                yield token
            if token.type not in (tokenize.NL, tokenize.COMMENT):
                before = token.type


def test_unwelcome_words_stay_out_of_the_interface() -> None:
    catalogue = json.loads((ROOT / "frontend" / "src" / "locales" / "en.json").read_text())
    assert [text for text in texts_in(catalogue) if UNWELCOME.search(text)] == []


def test_unwelcome_words_stay_out_of_code_and_docs() -> None:
    files = [file for folder, pattern in PLACES for file in (ROOT / folder).rglob(pattern)]
    files += [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    found = [
        f"{file.relative_to(ROOT)}:{number}: {match.group()}"
        for file in files
        if not file.relative_to(ROOT).as_posix().startswith(DATA) and file.name != "writing.md"
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        for match in UNWELCOME.finditer(line)
    ]
    assert found == []


def test_unwelcome_words_stay_out_of_tests() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    found = [
        f"{path}:{token.start[0]}: {match.group()}"
        for file in files
        if file != Path(__file__)
        for path in [file.relative_to(ROOT).as_posix()]
        for token in prose_of(file)
        for match in UNWELCOME_IN_TESTS.finditer(token.string)
    ]
    assert found == []
