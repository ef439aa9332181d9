"""JavaScript of users: run in a limited worker, with bounds on time and memory."""

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.render.nunjucks.javascript import UNDEFINED, normal
from edison.pipeline.score.sandbox.limited import LimitExceeded, limited_workers

# Characters, and escapes with one meaning in JavaScript and RE2.
_SHARED = re.compile(r"(?:[ -\[\]-~\n\t]|\\[dDwWsSbB.\\/()\[\]{}*+?^$|-])+")
# Line ends and white space on which they differ.
_CONTROL = re.compile(r"[\r\v\f\x1c-\x1f\x00]")
SECONDS = 1
MEMORY_BYTES = 64 * 2**20
LONGEST_CODE = 100_000


def FUNCTION() -> None:  # noqa: N802 - a constant
    """Stands for a function that code returned; it cannot be called from here."""


class JavaScriptFailed(Exception):
    """The code threw, or was stopped. The message is for the author of the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JavaScriptFunction:
    """The body of a function and the names of its parameters."""

    body: str
    names: tuple[str, ...]


async def run_javascript(function: JavaScriptFunction, given: Mapping[str, Any]) -> Any:
    """Value of the function, UNDEFINED included; functions are FUNCTION. Raises
    JavaScriptFailed.
    """
    if len(function.body) > LONGEST_CODE:
        raise JavaScriptFailed(f"Code has at most {LONGEST_CODE:,} characters.")
    question = {
        "task": "javascript",
        "body": function.body,
        "names": function.names,
        "given": [given.get(name) for name in function.names],
    }
    answer = await _ask(question)
    if answer.get("text") is None:
        return FUNCTION if answer["type"] == "function" else UNDEFINED
    if answer["type"] == "number":
        return _number(answer["text"])
    return orjson.loads(answer["text"])


async def is_matched(pattern: str, text: str) -> bool:
    """Whether a regular expression of JavaScript is found in the text. Raises JavaScriptFailed."""
    found = match_plainly(pattern, text)
    if found is not None:
        return found
    answer = await _ask({"task": "regex", "pattern": pattern, "text": text})
    return bool(answer["found"])


def match_plainly(pattern: str, text: str) -> bool | None:
    """The same in this process and in linear time, for patterns and texts that mean the same in
    JavaScript and RE2; None for others.
    """
    import re2  # type: ignore[import-untyped] # has no types

    if not text.isascii() or _CONTROL.search(text) or not _SHARED.fullmatch(pattern):
        return None
    if any(each in pattern for each in ("[:", "[]", "[^]", "(?")):
        return None
    try:
        return re2.compile(pattern, _quiet()).search(text) is not None
    except re2.error:
        return None


@cache
def _quiet() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    return options


async def _ask(question: Any) -> Mapping[str, Any]:
    try:
        answer: Mapping[str, Any] = await limited_workers().ask(question)
    except LimitExceeded as too_much:
        raise JavaScriptFailed(str(too_much)) from too_much
    except TypeError as wrong:
        raise JavaScriptFailed("The values are not JSON.") from wrong
    if "error" in answer:
        raise JavaScriptFailed(str(answer["error"]))
    return answer


def _number(text: str) -> float:
    named = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    return named[text] if text in named else normal(float(text))
