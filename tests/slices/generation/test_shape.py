"""What a generated row carries: the requested type and difficulty, unless the model says more."""

from typing import Any

import pytest

from edison.library.generation.plan import GenerationKind, GenerationPlan, QuestionLevel
from edison.library.generation.shape import ShapedDraft, shape

PLAN = GenerationPlan(
    kind=GenerationKind.QUESTIONS,
    count=10,
    variables=("question",),
    nonce="12345678",
    seed=1,
    types=("logic", "coding"),
    level=QuestionLevel.HARD,
    tags=("march",),
)


@pytest.mark.parametrize(
    ("plan", "row", "tags", "difficulty"),
    [
        ({}, {}, ["march"], 4),
        ({}, {"type": "Logic", "difficulty": 5}, ["march", "logic"], 5),
        ({}, {"type": "history"}, ["march"], 4),
        ({"types": ("logic",)}, {"tags": ["puzzle"]}, ["march", "logic", "puzzle"], 4),
        ({"level": QuestionLevel.MIXED}, {}, ["march"], None),
    ],
)
def test_questions_carry_what_was_asked(
    plan: dict[str, Any], row: dict[str, Any], tags: list[str], difficulty: int | None
) -> None:
    shaped = shape({"question": "Why?", **row}, PLAN.model_copy(update=plan))
    assert isinstance(shaped, ShapedDraft)
    assert (shaped.case.tags, shaped.case.difficulty) == (tags, difficulty)
