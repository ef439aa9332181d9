"""Saves texts from the wizard as a prompt, a rubric and a dataset of the library."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import DatasetRequest
from edison.library.prompts import service as prompts
from edison.library.prompts.schemas import PromptContent, PromptRequest
from edison.library.scorers import rubrics
from edison.library.scorers.schemas.rubrics import RubricRequest
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.schemas.drafts import (
    CriterionDraft,
    DataStep,
    ExperimentDraft,
    PromptStep,
    RubricStep,
)
from edison.workspace.resources.errors import DuplicateName
from edison.workspace.resources.models import LONGEST_NAME
from edison.workspace.resources.service import numbered_names


async def resolve(
    session: AsyncSession, experiment: Experiment, draft: ExperimentDraft, *, author_id: UUID
) -> ExperimentDraft:
    """The draft with ids in place of its texts. The draft must be valid."""
    return draft.model_copy(
        update={
            "rubric": await _rubric(session, experiment, draft.rubric, author_id=author_id),
            "prompt": await _prompt(session, experiment, draft.prompt),
            "data": await _data(session, experiment, draft.data, author_id=author_id),
        }
    )


async def _rubric(
    session: AsyncSession, experiment: Experiment, step: RubricStep, *, author_id: UUID
) -> RubricStep:
    version_id = step.rubric_version_id
    if version_id is None:
        name = await rubrics.find_free_rubric_name(
            session, project_id=experiment.project_id, name=_named(experiment.name, "rubric")
        )
        saved = await rubrics.create_rubric(
            session,
            project_id=experiment.project_id,
            wanted=RubricRequest.model_validate(
                {"name": name, "criteria": [each.model_dump() for each in step.criteria]}
            ),
            author_id=author_id,
        )
        version_id = saved.rubric.latest.id
    version = await rubrics.find_rubric_version(
        session, project_id=experiment.project_id, version_id=version_id
    )
    if version is None:
        raise NotFound("Rubric version not found in this project.")
    return RubricStep(
        rubric_version_id=version_id,
        criteria=[CriterionDraft.model_validate(each) for each in version.criteria],
    )


async def _prompt(session: AsyncSession, experiment: Experiment, step: PromptStep) -> PromptStep:
    if step.prompt_id is not None:
        return PromptStep(prompt_id=step.prompt_id, version_id=step.version_id)
    name = await prompts.find_free_name(
        session, project_id=experiment.project_id, name=_prompt_name(step.name or experiment.name)
    )
    contents = step.model_dump(include=set(PromptContent.model_fields))
    prompt = await prompts.create_prompt(
        session,
        project_id=experiment.project_id,
        wanted=PromptRequest.model_validate({"name": name, **contents}),
    )
    return PromptStep(prompt_id=prompt.id)


async def _data(
    session: AsyncSession, experiment: Experiment, step: DataStep, *, author_id: UUID
) -> DataStep:
    if step.dataset_id is not None:
        return step.model_copy(update={"cases": [], "name": ""})
    dataset_id = await _add_dataset(session, experiment, step)
    await datasets.add_cases(
        session,
        project_id=experiment.project_id,
        dataset_id=dataset_id,
        wanted=step.cases,
        author_id=author_id,
    )
    return step.model_copy(update={"dataset_id": dataset_id, "cases": [], "name": ""})


async def _add_dataset(session: AsyncSession, experiment: Experiment, step: DataStep) -> UUID:
    names = numbered_names(step.name.strip() or _named(experiment.name, "cases"))
    while True:
        try:
            made = await datasets.create_dataset(
                session,
                project_id=experiment.project_id,
                wanted=DatasetRequest.model_validate({"name": next(names)}),
            )
        except DuplicateName:
            continue
        return made.id


def _named(name: str, what: str) -> str:
    return f"{name[: LONGEST_NAME - len(what) - 1].rstrip()} {what}"


def _prompt_name(name: str) -> str:
    """Without characters that prompt names cannot contain."""
    plain = " ".join(name.replace("/", " ").replace("\\", " ").split())
    return plain[:LONGEST_NAME].rstrip() or "Prompt"
