"""The plan of a generation, frozen when the generation is created.

A batch's prompt depends only on the plan and the batch's number. A generation that another process
resumes therefore sends identical prompts, and answers that were paid for come from the answer
cache.
"""

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from edison.pipeline.render.length_bucket import LengthBucket

BATCH_SIZE = 10
CALLS_AT_ONCE = 4
CHARACTERS_PER_TOKEN = 4
# Tokens of a case besides its values: braces, names, tags, difficulty.
TOKENS_AROUND_CASE = 40
# Share of max tokens that is planned for; models rarely keep to lengths exactly.
FILLED_SHARE = 0.6
USUAL_LENGTH = LengthBucket.M


class GenerationKind(StrEnum):
    SYNTHETIC = "synthetic"
    ADVERSARIAL = "adversarial"
    QUESTIONS = "questions"
    GAPS = "gaps"


# Origin of the generated cases.
ORIGINS = {
    GenerationKind.SYNTHETIC: "synthetic",
    GenerationKind.ADVERSARIAL: "adversarial",
    GenerationKind.QUESTIONS: "questions",
    GenerationKind.GAPS: "synthetic",
}


class Attack(StrEnum):
    INJECTION = "injection"
    AMBIGUITY = "ambiguity"
    LONG = "long"
    EMPTY = "empty"
    CONTRADICTORY = "contradictory"
    MULTILINGUAL = "multilingual"


class QuestionLevel(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    MIXED = "mixed"


class GenerationPlan(BaseModel):
    """`nonce` marks quoted material and makes the prompts of two generations differ. `examples` are
    cases of the dataset, `gaps` sentences about what it lacks.
    """

    model_config = ConfigDict(frozen=True)

    kind: GenerationKind
    count: int
    batch_size: int = BATCH_SIZE
    variables: tuple[str, ...]
    nonce: str
    seed: int
    diversity: int = 5
    with_expected: bool = False
    languages: tuple[str, ...] = ()
    lengths: tuple[LengthBucket, ...] = ()
    attacks: tuple[Attack, ...] = ()
    hints: str = ""
    system: str = ""
    prompt: str = ""
    topic: str = ""
    types: tuple[str, ...] = ()
    level: QuestionLevel = QuestionLevel.MIXED
    gaps: tuple[str, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def planned_batches(self) -> int:
        return -(-self.count // self.batch_size)

    @property
    def most_batches(self) -> int:
        """Includes extra batches that make up for repeated cases."""
        return self.planned_batches + max(2, self.planned_batches // 2)

    def size_of(self, number: int) -> int:
        """Number of cases the batch asks for. The last planned batch takes the remainder."""
        if number == self.planned_batches - 1:
            return self.count - number * self.batch_size
        return self.batch_size


def expected_lengths(plan: GenerationPlan) -> tuple[LengthBucket, ...]:
    """Expected lengths of cases; a length that occurs twice is twice as likely."""
    match plan.kind:
        case GenerationKind.ADVERSARIAL:
            return tuple(
                LengthBucket.L if attack is Attack.LONG else USUAL_LENGTH for attack in plan.attacks
            )
        case GenerationKind.GAPS:
            return USUAL_LENGTH, LengthBucket.L
        case GenerationKind.QUESTIONS:
            return (LengthBucket.S,)
        case GenerationKind.SYNTHETIC:
            return plan.lengths or (USUAL_LENGTH,)


def tokens_per_case(plan: GenerationPlan, *, is_longest: bool) -> int:
    """Rough average, for planning and estimates."""
    lengths = expected_lengths(plan)
    characters = sum(each.longest if is_longest else each.shortest for each in lengths)
    if plan.with_expected:
        characters += (USUAL_LENGTH.longest if is_longest else 0) * len(lengths)
    return TOKENS_AROUND_CASE + characters // len(lengths) // CHARACTERS_PER_TOKEN


def with_fitting_batches(plan: GenerationPlan, *, max_tokens: int) -> GenerationPlan:
    """Limit the cases per batch to what fits into one answer, so that answers are not cut off."""
    fitting = int(max_tokens * FILLED_SHARE) // tokens_per_case(plan, is_longest=True)
    return plan.model_copy(update={"batch_size": max(1, min(BATCH_SIZE, fitting))})
