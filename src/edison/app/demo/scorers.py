"""Scorers of the demo project: a few rules, and a judge for every task."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.scorers import rubrics
from edison.library.scorers import service as scorers
from edison.library.scorers.schemas.rubrics import RubricRequest
from edison.library.scorers.schemas.scorers import SavedScorerRequest
from edison.simulation.material import DemoTask
from edison.workspace.projects.models import Project

SIMILARITY = {
    "name": "Similarity to the expected answer",
    "description": "Share of the expected answer's words that the answer contains.",
    "kind": "word_overlap",
}
RULES: tuple[dict[str, Any], ...] = (
    {
        "name": "At most 120 words",
        "description": "Short enough to be read to the end.",
        "kind": "length",
        "options": {"unit": "words", "maximum": 120},
    },
    {
        "name": "No AI disclaimers",
        "description": "No phrases such as \u201cas an AI\u201d.",
        "kind": "contains",
        "options": {
            "phrases": ["as an AI", "language model", "I cannot help with"],
            "is_case_sensitive": False,
        },
        "is_negated": True,
    },
    {
        "name": "Answers within 3 seconds",
        "description": "Latency limit for interactive use.",
        "kind": "latency_limit",
        "options": {"limit_seconds": 3},
    },
)


async def add_rules(session: AsyncSession, project: Project) -> UUID:
    """Returns the scorer version that the runs use."""
    for rule in RULES:
        await _save(session, project, rule)
    return await _save(session, project, SIMILARITY)


async def add_judge(
    session: AsyncSession, project: Project, task: DemoTask, *, model_id: UUID
) -> UUID:
    """Adds a rubric for the task and a judge that uses it; returns the judge's version."""
    criteria = [
        {
            "name": criterion.name,
            "description": criterion.description,
            "weight": criterion.weight,
            "scale": f"{criterion.minimum}-{criterion.maximum}",
        }
        for criterion in task.rubric
    ]
    rubric = await rubrics.create_rubric(
        session,
        project_id=project.id,
        wanted=RubricRequest.model_validate(
            {"name": f"{task.name} rubric", "description": task.goal, "criteria": criteria}
        ),
        author_id=None,
    )
    judge = {
        "name": f"{task.name} judge",
        "description": task.goal,
        "kind": "judge",
        "options": {"model_id": str(model_id), "goal": task.goal},
        "rubric_version_id": str(rubric.rubric.latest.id),
        "threshold": 0.7,
    }
    return await _save(session, project, judge)


async def _save(session: AsyncSession, project: Project, wanted: dict[str, Any]) -> UUID:
    saved = await scorers.create_scorer(
        session,
        project_id=project.id,
        wanted=SavedScorerRequest.model_validate(wanted),
        author_id=None,
    )
    return saved.latest.id
