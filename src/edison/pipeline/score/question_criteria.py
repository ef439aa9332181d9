"""The criteria by which questions are judged unless a request brings its own."""

from edison.pipeline.score.rubric import Criterion, Scale

DIFFICULTY = "Difficulty"

QUESTION_CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        name="Clarity",
        description="The question can be understood in one way only, and every word it needs is "
        "there.",
        scale=Scale.TO_10,
    ),
    Criterion(
        name="Answerability",
        description="The question has an answer that follows from the material or from common "
        "knowledge, and that can be checked.",
        scale=Scale.TO_10,
    ),
    Criterion(
        name="Relevance",
        description="The question tests something that matters for the goal, or for the subject of "
        "the set if no goal is given.",
        scale=Scale.TO_10,
    ),
    Criterion(
        name="Originality",
        description="The question is not a stock phrase that models have met many times.",
        weight=0.5,
        scale=Scale.TO_10,
    ),
    # Neither an easy nor a hard question is better by that, so the weight is 0: it is compared with
    # the difficulty that the case states.
    Criterion(
        name=DIFFICULTY,
        description="How hard the question is, from 0 (anyone answers it at once) to 10 (an expert "
        "has to think).",
        weight=0.0,
        scale=Scale.TO_10,
    ),
)
