"""Mapping of promptfoo's special columns.

`__expected`, `__expected1` … hold assertions. Plain text and `equals:` are the expected answer. Any
other kind (`contains:`, `llm-rubric:` …) is a check that a case cannot hold; it is kept in the
notes, so that it can be turned into a scorer.
"""

import re

from edison.pipeline.score.assertions.csv_cell import read_cell
from edison.pipeline.score.assertions.model import RowError

_EXPECTED = re.compile(r"__expected\d*")
METADATA = "__metadata:"
NOTES = ("__description",)
# Settings for generating or scoring, which a case has no field for.
_IGNORED = ("__prefix", "__suffix", "__provideroutput", "__metric", "__threshold")


def is_assertion_column(name: str) -> bool:
    return _EXPECTED.fullmatch(name.lower()) is not None


def is_ignored_column(name: str) -> bool:
    return name.lower() in _IGNORED or name.lower().startswith("__config:")


def read_assertion(text: str) -> tuple[str | None, str | None]:
    """The expected answer, or else a check for the notes."""
    text = text.strip()
    if not text:
        return None, None
    try:
        assertion = read_cell(text)
    except RowError:
        assertion = {}
    if assertion.get("type") == "equals" and "value" in assertion:
        return assertion["value"], None
    return None, f"promptfoo check: {text}"
