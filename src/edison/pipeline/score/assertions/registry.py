"""All types of assertions: those that Edison evaluates, and why it does not evaluate the others."""

from collections.abc import Mapping
from functools import cache

from edison.pipeline.score.assertions import (
    code,
    graded,
    json_output,
    labels,
    markup,
    overlap,
    response,
    retrieval,
    sql,
    text,
    tools,
    xml,
)
from edison.pipeline.score.assertions.model import Handler, RowError, Unsupported

_TRACES = "Edison does not record traces of an answer."
_OTHER_ROWS = "It compares the answers of several models; use a comparison of a run instead."
_SERVICE = "It calls a service that Edison does not call."
UNSUPPORTED: Mapping[str, str] = {
    "agent-rubric": "It lets an agent use tools to grade.",
    "classifier": _SERVICE,
    "conversation-relevance": "Edison's cases have one question each.",
    "max-score": _OTHER_ROWS,
    "moderation": _SERVICE,
    "pi": _SERVICE,
    "ruby": "Edison has no sandbox for Ruby.",
    "search-rubric": _SERVICE,
    "select-best": _OTHER_ROWS,
    "skill-used": _TRACES,
    "trace-error-spans": _TRACES,
    "trace-span-count": _TRACES,
    "trace-span-duration": _TRACES,
    "trajectory:goal-success": _TRACES,
    "trajectory:step-count": _TRACES,
    "trajectory:tool-args-match": _TRACES,
    "trajectory:tool-sequence": _TRACES,
    "trajectory:tool-used": _TRACES,
    "webhook": "It sends the answer to an address.",
}

# Types that differ from promptfoo in a part.
PARTIAL: Mapping[str, str] = {
    "meteor": "Equal words and equal stems match; synonyms do not, because Edison has no WordNet.",
    "python": "On a server the code runs in a sandbox with a part of Python's library.",
    "is-sql": "Another parser decides what is SQL.",
    "contains-sql": "Another parser decides what is SQL.",
}


@cache
def handlers() -> Mapping[str, Handler]:
    """By type, without `not-`."""
    modules = (
        text,
        json_output,
        markup,
        xml,
        sql,
        overlap,
        response,
        tools,
        code,
        graded,
        labels,
        retrieval,
    )
    return {name: each for module in modules for name, each in module.HANDLERS.items()}


def handler_of(base_type: str) -> Handler:
    """Raises RowError when there is none."""
    found = handlers().get(base_type)
    if found is not None:
        return found
    if base_type in UNSUPPORTED:
        raise Unsupported(f"“{base_type}” is not supported: {UNSUPPORTED[base_type]}")
    raise RowError(f"Unknown assertion type: {base_type[:80]}")
