"""Parses the test results shown to a refiner: failing answers, and earlier edits.

Examples are JSON rows with an input and an output, or labelled text in various formats.
"""

import json
import re
from collections.abc import Iterator

from edison.simulation.verdicts import material_in

_EXAMPLE = re.compile(
    r"(?:\*\*|<|#{1,5} )?Inputs?(?:\*\*|>)?:?(?:\*\*)?[ \t]*\n?(.*?)\n\s*"
    r"(?:</input>\s*)?(?:\*\*|<|#{1,5} )?"
    r"(?:Generated )?Outputs?(?:\*\*|>)?:?(?:\*\*)?[ \t]*\n?(.*?)(?=\n\s*(?:\*\*|<|#{1,5} )?/?"
    r"(?:Output|Scores?|Issues|Expected|Rationales?|Feedback|Example|Input)\b|\n#{1,4} |\Z)",
    re.DOTALL | re.IGNORECASE,
)
_UNWELCOME = {"rejected", "worse"}


def examples_in(text: str, parts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the material and the answer of each example."""
    rows = [row for row in _rows(parts.get("failing", "")) if {"input", "output"} <= row.keys()]
    for row in rows:
        yield material_in(json.dumps(row["input"])), str(row["output"]).strip()
    if not rows:
        for shown in _EXAMPLE.finditer(text):
            yield material_in(shown[1].strip()), shown[2].strip()


def expected_in(parts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the material and the expected answer of each example that has one."""
    for row in _rows(parts.get("failing", "")):
        if "input" in row and isinstance(row.get("expected"), str):
            yield material_in(json.dumps(row["input"])), str(row["expected"]).strip()


def unwelcome_in(parts: dict[str, str]) -> str:
    """The diffs that were rejected or lowered the score."""
    return "\n".join(
        str(row.get("diff", ""))
        for row in _rows(parts.get("earlier", ""))
        if not _UNWELCOME.isdisjoint((str(row.get("decision")), str(row.get("result"))))
    )


def _rows(part: str) -> list[dict[str, object]]:
    try:
        rows = json.loads(part)
    except ValueError:
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
