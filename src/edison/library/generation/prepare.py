"""Turns a request into a plan: resolves references and validates."""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.coverage import service as coverage
from edison.library.datasets import service as datasets
from edison.library.datasets.errors import DatasetArchived
from edison.library.datasets.schemas.datasets import DatasetRead
from edison.library.generation.errors import GenerationNotAllowed
from edison.library.generation.plan import GenerationKind, GenerationPlan, with_fitting_batches
from edison.library.generation.repository.generations import Generations
from edison.library.generation.schemas import (
    AdversarialRequest,
    GapsRequest,
    GenerationRequest,
    QuestionsRequest,
    SyntheticRequest,
)
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts import service as prompts
from edison.library.prompts.models import Prompt
from edison.pipeline.generate.call_limits import DEFAULT_MAX_TOKENS
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.render.values import value_text

EXAMPLES = 3
LONGEST_EXAMPLE = 600
DEFAULT_VARIABLE = "input"
QUESTION_VARIABLE = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRef:
    project_id: UUID
    dataset_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedGeneration:
    plan: GenerationPlan
    model: CallableModel


async def prepare(
    database: Database, *, place: DatasetRef, wanted: GenerationRequest, generation_id: UUID
) -> PreparedGeneration:
    """Raises Invalid, naming the field, when the request cannot be fulfilled. Takes a database:
    finding gaps takes a while, during which no transaction may be open.
    """
    gaps = await _find_gaps(database, place) if isinstance(wanted, GapsRequest) else ()
    async with database.read() as session:
        dataset = await check_dataset(session, place)
        model = await get_model(session, place.project_id, wanted.model_id)
        found = await _Material.of(session, place, dataset.case_count)
        material = await found.describe(wanted)
    luck = hashlib.sha256(generation_id.bytes).digest()
    plan = GenerationPlan(
        kind=GenerationKind(wanted.kind),
        count=wanted.count,
        nonce=f"{int.from_bytes(luck[:4], 'big') % 10**8:08d}",
        seed=int.from_bytes(luck[4:7], "big"),
        with_expected=wanted.with_expected,
        tags=tuple(dict.fromkeys(wanted.tags)),
        gaps=gaps,
        **material,
    )
    _check_names(plan)
    limit = model.parameters.max_tokens or DEFAULT_MAX_TOKENS
    return PreparedGeneration(plan=with_fitting_batches(plan, max_tokens=limit), model=model)


async def check_dataset(session: AsyncSession, place: DatasetRef) -> DatasetRead:
    """The dataset, if cases may be generated for it. Raises GenerationNotAllowed or
    DatasetArchived.
    """
    dataset = await datasets.get_dataset(
        session, project_id=place.project_id, dataset_id=place.dataset_id
    )
    if not await Generations(session).is_allowed(place.project_id):
        raise GenerationNotAllowed
    if dataset.archived_at is not None:
        raise DatasetArchived
    return dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """Source material of the plan. `variables` are those that most cases have."""

    session: AsyncSession
    place: DatasetRef
    variables: list[str]

    @classmethod
    async def of(cls, session: AsyncSession, place: DatasetRef, case_count: int) -> "_Material":
        known = await datasets.list_variables(
            session, project_id=place.project_id, dataset_id=place.dataset_id
        )
        common = [each.name for each in known if each.cases * 2 >= case_count]
        return cls(session=session, place=place, variables=common)

    async def describe(self, wanted: GenerationRequest) -> dict[str, Any]:
        match wanted:
            case SyntheticRequest():
                return {
                    "variables": self._variables(wanted.variables),
                    "diversity": wanted.diversity,
                    "languages": tuple(wanted.languages),
                    "lengths": tuple(wanted.length_buckets),
                    "hints": wanted.hints,
                    "examples": await self._examples(),
                }
            case GapsRequest():
                return {
                    "variables": self._variables(wanted.variables),
                    "diversity": wanted.diversity,
                    "hints": wanted.hints or "",
                    "examples": await self._examples(),
                }
            case AdversarialRequest():
                return await self._attack(wanted)
            case QuestionsRequest():
                return {
                    "variables": self._question_variable(wanted.variables),
                    "topic": wanted.topic,
                    "types": tuple(wanted.types),
                    "level": wanted.difficulty,
                    "hints": wanted.instructions or "",
                    "languages": tuple(wanted.languages),
                }

    def _variables(self, wanted: Sequence[str]) -> tuple[str, ...]:
        return tuple(wanted or self.variables or [DEFAULT_VARIABLE])

    def _question_variable(self, wanted: Sequence[str]) -> tuple[str, ...]:
        candidates = list(wanted or self.variables or [QUESTION_VARIABLE])
        if not wanted and QUESTION_VARIABLE in candidates:
            candidates = [QUESTION_VARIABLE]
        if len(candidates) > 1:
            raise _problem("variables", "Name the one variable that holds the question.")
        return tuple(candidates)

    async def _examples(self) -> tuple[dict[str, Any], ...]:
        found = await Generations(self.session).list_examples(self.place.dataset_id, limit=EXAMPLES)
        return tuple(_shortened(inputs) for inputs in found)

    async def _attack(self, wanted: AdversarialRequest) -> dict[str, Any]:
        purpose, template = await self._get_target(wanted)
        variables = tuple(wanted.variables or template.variables())
        if not variables:
            field = "prompt_id" if wanted.prompt is None else "prompt"
            raise _problem(field, "This prompt has no variables, so no input reaches it.")
        return {
            "variables": variables,
            "attacks": tuple(dict.fromkeys(wanted.attacks)),
            "hints": wanted.hints or purpose,
            "system": template.system or "",
            "prompt": template.text,
        }

    async def _get_target(self, wanted: AdversarialRequest) -> tuple[str, PromptTemplate]:
        """The prompt's description, as far as known, and its template."""
        if wanted.prompt is not None:
            written = wanted.prompt
            if not written.text.strip():
                raise _problem("prompt", "This prompt has no text yet.")
            return "", PromptTemplate(
                syntax=written.syntax, system=written.system, text=written.text
            )
        if wanted.prompt_id is None:
            raise _problem("prompt_id", "Choose a prompt, or give its text.")
        prompt, template = await self._get_prompt(wanted.prompt_id)
        return prompt.description or prompt.name, template

    async def _get_prompt(self, prompt_id: UUID) -> tuple[Prompt, PromptTemplate]:
        try:
            prompt = await prompts.get_prompt(
                self.session, project_id=self.place.project_id, prompt_id=prompt_id
            )
        except NotFound as missing:
            raise _problem("prompt_id", missing.message) from missing
        draft = await Generations(self.session).find_prompt_draft(prompt_id)
        if draft is None or not draft.text.strip():
            raise _problem("prompt_id", "This prompt has no text yet.")
        return prompt, prompts.template_of(draft)


async def _find_gaps(database: Database, place: DatasetRef) -> tuple[str, ...]:
    found = await coverage.list_gaps(
        database, project_id=place.project_id, dataset_id=place.dataset_id
    )
    if not found:
        raise _problem("kind", "No thin spots were found: the dataset is empty, or covered well.")
    return tuple(found)


async def get_model(session: AsyncSession, project_id: UUID, model_id: UUID) -> CallableModel:
    try:
        model = await models.get_callable(session, project_id=project_id, model_id=model_id)
    except NotFound as missing:
        raise _problem("model_id", missing.message) from missing
    if not model.is_enabled:
        raise _problem("model_id", "This model is switched off.")
    return model


def _shortened(inputs: dict[str, Any]) -> dict[str, str]:
    return {name: value_text(value)[:LONGEST_EXAMPLE] for name, value in inputs.items()}


def _check_names(plan: GenerationPlan) -> None:
    """Cases with invalid names could never be stored."""
    for name in plan.variables:
        if not datasets.is_variable_name(name):
            raise _problem(
                "variables", f"{name!r} cannot be a variable: use letters, digits and underscores."
            )
    for tag in plan.tags:
        if not datasets.is_tag(tag):
            raise _problem("tags", f"{tag!r} cannot be a tag.")


def _problem(field: str, message: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code="unusable"))
