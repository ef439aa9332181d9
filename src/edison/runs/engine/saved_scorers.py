"""Saved scorers that a run names: what they say, filled into the request."""

from collections.abc import Callable, Collection, Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.library.scorers import service as saved
from edison.pipeline.score.scorer import Subject
from edison.runs.engine.filling.scores import subject_of
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.scorer_uses import ScorerUses
from edison.runs.engine.schemas.requests import ScorerRequest


async def fill_in(
    session: AsyncSession,
    *,
    project_id: UUID,
    requests: Sequence[ScorerRequest],
    on_problem: Callable[[str, str, str], None],
) -> list[ScorerRequest | None]:
    """One for each request; None where there is a problem."""
    version_ids = [each.scorer_version_id for each in requests if each.scorer_version_id]
    if not version_ids:
        return list(requests)
    chosen = await saved.find_chosen(session, project_id=project_id, version_ids=version_ids)
    filled: list[ScorerRequest | None] = []
    for index, request in enumerate(requests):
        if request.scorer_version_id is None:
            filled.append(request)
        elif request.scorer_version_id in chosen:
            filled.append(_with(request, chosen[request.scorer_version_id]))
        else:
            message = "There is no such version of a scorer in this project."
            on_problem(f"scorers.{index}.scorer_version_id", message, "unknown_scorer_version")
            filled.append(None)
    return filled


def _with(request: ScorerRequest, scorer: saved.ChosenScorer) -> ScorerRequest:
    config = scorer.config
    return request.model_copy(
        update={
            "kind": config.kind,
            "label": request.label or scorer.name,
            "options": dict(config.options),
            "weight": request.weight if "weight" in request.model_fields_set else config.weight,
            "threshold": config.threshold,
            "is_negated": config.is_negated,
        }
    )


async def find_use_of_scorer(session: AsyncSession, scorer_id: UUID) -> str | None:
    """For the scorers: whether a run that is not over scores with one of its versions."""
    if await ScorerUses(session).is_active(scorer_id):
        return "A run that is under way uses this scorer."
    return None


async def count_runs(session: AsyncSession, scorer_ids: Collection[UUID]) -> Mapping[UUID, int]:
    """For the scorers: in how many runs each was used."""
    return await ScorerUses(session).count_runs(scorer_ids)


async def read_subject(session: AsyncSession, project_id: UUID, output_id: UUID) -> Subject:
    """For the scorers' test bench: what they see of an output. Raises Invalid when it failed."""
    reader = Reading(session)
    output = await reader.get_output(project_id, output_id)
    if output.status == "error":
        told = "This output failed, so there is nothing to score."
        raise Invalid(FieldProblem(field="sample.output_id", message=told, code="output_failed"))
    (case,) = await reader.list_cases(output.run_id, output.case_position, output.case_position + 1)
    columns = {column.name: getattr(output, column.name) for column in output.__table__.columns}
    return subject_of(columns, case)
