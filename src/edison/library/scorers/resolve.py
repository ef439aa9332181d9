"""Turns a request into complete, validated settings: criteria of a rubric filled in, options parsed
by the plug-in, models looked up.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.scorers.graders import WORDS, with_words
from edison.library.scorers.kinds import CRITERIA, takes_rubric
from edison.library.scorers.models import ScorerVersion
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.schemas.scorers import InlineScorer
from edison.pipeline.render.values import value_text
from edison.pipeline.score.apply import ConfiguredScorer, ScorerConfig, configure


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedScorer:
    """A scorer that is ready to be used or saved. `models` are those it calls, by id."""

    configured: ConfiguredScorer
    rubric_version_id: UUID | None
    models: Mapping[UUID, CallableModel]

    def columns(self) -> dict[str, Any]:
        """Columns of a version. Options are as parsed by the plug-in, including its current
        defaults.
        """
        config = self.configured.config
        return {
            "options": self.configured.scorer.model_dump(mode="json"),
            "rubric_version_id": self.rubric_version_id,
            "threshold": config.threshold,
            "weight": config.weight,
            "is_negated": config.is_negated,
        }


async def resolve_scorer(
    session: AsyncSession, *, project_id: UUID, wanted: InlineScorer
) -> ResolvedScorer:
    """Raises Invalid with all problems."""
    problems: list[FieldProblem] = []
    options = {name: each for name, each in wanted.options.items() if name != WORDS}
    if wanted.rubric_version_id is not None:
        criteria = await _criteria(session, project_id, wanted.kind, wanted.rubric_version_id)
        if isinstance(criteria, FieldProblem):
            problems.append(criteria)
        else:
            options[CRITERIA] = criteria
    try:
        configured = configure(
            ScorerConfig(
                kind=wanted.kind,
                options=options,
                threshold=wanted.threshold,
                weight=wanted.weight,
                is_negated=wanted.is_negated,
            )
        )
    except Invalid as invalid:
        raise Invalid(*problems, *_without_criteria(invalid, bool(problems))) from invalid
    if (obstacle := configured.scorer.find_obstacle()) is not None:
        problems.append(FieldProblem(field="kind", message=obstacle, code="scorer_unavailable"))
    try:
        await with_words(session, project_id=project_id, configured=configured)
    except Invalid as invalid:
        problems += invalid.problems
    asked, missing = await find_models(session, project_id=project_id, configured=configured)
    if problems or missing:
        raise Invalid(*problems, *missing)
    return ResolvedScorer(
        configured=configured, rubric_version_id=wanted.rubric_version_id, models=asked
    )


async def resolve_for_saving(
    session: AsyncSession, *, project_id: UUID, wanted: InlineScorer
) -> ResolvedScorer:
    """Also refuses mistakes that a trial may show, such as code that cannot be read."""
    settled = await resolve_scorer(session, project_id=project_id, wanted=wanted)
    mistake = await settled.configured.scorer.find_mistake()
    if mistake is not None:
        raise Invalid(mistake)
    return settled


def _without_criteria(invalid: Invalid, has_no_rubric: bool) -> list[FieldProblem]:
    """Missing criteria are not reported again when their rubric does not exist."""
    return [
        problem
        for problem in invalid.problems
        if not (has_no_rubric and problem.field == f"options.{CRITERIA}")
    ]


async def _criteria(
    session: AsyncSession, project_id: UUID, kind: str, version_id: UUID
) -> list[dict[str, Any]] | FieldProblem:
    def problem(message: str, code: str) -> FieldProblem:
        return FieldProblem(field="rubric_version_id", message=message, code=code)

    if not takes_rubric(kind):
        return problem("This kind of scorer does not take a rubric.", "no_rubric_taken")
    found = await Rubrics(session).find_version(project_id, version_id)
    if found is None:
        return problem("There is no such version of a rubric in this project.", "unknown_rubric")
    return found[1].criteria


async def find_models(
    session: AsyncSession, *, project_id: UUID, configured: ConfiguredScorer
) -> tuple[dict[UUID, CallableModel], list[FieldProblem]]:
    """The models that a scorer calls, and problems of those that cannot be used."""
    asked: dict[UUID, CallableModel] = {}
    problems = []
    options = configured.scorer.model_dump(mode="json")
    for model_id in dict.fromkeys(configured.scorer.model_ids):
        field = ".".join(("options", *_path_to(options, str(model_id))))
        try:
            model = await models.get_callable(session, project_id=project_id, model_id=model_id)
        except NotFound:
            told = "There is no such model in this project."
            problems.append(FieldProblem(field=field, message=told, code="unknown_model"))
            continue
        if not model.is_enabled:
            told = f"{model.display_name} is switched off."
            problems.append(FieldProblem(field=field, message=told, code="model_disabled"))
        asked[model_id] = model
    return asked, problems


def _path_to(value: Any, wanted: str) -> tuple[str, ...]:
    """Path of a value in the options; empty when it is not there."""
    return next(_paths_to(value, wanted), ())


def _paths_to(value: Any, wanted: str) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        members: Iterator[tuple[Any, Any]] = iter(value.items())
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        if value == wanted:
            yield ()
        return
    for key, member in members:
        for rest in _paths_to(member, wanted):
            yield (str(key), *rest)


def digest_of(contents: Any) -> str:
    """Equal for equal contents; ignores key order and notation of numbers."""
    return hashlib.sha256(value_text(contents).encode()).hexdigest()


def digest_of_columns(columns: Mapping[str, Any]) -> str:
    """Includes the source of the criteria: a scorer with another rubric is a different one."""
    rubric = columns["rubric_version_id"]
    return digest_of({**columns, "rubric_version_id": None if rubric is None else str(rubric)})


def config_of(kind: str, version: ScorerVersion) -> ScorerConfig:
    return ScorerConfig(
        kind=kind,
        options=version.options,
        threshold=version.threshold,
        weight=version.weight,
        is_negated=version.is_negated,
    )
