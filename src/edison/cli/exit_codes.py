"""Exit codes of `edison eval`: those of promptfoo, and Edison's own for a budget and Ctrl+C."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from edison.evals.results import EvalResults

PASSED = 0
NOT_STARTED = 1
OUT_OF_BUDGET = 4
FAILED_TESTS = 100
INTERRUPTED = 130
_CODE = "PROMPTFOO_FAILED_TEST_EXIT_CODE"
_LEAST = "PROMPTFOO_PASS_RATE_THRESHOLD"
_PERCENT = 100.0


def exit_code(results: "EvalResults", env: Mapping[str, str]) -> int:
    """Failed unless all rows passed or, if it is set, the share that passed is high enough."""
    total = len(results.rows)
    rate = _PERCENT if not total else results.count("passed") * _PERCENT / total
    if rate >= _number(env.get(_LEAST), _PERCENT):
        return PASSED
    return int(_number(env.get(_CODE), FAILED_TESTS))


def _number(text: str | None, default: float) -> float:
    try:
        return default if not text else float(text)
    except ValueError:
        return default
