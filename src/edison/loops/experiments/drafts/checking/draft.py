"""Validates a draft: every step, and everything that it references."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.drafts.checking.problems import Problems, StepProblem
from edison.loops.experiments.drafts.checking.references import check_references
from edison.loops.experiments.drafts.checking.steps import check_steps
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step

_ORDER = {step: at for at, step in enumerate(Step)}


async def find_problems(
    session: AsyncSession, *, project_id: UUID, draft: ExperimentDraft
) -> Sequence[StepProblem]:
    """Problems in the order of the steps; empty when the draft can be confirmed."""
    problems = Problems()
    check_steps(draft, problems)
    await check_references(session, project_id=project_id, draft=draft, problems=problems)
    return sorted(problems.found, key=lambda each: _ORDER[each.step])
