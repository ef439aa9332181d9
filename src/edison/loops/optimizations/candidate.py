"""One candidate of an optimization in full: its prompt, the base's, and its scores by case."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Case
from edison.library.prompts import service as prompts
from edison.loops.optimizations.models import Optimization, OptimizationCandidate
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE
from edison.loops.optimizations.schemas.candidates import (
    CandidateRead,
    CaseScoreRead,
    PromptPartsRead,
)
from edison.loops.optimizations.view import candidate_fields
from edison.pipeline.refine.parts import with_parts
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.runs.results import service as results

_NO_PARTS = PromptPartsRead(text="", system=None, few_shots=[])


async def describe_candidate(
    session: AsyncSession, row: Optimization, candidate: OptimizationCandidate
) -> CandidateRead:
    """The prompts are empty if the base was deleted."""
    optimizations = Optimizations(session)
    found = await OptimizationSteps(optimizations).find_candidate(row.id, BASE)
    scores = {} if found is None else found.scores
    version = None
    if row.prompt_id is not None and row.version_id is not None:
        version = await optimizations.find_version(row.prompt_id, row.version_id)
    base = None if version is None else prompts.template_of(version)
    parts = _parts(None if base is None else with_parts(base, candidate.parts))
    return CandidateRead.model_validate(
        {
            **candidate_fields(candidate, scores),
            **{name: getattr(parts, name) for name in PromptPartsRead.model_fields},
            "base": _parts(base),
            "diff": candidate.diff,
            "targets": candidate.targets,
            "scores": candidate.scores,
            "case_scores": _case_scores(candidate, scores, await _train_cases(optimizations, row)),
        }
    )


def _parts(template: PromptTemplate | None) -> PromptPartsRead:
    if template is None:
        return _NO_PARTS
    return PromptPartsRead.model_validate(
        {
            "text": template.text,
            "system": template.system,
            "few_shots": [
                {"user": each.user, "assistant": each.assistant} for each in template.few_shots
            ],
        }
    )


async def _train_cases(optimizations: Optimizations, row: Optimization) -> Mapping[str, Case]:
    """Training cases by key, as far as they still exist."""
    if row.dataset_id is None or not row.train_ids:
        return {}
    known = {each.id: each for each in await optimizations.list_cases(row.dataset_id)}
    cases = [known[id_] for id_ in map(UUID, row.train_ids) if id_ in known]
    keys = results.keys_of_cases([(each.inputs, each.expected) for each in cases])
    return dict(zip(keys, cases, strict=True))


def _case_scores(
    candidate: OptimizationCandidate, base: Mapping[str, float], cases: Mapping[str, Case]
) -> list[CaseScoreRead]:
    """The greatest losses against the base first."""
    found = []
    for key, score in candidate.scores.items():
        case = cases.get(key)
        found.append(
            CaseScoreRead(
                key=key,
                case_id=None if case is None else case.id,
                inputs=None if case is None else case.inputs,
                score=score,
                base=base.get(key),
            )
        )
    return sorted(found, key=lambda each: each.score - (each.base or 0.0))
