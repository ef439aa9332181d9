"""Exit codes of `edison eval`: those of promptfoo, and Edison's own for a budget and Ctrl+C."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from edison.evals.results import EvalResults

PASSED = 0
OUT_OF_BUDGET = 4
FAILED_TESTS = 100
INTERRUPTED = 130
_CODE = "PROMPTFOO_FAILED_TEST_EXIT_CODE"
_LEAST = "PROMPTFOO_PASS_RATE_THRESHOLD"
_PERCENT = 100.0


class FailOn(StrEnum):
    """What fails an evaluation."""

    REGRESSION = "regression"
    ANY = "any"
    THRESHOLD = "threshold"


def exit_code(
    results: "EvalResults", env: Mapping[str, str], *, fail_on: FailOn | None = None
) -> int:
    """Without `fail_on`: failed by a regression, unless all rows passed or, if it is set, the share
    that passed is high enough.
    """
    total, report = len(results.rows), results.comparison
    rate = _PERCENT if not total else results.count("passed") * _PERCENT / total
    is_regression = report is not None and (report.is_regression or report.has_no_answer)
    is_too_low = rate < _number(env.get(_LEAST), _PERCENT)
    is_failed = {
        FailOn.REGRESSION: is_regression,
        FailOn.ANY: is_regression or rate < _PERCENT,
        FailOn.THRESHOLD: is_too_low,
        None: is_regression or is_too_low,
    }[fail_on]
    return int(_number(env.get(_CODE), FAILED_TESTS)) if is_failed else PASSED


def _number(text: str | None, default: float) -> float:
    try:
        return default if not text else float(text)
    except ValueError:
        return default
