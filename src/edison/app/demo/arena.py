"""The demo project's arena: three simulated models answer the same cases, and a judge compares
their answers in pairs.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Priority
from edison.runs.plan import service as run_plans
from edison.runs.plan import types
from edison.runs.plan.schemas import RunRequest
from edison.runs.store.states import ARENA
from edison.simulation.data import read_data

NAME = "Arena: support replies"
DEMO_TASK = "support"
MODELS = ("sim-small", "sim-medium", "sim-large")
JUDGE = "sim-large"
# Enough for ratings, few enough to finish within seconds.
CASES = 16


async def add_run(
    session: AsyncSession,
    project_id: UUID,
    *,
    prompt: tuple[UUID, UUID],
    dataset_id: UUID,
    model_ids: Mapping[str, UUID],
    scorers: Sequence[Mapping[str, Any]],
) -> None:
    """Only stores the run; the engine executes it after all other work. `prompt` is (prompt id,
    version id).
    """
    prompt_id, version_id = prompt
    criteria = [
        {name: each[name] for name in ("name", "description", "weight")}
        for each in read_data("demo")[DEMO_TASK]["rubric"]
    ]
    wanted = RunRequest.model_validate(
        {
            "name": NAME,
            "variants": [
                {
                    "prompt_id": prompt_id,
                    "version_id": version_id,
                    "model_id": model_ids[name],
                }
                for name in MODELS
            ],
            "dataset_id": dataset_id,
            "cases": {"limit": CASES},
            "scorers": scorers,
            "comparers": [
                {
                    "kind": "pairwise_judge",
                    "options": {"model_id": str(model_ids[JUDGE]), "criteria": criteria},
                }
            ],
        }
    )
    context = types.RunContext(
        project_id=project_id, origin=ARENA, author_id=None, priority=Priority.BACKGROUND
    )
    await run_plans.add_run(session, context=context, wanted=wanted)
