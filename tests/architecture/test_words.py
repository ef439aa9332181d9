"""Plain words: the private dialect of early versions stays out of code, texts and docs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# See docs/writing.md for what to write instead.
UNWELCOME = re.compile(
    r"\b(whoever|whomever|nobody|somebody|anybody|everybody|anew|lest|purses?|groundwork)\b",
    re.IGNORECASE,
)
PLACES = (
    ("src/edison", "*.py"),
    ("docs", "*.md"),
    ("scripts", "*.py"),
    ("benchmarks", "*.py"),
)
# Texts of the simulated tasks, and lists of words as data.
DATA = ("src/edison/simulation", "src/edison/migrations")


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else ():
        yield from texts_in(each)


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
