"""Stand-ins for the steps of a draft that cannot be used yet, so that every draft is estimated."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptDraft, PromptVersion
from edison.loops.experiments.drafts.create import default_limits
from edison.loops.experiments.schemas.drafts import (
    DataStep,
    ExperimentDraft,
    JudgesStep,
    ModelsStep,
    ObjectiveStep,
    PromptStep,
    RubricStep,
    Step,
)
from edison.workspace.projects import service as projects

TRAIN_CASES, HOLDOUT_CASES = 8, 2
CRITERIA = 3
PROMPT_WORDS = 60
VALUE_WORDS = 40
VARIABLE = "input"

_SENTENCE = (
    "Read the text below with care and write a helpful answer that is correct, complete and short "
    "enough to be read at once."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """`message` says what was assumed instead of the step."""

    step: Step
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedDraft:
    """A draft that can be estimated, and what is not the author's in it."""

    draft: ExperimentDraft
    stand_ins: Sequence[StandIn]


async def replace_steps(
    session: AsyncSession, *, project_id: UUID, draft: ExperimentDraft, steps: Collection[Step]
) -> AssumedDraft | None:
    """The draft with stand-ins for the steps. None if they need a model and the project has none
    that is enabled.
    """
    model = await models.find_usual(session, project_id=project_id)
    if model is None and not {Step.MODELS, Step.JUDGES}.isdisjoint(steps):
        return None
    made: dict[Step, tuple[Any, str]] = {}
    for step in (each for each in Step if each in steps):
        if step in (Step.MODELS, Step.JUDGES):
            if model is not None:
                made[step] = _with_model(step, draft, model)
        elif step is Step.PROMPT:
            name = VARIABLE if Step.DATA in steps else await _variable(session, project_id, draft)
            made[step] = _prompt(draft, name)
        elif step is Step.DATA:
            names: Sequence[str] = [VARIABLE]
            if Step.PROMPT not in steps:
                names = await _variables(session, project_id, draft.prompt)
            made[step] = _data(draft, names)
        elif step is Step.LIMITS:
            settings = await projects.get_settings(session, project_id=project_id)
            limits = default_limits(settings)
            made[step] = (limits, "The project's default limits until those entered are valid.")
        else:
            made[step] = _objective() if step is Step.OBJECTIVE else _rubric()
    return AssumedDraft(
        draft=draft.model_copy(update={step.value: value for step, (value, _) in made.items()}),
        stand_ins=[StandIn(step=step, message=message) for step, (_, message) in made.items()],
    )


def _objective() -> tuple[ObjectiveStep, str]:
    step = ObjectiveStep(goal="Answers are helpful, correct and short.")
    return step, "A short objective until yours is complete."


def _rubric() -> tuple[RubricStep, str]:
    criteria = [
        {
            "name": f"Criterion {number}",
            "description": "Says in one sentence what a good answer does.",
            "weight": round(1 / CRITERIA, 3),
        }
        for number in range(1, CRITERIA + 1)
    ]
    step = RubricStep.model_validate({"criteria": criteria})
    return step, f"{CRITERIA} criteria until the rubric is complete."


def _with_model(step: Step, draft: ExperimentDraft, model: CallableModel) -> tuple[Any, str]:
    name = model.display_name
    if step is Step.MODELS:
        until = (
            "the problems of this step are solved" if draft.models.models else "you choose models"
        )
        value = ModelsStep.model_validate({"models": [{"model_id": model.id}]})
        return value, f"{name} answers until {until}."
    until = "the problems of this step are solved" if draft.judges.judges else "you choose judges"
    return JudgesStep.model_validate({"judges": [model.id]}), f"{name} judges until {until}."


def _prompt(draft: ExperimentDraft, variable: str) -> tuple[PromptStep, str]:
    text = f"{_text(PROMPT_WORDS)}\n\n{{{{{variable}}}}}\n"
    until = "yours is complete" if draft.prompt.prompt_id is None else "the chosen one can be used"
    message = f"A prompt of {PROMPT_WORDS} words with one variable until {until}."
    return PromptStep(text=text), message


def _data(draft: ExperimentDraft, variables: Sequence[str]) -> tuple[DataStep, str]:
    count = TRAIN_CASES + HOLDOUT_CASES
    is_empty = draft.data.dataset_id is None and not draft.data.cases
    until = "you add some" if is_empty else "yours can be used"
    cases = [
        {
            "inputs": {name: f"{number}: {_text(VALUE_WORDS)}" for name in variables},
            "split": "train" if number < TRAIN_CASES else "holdout",
        }
        for number in range(count)
    ]
    value = DataStep.model_validate({"cases": cases, "uses_holdout": draft.data.uses_holdout})
    return value, f"{count} cases until {until}."


def _text(words: int) -> str:
    every = _SENTENCE.split()
    return " ".join(every[at % len(every)] for at in range(words))


async def _variable(session: AsyncSession, project_id: UUID, draft: ExperimentDraft) -> str:
    """A variable that the cases have."""
    if draft.data.dataset_id is None:
        return next((name for case in draft.data.cases for name in case.inputs), VARIABLE)
    found = await datasets.list_variables(
        session, project_id=project_id, dataset_id=draft.data.dataset_id
    )
    return max(found, key=lambda each: each.cases).name if found else VARIABLE


async def _variables(session: AsyncSession, project_id: UUID, step: PromptStep) -> Sequence[str]:
    """Those of a usable prompt."""
    parts: PromptDraft | PromptVersion
    if step.prompt_id is None:
        parts = PromptDraft(**step.columns())
    else:
        prompt = await prompts.get_prompt(session, project_id=project_id, prompt_id=step.prompt_id)
        if step.version_id is None:
            parts = await prompts.get_runnable_draft(session, prompt_id=prompt.id)
        else:
            parts = await prompts.get_version(
                session, prompt_id=prompt.id, version_id=step.version_id
            )
    return prompts.template_of(parts).variables() or [VARIABLE]
