"""Assertions in the `__expected` cells of promptfoo's CSV files: `contains:Paris`, `cost(0.1)`.

A threshold in parentheses counts for some types only; these have a default threshold, too.
"""

import re
from typing import Any

from edison.pipeline.render.nunjucks.javascript import STRIPPED, is_true
from edison.pipeline.score.assertions.text import separated

_TYPES = (
    "agent-rubric", "answer-relevance", "bleu", "classifier", "contains", "contains-all",
    "contains-any", "contains-html", "contains-json", "contains-sql", "contains-xml",
    "context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "cost",
    "equals", "factuality", "finish-reason", "g-eval", "gleu", "guardrails", "icontains",
    "icontains-all", "icontains-any", "is-html", "is-json", "is-refusal", "is-sql",
    "is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call",
    "is-xml", "javascript", "latency", "levenshtein", "llm-rubric", "meteor",
    "model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity",
    "perplexity-score", "pi", "python", "regex", "rouge-n", "ruby", "search-rubric", "similar",
    "similar:cosine", "similar:dot", "similar:euclidean", "skill-used", "starts-with",
    "tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration",
    "trajectory:goal-success", "trajectory:step-count", "trajectory:tool-args-match",
    "trajectory:tool-sequence", "trajectory:tool-used", "webhook", "word-count",
)  # fmt: skip
_CELL = re.compile(
    rf"(?P<type>(?:not-)?(?P<base>{'|'.join(map(re.escape, _TYPES))}))"
    r"(?:\((?P<threshold>\d+(?:\.\d+)?)\))?(?::(?P<value>.*))?",
    re.DOTALL | re.ASCII,
)
_LISTS = frozenset({"contains-all", "contains-any", "icontains-all", "icontains-any"})
_SCHEMAS = frozenset({"contains-json", "is-json"})
_WITH_THRESHOLD = frozenset((
    "answer-relevance", "classifier", "context-faithfulness", "context-recall",
    "context-relevance", "cost", "latency", "levenshtein", "perplexity", "perplexity-score",
    "rouge-n", "similar", "starts-with",
))  # fmt: skip
_CODE = ("javascript:", "fn:", "eval:")
_JAVASCRIPT_FILES = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")


def read_cell(text: str) -> dict[str, Any]:
    """The assertion in a cell, as in a configuration. Raises RowError."""
    for beginning in _CODE:
        if text.startswith(beginning):
            return {"type": "javascript", "value": text.removeprefix(beginning).strip(STRIPPED)}
    for beginning in ("grade:", "llm-rubric:"):
        if text.startswith(beginning):
            return {"type": "llm-rubric", "value": text.removeprefix(beginning)}
    if text.startswith("python:"):
        return {"type": "python", "value": text.removeprefix("python:").strip(STRIPPED)}
    if text.startswith("file://") and (found := _file(text)):
        return found
    cell = _CELL.fullmatch(text)
    return {"type": "equals", "value": text} if cell is None else _read(cell)


def _file(text: str) -> dict[str, Any] | None:
    if text.partition(":")[2].rpartition(":")[0].endswith(_JAVASCRIPT_FILES) or text.endswith(
        _JAVASCRIPT_FILES
    ):
        return {"type": "javascript", "value": text.strip(STRIPPED)}
    if text.endswith(".py") or ".py:" in text:
        return {"type": "python", "value": text.removeprefix("file://").strip(STRIPPED)}
    return None


def _read(cell: re.Match[str]) -> dict[str, Any]:
    base, value = cell["base"], cell["value"]
    made: dict[str, Any] = {"type": cell["type"]}
    if value is not None:
        if base in _LISTS:
            made["value"] = separated(value) if is_true(value) else value
        else:
            made["value"] = value if base in _SCHEMAS else value.strip(STRIPPED)
    if base in _WITH_THRESHOLD:
        default = 0.8 if base == "similar" else 0.75
        made["threshold"] = float(cell["threshold"]) if cell["threshold"] else default
    return made
