"""The gate: the version that leads on the training cases is tested once on held-out cases."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from edison.loops.experiments.iterations.best import measured_rows
from edison.loops.experiments.iterations.gate import check_leader, digest_of
from edison.loops.experiments.models import Experiment, HoldoutLook, Iteration
from edison.pipeline.aggregate.alpha import alpha_of_look
from tests.slices.experiments.conftest import HOLDOUT_CASES
from tests.slices.experiments.lab import Lab

# The smallest p-value is 0.0039: enough at the first two looks, not at the third.
HELD_OUT = 9


async def approve(lab: Lab, iteration: dict[str, Any]) -> None:
    await lab.do(f"/suggestions/{iteration['suggestions'][0]['id']}/approve")


async def list_looks(lab: Lab) -> list[HoldoutLook]:
    async with lab.app.state.database.read() as session:
        found = await session.scalars(select(HoldoutLook).order_by(HoldoutLook.number))
        return list(found.all())


async def test_versions_are_tested_as_long_as_the_held_out_cases_last(lab: Lab) -> None:
    await lab.hold_out(HELD_OUT - HOLDOUT_CASES)
    experiment = await lab.make()
    first = await lab.until(await lab.start(experiment))
    assert (first["metrics"]["against_first"], first["metrics"]["holdout_test"]) == (None, None)
    await approve(lab, first)
    second = await lab.next_iteration(experiment, 2)
    assert second["metrics"]["train_gain"] == pytest.approx(0.12)
    gain = second["metrics"]["against_first"]
    assert (gain["verdict"], gain["difference"]["cases"]) == ("better", HELD_OUT)
    assert second["metrics"]["holdout_test"] == {
        "look": 1,
        "alpha": pytest.approx(0.0304, abs=1e-4),
        "looks": 1,
        "cases": HELD_OUT,
    }
    found = await lab.experiment(experiment)
    assert (found["best"]["iteration"], found["best"]["gate"]["state"]) == (2, "passed")
    assert found["best"]["gate"]["sentence"] == (
        "v2 looked better by 1.2 on the training cases. On held-out cases the difference is +1.2 "
        "(+0.3 to +1.2) on 9 cases (look 1 at them, alpha 0.03). It is better than the first "
        "version."
    )
    assert found["against_first"] == gain
    await approve(lab, second)
    third = await lab.next_iteration(experiment, 3)
    assert third["metrics"]["holdout_test"]["look"] == 2
    report = await lab.get(f"/experiments/{experiment['id']}/report")
    assert report["best"]["version_label"] == "v3"
    assert report["best"]["warnings"] == [
        "These 9 held-out cases were looked at 2 times, which leaves too little of their error "
        "budget. Replace them with fresh cases before the next test."
    ]
    assert report["best"]["warnings"][0] in report["next_steps"]
    assert [
        (each.number, each.alpha, each.experiment_id, each.version_id)
        for each in await list_looks(lab)
    ] == [
        (look, alpha_of_look(look), UUID(experiment["id"]), UUID(iteration["version_id"]))
        for look, iteration in ((1, second), (2, third))
    ]

    # Another experiment on the same held-out cases has what is left, also after a deletion.
    await lab.do(f"/experiments/{experiment['id']}/iterations/{third['id']}/close")
    await lab.do(f"/experiments/{experiment['id']}/archive")
    other = await lab.make(prompt={"name": "Parcel replies"})
    deleted = await lab.editor.delete(f"{lab.project_url}/experiments/{experiment['id']}")
    assert deleted.status_code in (204, 403), deleted.text
    await approve(lab, await lab.until(await lab.start(other)))
    worn = await lab.next_iteration(other, 2)
    assert worn["metrics"]["against_first"] is None
    assert worn["metrics"]["holdout_test"] == {
        "look": None,
        "alpha": None,
        "looks": 2,
        "cases": HELD_OUT,
    }
    found = await lab.experiment(other)
    assert (found["best"]["iteration"], found["best"]["gate"]["state"]) == (1, "worn_out")
    assert found["best"]["gate"]["sentence"] == (
        "v2 looked better by 1.2 on the training cases. It was not tested: 9 held-out cases cannot "
        "show a gain at look 3 at them. Add fresh held-out cases. v1 stays the best."
    )
    assert len(await list_looks(lab)) == 2


async def test_a_process_that_resumes_spends_no_second_look(lab: Lab) -> None:
    await lab.hold_out(HELD_OUT - HOLDOUT_CASES)
    experiment = await lab.make()
    await approve(lab, await lab.until(await lab.start(experiment)))
    second = await lab.next_iteration(experiment, 2)
    database = lab.app.state.database
    async with database.read() as session:
        stored = await session.get_one(Experiment, UUID(experiment["id"]))
        rows = await session.scalars(
            select(Iteration).where(Iteration.experiment_id == stored.id).order_by(Iteration.number)
        )
        measured = measured_rows(rows.all())
    untested = measured[1][1].model_copy(update={"against_first": None, "holdout_test": None})
    # As after a crash between the registration of the look and the storing of the metrics.
    tested = await check_leader(
        database, stored, measured[1][0], [measured[0], (measured[1][0], untested)]
    )
    assert tested is not None
    assert tested.metrics.model_dump(mode="json") == second["metrics"]
    assert [each.number for each in await list_looks(lab)] == [1]


def test_held_out_cases_are_known_by_their_contents() -> None:
    assert digest_of(("a", "b")) == digest_of(("b", "a"))
    assert digest_of(("a", "b")) != digest_of(("a", "c"))
