"""Builders for A/B tests that bypass the API."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import ids
from edison.loops.abtests.models import AbArm, AbTest
from edison.loops.abtests.states import AbArmName


async def add_ab_test(session: AsyncSession, project_id: UUID, **values: Any) -> AbTest:
    """A draft whose prompts and models were deleted, for recorded answers."""
    test = AbTest(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "A test",
            "state": "draft",
            "mode": "recorded",
            "pairs": 60,
            "worthwhile": 0.05,
            "batch_pairs": 10,
            "seed": 1,
            "answer_count": 0,
            "config": {"scorers": [{"kind": "exact"}]},
        }
        | values
    )
    session.add(test)
    await session.flush()
    for arm in AbArmName:
        session.add(
            AbArm(
                test_id=test.id,
                arm=arm,
                prompt_name="Replies",
                version_label="v1",
                model_name=f"Gone {arm}",
            )
        )
    await session.flush()
    return test
