"""Answers from production for A/B tests that are scored in Edison."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from edison.sdk.client import Client, default_client

_MOST_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer of one arm, `first` or `second`. Without `score`, the scorers of the test score
    it. Answers with an `id` are recorded once, so a program may send them again after an error.
    """

    arm: str
    answer: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    expected: str | None = None
    score: float | None = None
    id: str | None = None


def log_answers(ab_test_id: str, answers: Iterable[Answer], *, client: Client | None = None) -> int:
    """Records answers, 100 at a time. Returns the number of those that were not recorded before.
    Raises ApiError.
    """
    asked, recorded, left = client or default_client(), 0, iter(answers)
    while part := list(islice(left, _MOST_AT_ONCE)):
        body = {"answers": [asdict(each) for each in part]}
        recorded += asked.post(f"/ab-tests/{ab_test_id}/answers", body)["recorded"]
    return recorded
