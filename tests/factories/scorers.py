"""Builders for saved scorers and rubrics that bypass the API."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import ids
from edison.library.scorers import rubrics, service
from edison.library.scorers.schemas.rubrics import RubricRequest
from edison.library.scorers.schemas.scorers import SavedScorerRequest

ACCURACY = {"name": "Accuracy", "description": "Says only what is true.", "weight": 0.75}
TONE = {"name": "Tone", "description": "Friendly and to the point.", "weight": 0.25}


async def add_scorer(session: AsyncSession, project_id: UUID, **values: Any) -> UUID:
    wanted = SavedScorerRequest.model_validate(
        {"name": ids.new_id().hex, "kind": "contains", **values}
    )
    saved = await service.create_scorer(
        session, project_id=project_id, wanted=wanted, author_id=None
    )
    return saved.id


async def add_rubric(session: AsyncSession, project_id: UUID, **values: Any) -> UUID:
    wanted = RubricRequest.model_validate(
        {"name": ids.new_id().hex, "criteria": [ACCURACY, TONE], **values}
    )
    saved = await rubrics.create_rubric(
        session, project_id=project_id, wanted=wanted, author_id=None
    )
    return saved.rubric.id
