"""Validates lengths, counts and ranges of every step, without the database."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from edison.kit.errors import Invalid
from edison.library.prompts import service as prompts
from edison.library.scorers import criteria
from edison.library.scorers.schemas.rubrics import RubricRequest
from edison.loops.experiments.drafts.checking.problems import Problems
from edison.loops.experiments.drafts.grid import count_combinations, list_configurations
from edison.loops.experiments.drafts.strategy import open_strategy
from edison.loops.experiments.schemas.drafts import (
    ExperimentDraft,
    JudgesStep,
    LimitsStep,
    ModelsStep,
    PromptStep,
    RubricStep,
    Step,
)

GOAL_CHARACTERS = (20, 2000)
CRITERIA = (2, 10)
WEIGHT_TOLERANCE = 0.01
SHORTEST_PROMPT = 50
MOST_CONFIGURATIONS = 10
MOST_REPEATS = 20
JUDGES = (1, 5)
MOST_ITERATIONS = 100
MOST_WINDOW = 10
BUDGET_USD = (Decimal("0.01"), Decimal(10_000))
ALERT = (0.5, 1.0)
MOST_TOKENS = 10_000_000
MOST_CANDIDATES = 5
# Whether the refiner exists is checked with the references.
_ANY_MODEL = UUID(int=0)


def check_steps(draft: ExperimentDraft, problems: Problems) -> None:
    _check_goal(draft.objective.goal, problems)
    _check_rubric(draft.rubric, problems)
    _check_prompt(draft.prompt, problems)
    if draft.data.dataset_id is None and not draft.data.cases:
        message = "No test cases. Choose a dataset or write some cases."
        problems.add(Step.DATA, "dataset_id", message, "no_cases")
    for field in ("max_train_cases", "max_holdout_cases"):
        most = getattr(draft.data, field)
        if most is not None and most < 1:
            problems.add(
                Step.DATA,
                field,
                "Enter at least 1, or leave it empty for all cases.",
                "out_of_range",
            )
    _check_models(draft.models, problems)
    _check_judges(draft.judges, problems)
    _check_limits(draft.limits, problems)


def _check_goal(goal: str, problems: Problems) -> None:
    least, most = GOAL_CHARACTERS
    length = len(goal.strip())
    if length < least:
        message = f"The objective needs at least {least} characters; it has {length}."
        problems.add(Step.OBJECTIVE, "goal", message, "too_short")
    elif length > most:
        message = f"The objective can have at most {most:,} characters; it has {length:,}."
        problems.add(Step.OBJECTIVE, "goal", message, "too_long")


def _check_rubric(step: RubricStep, problems: Problems) -> None:
    if step.rubric_version_id is not None:
        return
    least = CRITERIA[0]
    if len(step.criteria) < least:
        problems.add(Step.RUBRIC, "criteria", f"Add at least {least} criteria.", "too_few")
    if not step.criteria:
        return
    written = RubricRequest.model_validate(
        {"name": "Rubric", "criteria": [each.model_dump() for each in step.criteria]}
    )
    try:
        criteria.check_criteria(written.criteria)
    except Invalid as invalid:
        problems.take(Step.RUBRIC, invalid.problems)
    for index, criterion in enumerate(step.criteria):
        if criterion.weight > 1:
            message = "Enter a weight from 0 to 1."
            problems.add(Step.RUBRIC, f"criteria.{index}.weight", message, "weight_range")
    total = sum(criterion.weight for criterion in step.criteria)
    if abs(total - 1) > WEIGHT_TOLERANCE:
        message = f"The weights must sum to 1.0; they sum to {total:.4g}."
        problems.add(Step.RUBRIC, "criteria", message, "weights_sum")


def _check_prompt(step: PromptStep, problems: Problems) -> None:
    if step.prompt_id is not None:
        return
    problems.take(Step.PROMPT, prompts.find_problems(step))
    length = len(step.text)
    if step.text.strip() and length < SHORTEST_PROMPT:
        message = f"The prompt needs at least {SHORTEST_PROMPT} characters; it has {length}."
        problems.add(Step.PROMPT, "text", message, "too_short")


def _check_models(step: ModelsStep, problems: Problems) -> None:
    if not step.models:
        problems.add(Step.MODELS, "models", "Select at least one model.", "too_few")
    wanted = len(step.models) * count_combinations(step)
    if wanted > MOST_CONFIGURATIONS:
        message = (
            f"Use at most {MOST_CONFIGURATIONS} variants; models and parameter combinations "
            f"make {wanted}."
        )
        problems.add(Step.MODELS, "models", message, "too_many")
    elif len(list_configurations(step)) < wanted:
        problems.add(Step.MODELS, "models", "Two variants are identical.", "repeated")
    _check_range(problems, Step.MODELS, "repeats", step.repeats, (1, MOST_REPEATS))


def _check_judges(step: JudgesStep, problems: Problems) -> None:
    least, most = JUDGES
    if len(step.judges) < least:
        problems.add(Step.JUDGES, "judges", "Select at least one judge.", "too_few")
    if len(step.judges) > most:
        problems.add(Step.JUDGES, "judges", f"Select at most {most} judges.", "too_many")
    if step.is_pairwise and step.pairwise_judge is None:
        message = "Choose a pairwise judge, or turn pairwise comparison off."
        problems.add(Step.JUDGES, "pairwise_judge", message, "missing")


def _check_limits(step: LimitsStep, problems: Problems) -> None:
    ranges: Sequence[tuple[str, float | Decimal | None, tuple[float | Decimal, float | Decimal]]]
    ranges = (
        ("max_iterations", step.max_iterations, (1, MOST_ITERATIONS)),
        ("min_improvement", step.min_improvement, (0, 1)),
        ("convergence_window", step.convergence_window, (1, MOST_WINDOW)),
        ("budget_usd", step.budget_usd, BUDGET_USD),
        ("alert_threshold", step.alert_threshold, ALERT),
        ("max_tokens", step.max_tokens, (1, MOST_TOKENS)),
        ("candidates", step.candidates, (1, MOST_CANDIDATES)),
    )
    for field, value, allowed in ranges:
        if value is not None:
            _check_range(problems, Step.LIMITS, field, value, allowed)
    _check_strategy(step, problems)


def _check_strategy(step: LimitsStep, problems: Problems) -> None:
    candidates = min(max(step.candidates, 1), MOST_CANDIDATES)
    try:
        open_strategy(step.model_copy(update={"candidates": candidates}), refiner_id=_ANY_MODEL)
    except Invalid as invalid:
        problems.take(Step.LIMITS, invalid.problems, below="strategy")


def _check_range(
    problems: Problems,
    step: Step,
    field: str,
    value: float | Decimal,
    allowed: tuple[float | Decimal, float | Decimal],
) -> None:
    least, most = allowed
    if not least <= value <= most:
        message = f"Enter a number from {least:,} to {most:,}."
        problems.add(step, field, message, "out_of_range")
