"""Assertions about the text of an answer: equality, parts, length, edit distance.

They differ from Edison's own scorers: nothing is trimmed, a number equals its JavaScript spelling,
and characters are UTF-16 units.
"""

import math
from collections.abc import Mapping
from typing import Any

from edison.pipeline.render.nunjucks.javascript import (
    STRIPPED,
    UNDEFINED,
    JavaScriptError,
    is_absent,
    is_at_most,
    is_number,
    is_true,
    parse_json,
    to_number,
    to_text,
    units,
)
from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    Handler,
    RowError,
    computed,
    require,
)
from edison.pipeline.score.long_text import LONGEST_TEXT

_DEFAULT_DISTANCE = 5


def is_same_json(one: Any, other: Any) -> bool:
    """Deep equality, in which True is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            is_same_json(each, other[name]) for name, each in one.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same_json, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if is_number(one) and is_number(other):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def _equals(check: Check) -> AssertionVerdict:
    value = check.value
    if check.output is UNDEFINED:
        is_equal = False
    elif value is None or isinstance(value, list | dict):
        try:
            is_equal = is_same_json(value, parse_json(check.text))
        except JavaScriptError:
            is_equal = False
    else:
        is_equal = to_text(value) == check.text
    return check.decide(is_equal, "The answer does not equal, or may not equal, the value.")


def _searched(check: Check) -> str:
    value = check.value
    is_text = isinstance(value, str) and value != ""
    require(
        is_text or (is_number(value) and not math.isnan(value)),
        "The value must be a text or a number.",
    )
    return to_text(value)


def _contains(check: Check) -> AssertionVerdict:
    return check.decide(_searched(check) in check.text, "A part is missing, or forbidden.")


def _icontains(check: Check) -> AssertionVerdict:
    is_found = _searched(check).lower() in check.text.lower()
    return check.decide(is_found, "A part is missing, or forbidden.")


def separated(value: str) -> list[str]:
    """Texts between commas; quoted ones may contain commas. Raises RowError."""
    found: list[str] = []
    at = 0
    while at < len(value):
        if value[at] == "," or value[at] in STRIPPED:
            at += 1
        elif value[at] == '"':
            text, at = _quoted(value, at + 1)
            found.append(text)
        else:
            end = value.find(",", at)
            end = len(value) if end == -1 else end
            found.append(value[at:end].strip(STRIPPED))
            at = end
    return found


def _quoted(value: str, at: int) -> tuple[str, int]:
    parts = []
    while at < len(value):
        pair = value[at : at + 2]
        if pair in {'\\"', "\\\\", '""'}:
            parts.append(pair[1])
            at += 2
        elif value[at] == '"':
            at += 1
            while at < len(value) and value[at] in STRIPPED:
                at += 1
            require(at == len(value) or value[at] == ",", "A comma is missing after a quoted text.")
            return "".join(parts), at
        else:
            parts.append(value[at])
            at += 1
    raise RowError("A quoted text does not end.")


def _parts(check: Check) -> list[str]:
    value = check.value
    require(is_true(value), "The value must be a list of texts.")
    if isinstance(value, str):
        value = separated(value)
    require(isinstance(value, list), "The value must be a list of texts.")
    return [to_text(each) for each in value]


def _contains_any(check: Check) -> AssertionVerdict:
    is_found = any(part in check.text for part in _parts(check))
    return check.decide(is_found, "None of the parts is there, or a forbidden one is.")


def _contains_all(check: Check) -> AssertionVerdict:
    is_found = all(part in check.text for part in _parts(check))
    return check.decide(is_found, "Not all parts are there, or forbidden ones are.")


def _icontains_any(check: Check) -> AssertionVerdict:
    text = check.text.lower()
    is_found = any(part.lower() in text for part in _parts(check))
    return check.decide(is_found, "None of the parts is there, or a forbidden one is.")


def _icontains_all(check: Check) -> AssertionVerdict:
    text = check.text.lower()
    is_found = all(part.lower() in text for part in _parts(check))
    return check.decide(is_found, "Not all parts are there, or forbidden ones are.")


def _starts_with(check: Check) -> AssertionVerdict:
    require(isinstance(check.value, str) and check.value, "The value must be a text.")
    return check.decide(check.text.startswith(check.value), "The beginning is not as it should be.")


def _levenshtein(check: Check) -> AssertionVerdict:
    from rapidfuzz.distance.Levenshtein import distance

    require(isinstance(check.value, str), "The value must be a text.")
    require(len(check.text) <= LONGEST_TEXT, "The answer is too long to be compared.")
    edits = distance(_codes(check.text), _codes(check.value))
    is_near = is_at_most(edits, check.threshold(_DEFAULT_DISTANCE))
    return check.decide(is_near, f"The answer is {edits} edits away.")


def _codes(text: str) -> list[int]:
    encoded = units(text)
    return [int.from_bytes(encoded[at : at + 2]) for at in range(0, len(encoded), 2)]


def _word_count(check: Check) -> AssertionVerdict:
    value = check.value
    require(not is_absent(value), "The value must be a number, or have min or max.")
    count = len([word for word in check.text.split() if word])
    if isinstance(value, dict):
        return check.decide(_is_between(count, value), f"The answer has {count} words.")
    is_usable = is_number(value) or (isinstance(value, str) and not math.isnan(to_number(value)))
    require(is_usable, "The value must be a number, or have min or max.")
    return check.decide(count == to_number(value), f"The answer has {count} words.")


def _is_between(count: int, value: Mapping[str, Any]) -> bool:
    """Limits that are texts are compared as JavaScript does."""
    least, most = value.get("min", UNDEFINED), value.get("max", UNDEFINED)
    require(least is not UNDEFINED or most is not UNDEFINED, "The value must have min or max.")
    if least is not UNDEFINED and most is not UNDEFINED:
        require(is_at_most(least, most), "min must not be greater than max.")
    is_enough = least is UNDEFINED or is_at_most(least, count)
    return is_enough and (most is UNDEFINED or is_at_most(count, most))


HANDLERS: Mapping[str, Handler] = {
    "equals": computed(_equals),
    "contains": computed(_contains),
    "icontains": computed(_icontains),
    "contains-any": computed(_contains_any),
    "contains-all": computed(_contains_all),
    "icontains-any": computed(_icontains_any),
    "icontains-all": computed(_icontains_all),
    "starts-with": computed(_starts_with),
    "levenshtein": computed(_levenshtein),
    "word-count": computed(_word_count),
}
