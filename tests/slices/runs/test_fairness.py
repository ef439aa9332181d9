"""Several concurrent runs on one credential."""

from typing import Any
from uuid import UUID

import pytest

from edison.jobs.job import Priority
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunRequest
from edison.runs.plan.types import RunContext
from edison.settings import Settings
from tests.factories.models import make_credential, make_model
from tests.slices.runs.conftest import Desk

MANY = [{"question": f"Where is parcel {number}?"} for number in range(100)]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"calls_per_credential": 4})


async def slow_model(desk: Desk) -> str:
    """A simulated model with a latency of a few milliseconds."""
    credential = await make_credential(
        desk.app, desk.dataset.project.id, settings={"latency_scale": 0.02}
    )
    return str((await make_model(desk.app, credential)).id)


async def start(
    desk: Desk, model_id: str, inputs: list[dict[str, str]], priority: Priority, **changes: Any
) -> UUID:
    body = {
        "variants": [desk.variant(model_id=model_id)],
        "inputs": inputs,
        "is_cache_bypassed": True,
        **changes,
    }
    return await run_plans.start_run(
        desk.app.state.database,
        context=RunContext(
            project_id=desk.dataset.project.id,
            origin="api",
            author_id=None,
            priority=priority,
        ),
        wanted=RunRequest.model_validate(body),
        at_once=4,
    )


async def test_a_huge_run_does_not_starve_an_interactive_one(desk: Desk) -> None:
    model_id = await slow_model(desk)
    huge = str(await start(desk, model_id, MANY, Priority.NORMAL, repeats=5))
    await desk.until_it(huge, lambda run: run["done_count"] > 0)

    small = str(await start(desk, model_id, MANY[:6], Priority.INTERACTIVE))
    assert (await desk.finish(small))["state"] == "completed"

    others = await desk.get(f"/runs/{huge}")
    assert others["done_count"] < others["cell_count"] == 500
    await desk.post(f"/runs/{huge}/cancel")


async def test_ten_runs_progress_side_by_side(desk: Desk) -> None:
    model_id = await slow_model(desk)
    run_ids = [
        str(await start(desk, model_id, MANY[:20], Priority.NORMAL, repeats=4)) for _ in range(10)
    ]

    await desk.until_it(run_ids[-1], lambda run: run["done_count"] > 0)
    counts = [(await desk.get(f"/runs/{run_id}"))["done_count"] for run_id in run_ids]

    # In sequence, all but the last would be complete by now.
    assert sum(0 < count < 80 for count in counts) >= 5, counts
    for run_id in run_ids:
        assert (await desk.finish(run_id))["state"] == "completed"
