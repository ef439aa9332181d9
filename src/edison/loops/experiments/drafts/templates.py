"""Templates of experiments, with every step filled in; data in `template_files/`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from edison.kit.errors import FieldProblem, Invalid
from edison.library.models.schemas import ModelAdviceRead
from edison.loops.experiments.schemas.drafts import ExperimentDraft, JudgesStep, ModelsStep

KEYS = ("customer_support", "creative_writing", "data_extraction", "code_generation")


class ExperimentTemplate(BaseModel):
    """`draft` has no models and judges, which are specific to a project."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str
    draft: ExperimentDraft


@cache
def read_templates() -> Mapping[str, ExperimentTemplate]:
    folder = files("edison.loops.experiments.drafts") / "template_files"
    return {
        key: ExperimentTemplate.model_validate(
            tomllib.loads((folder / f"{key}.toml").read_text(encoding="utf-8"))
        )
        for key in KEYS
    }


def get_template(key: str) -> ExperimentTemplate:
    """Raises Invalid."""
    found = read_templates().get(key)
    if found is None:
        message = f"Choose one of the templates {', '.join(KEYS)}."
        raise Invalid(FieldProblem(field="template", message=message, code="unknown_template"))
    return found


def fill_template(template: ExperimentTemplate, advice: ModelAdviceRead) -> ExperimentDraft:
    """The template with the project's balanced set of models: the most expensive one judges, the
    others answer.
    """
    chosen: list[Any] = [each.model for each in advice.balanced_set]
    answering, judging = (chosen[:-1], chosen[-1:]) if len(chosen) > 1 else (chosen, chosen)
    draft = template.draft
    models = ModelsStep.model_validate(
        draft.models.model_dump() | {"models": [{"model_id": each.id} for each in answering]}
    )
    is_pairwise = len(answering) > 1
    judges = JudgesStep.model_validate(
        draft.judges.model_dump()
        | {
            "judges": [each.id for each in judging],
            "is_pairwise": is_pairwise,
            "pairwise_judge": judging[0].id if is_pairwise else None,
        }
    )
    return draft.model_copy(update={"models": models, "judges": judges})
