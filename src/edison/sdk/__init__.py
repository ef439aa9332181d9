"""Edison in Python programs: evaluations in code, prompts by name, answers for A/B tests, and
a typed client of the API.

Importing it loads only the standard library; statistics, templates and the typed client
load on first use.
"""

from edison.sdk.abtests import Answer, log_answers
from edison.sdk.client import ApiError, Client, configure
from edison.sdk.connection import connect
from edison.sdk.evaluation import evaluate, evaluate_async
from edison.sdk.prompts import Prompt, prompt, prompt_async
from edison.sdk.results import Case, EvaluationResult, assert_no_regression, compare
from edison.sdk.scorers import Score, assertion, contains, exact, is_json, matches, named

__all__ = [
    "Answer",
    "ApiError",
    "Case",
    "Client",
    "EvaluationResult",
    "Prompt",
    "Score",
    "assert_no_regression",
    "assertion",
    "compare",
    "configure",
    "connect",
    "contains",
    "evaluate",
    "evaluate_async",
    "exact",
    "is_json",
    "log_answers",
    "matches",
    "named",
    "prompt",
    "prompt_async",
]
