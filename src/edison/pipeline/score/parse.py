r"""Extracts the part of an answer that its prompt asked for, and detects malformed answers.

- If the prompt mentions `<response>`, the result is the text between the first `<response>` and
  the next `</response>`, stripped of white space. `<thinking>` before it is ignored. Without such
  a section the answer is malformed.
- If the prompt mentions JSON, the answer must be JSON and nothing else, exactly what a browser's
  `JSON.parse` accepts: no fence, no prose, no `NaN`. Otherwise the answer is malformed.
- With both, the section is extracted first and must be JSON.
- If the prompt mentions neither, there is nothing to extract.
"""

import re
from enum import StrEnum

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.expected_output import ExpectedOutput
from edison.pipeline.score.json_text import NotJson, read_json

_THINKING = re.compile(r"\s*<thinking>.*?</thinking>", re.IGNORECASE | re.ASCII | re.DOTALL)
_OPENING = re.compile(r"<response>", re.IGNORECASE | re.ASCII)
_CLOSING = re.compile(r"</response>", re.IGNORECASE | re.ASCII)


class Malformation(StrEnum):
    """What is wrong with an answer. Stored with outputs; never rename."""

    NO_RESPONSE_TAG = "no_response_tag"
    NOT_JSON = "not_json"


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """`text` is the part the prompt asked for; None when it asked for none, or the part is
    missing.
    """

    text: str | None = None
    malformed: Malformation | None = None


def parse(text: str, wanted: ExpectedOutput) -> Parsed:
    if not wanted.wants_response and not wanted.wants_json:
        return Parsed()
    found = find_response(text) if wanted.wants_response else text.strip()
    if found is None:
        return Parsed(malformed=Malformation.NO_RESPONSE_TAG)
    if wanted.wants_json and not _is_json(found):
        return Parsed(malformed=Malformation.NOT_JSON)
    return Parsed(text=found)


def explain(text: str, malformed: Malformation) -> str:
    """A sentence about what is wrong with a malformed answer."""
    if malformed is Malformation.NO_RESPONSE_TAG:
        if _OPENING.search(text):
            return (
                "The prompt asks for a <response> section. The answer opens one, "
                "but does not close it."
            )
        return "The prompt asks for a <response> section, and the answer has none."
    section = find_response(text)
    try:
        read_json(text.strip() if section is None else section)
    except NotJson as wrong:
        return f"The prompt asks for JSON, and the answer is not JSON: {wrong}."
    return "The prompt asks for JSON, and the answer is not JSON."


def find_response(text: str) -> str | None:
    """Returns the content of the answer's `<response>` section, or None."""
    thought = _THINKING.match(text)
    # Two searches: one pattern for both tags would restart at each of a million opening tags.
    opening = _OPENING.search(text, thought.end() if thought else 0)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    return text[opening.end() : closing.start()].strip() if opening and closing else None


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except NotJson:
        return False
    return True
