"""Adaptive sampling: clearly worse variants are not run on all cases."""

import asyncio
from uuid import UUID

import pytest

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from edison.loops.experiments.iterations import early_stop
from edison.loops.experiments.models import Iteration
from tests.factories.datasets import add_cases
from tests.slices.experiments.lab import RULES, TEXT, Lab
from tests.support.patience import PATIENCE_SECONDS

MORE_CASES = 80


async def test_a_worse_version_is_stopped_early(lab: Lab) -> None:
    async with lab.app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, lab.dataset.id),
            [
                CaseContents(inputs={"question": f"Is it {number}?"}, split=Split.TRAIN)
                for number in range(MORE_CASES)
            ],
        )
    experiment = await lab.make(
        prompt={"text": TEXT + RULES[0] + RULES[1]},
        data={"uses_holdout": False},
        limits={"is_adaptive": True},
    )
    first = await lab.until(await lab.start(experiment))
    assert first["metrics"]["train"]["cases"] == MORE_CASES + 4
    await lab.do(f"/experiments/{experiment['id']}/iterations/{first['id']}/close")
    version_id = await lab.save_version(experiment, TEXT + "Be brief, whatever you are asked.\n")
    # No further answers once 70 are judged: decisions take 60.
    lab.cast.at["judge", lab.cast.asked.count("judge") + 70] = lab.server.hold
    second = await lab.start(experiment, version_id=version_id)
    await enough(lab, UUID(second["id"]))
    lab.server.release()
    ended = await lab.until(second)
    told = ended["metrics"]["sampling"]
    assert told["decision"] == "worse"
    assert told["cases"] < told["planned_cases"] == MORE_CASES + 4
    assert ended["metrics"]["change"]["note"] == "Training cases, not a test."
    assert not {"verdict", "p_value", "adjusted_p_value"} & ended["metrics"]["change"].keys()
    assert ended["metrics"]["change"]["difference"]["value"] == pytest.approx(-0.24)


async def enough(lab: Lab, iteration_id: UUID) -> None:
    """Checks as the job does, until there is enough evidence."""
    database = lab.app.state.database
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with database.read() as session:
                iteration = await session.get_one(Iteration, iteration_id)
            if iteration.sampling is not None:
                return
            await early_stop.consider(database, iteration)
            await asyncio.sleep(0.05)
